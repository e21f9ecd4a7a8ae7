// How many answers it takes until a new expert is known well enough, and which to ask for next.
//
// Simulated: experts are drawn from what the staff says of somebody like them (staff_prior.h),
// answer cases one after the other, and are judged by the staff's prior and those answers. What
// counts is the routing: on the cases of today's mix, cases go to whoever has the largest plug-in
// margin, and the area under the accuracy over all budgets is what the model's probabilities
// expect. Its distance from that of a router who knows the expert's accuracies is the regret.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "ifd/data/predictions.h"
#include "ifd/policy/roster.h"
#include "ifd/profile/staff_prior.h"

namespace ifd {

// Which class is asked for next.
enum class NextCases {
  kAsTheyCome,  // by how frequent the classes are
  kBalanced,    // the class with the fewest answers
  kVariance,    // where share x standard deviation of the accuracy is largest
};
inline constexpr std::array kNextCases = {NextCases::kAsTheyCome, NextCases::kBalanced,
                                          NextCases::kVariance};

// as-they-come, balanced, variance.
std::string_view word_for(NextCases choice);

inline constexpr std::size_t kMostOnboardingDraws = 100'000;
inline constexpr std::uint64_t kMostOnboardingAnswers = 100'000;

struct OnboardingOptions {
  double tolerance = .005;  // of the regret
  std::vector<std::uint64_t> sizes = {0, 5, 10, 20, 40, 80, 160, 320};
  std::size_t draws = 200;
  std::size_t most_cases = 1000;  // of the mix, drawn by their names
  std::uint64_t seed = 0;
  unsigned threads = 1;  // changes nothing but the time
};

// The person in question among the staff.
struct OnboardingStaff {
  StaffPrior prior;                       // by the others
  std::vector<ExpertProfile> colleagues;  // those on duty, with priors by each other
  std::vector<ClassCount> given;          // the person's own answers by now, by class

  // Nobody of that name: somebody without an answer. Error(kNotFound) for who is to be off duty and
  // is not there.
  static OnboardingStaff around(const std::string& expert, const Roster& roster,
                                std::size_t classes, std::span<const std::string> off_duty);
};

struct OnboardingPlan {
  struct Regret {
    double mean;
    double standard_error;
  };
  struct Size {
    std::uint64_t answers;  // beside those given already
    std::array<Regret, kNextCases.size()> regret;
  };
  std::vector<Size> sizes;
  // By choice: the fewest answers of the sizes from which on the regret stays within the tolerance.
  std::array<std::optional<std::uint64_t>, kNextCases.size()> enough;
  double worth;                // what knowing the expert adds to a staff without them
  std::vector<double> shares;  // of the classes in the mix
  std::size_t cases;           // that were used

  // By class, of that many answers to be asked for.
  std::vector<std::uint64_t> by_class(std::uint64_t answers, NextCases choice,
                                      const OnboardingStaff& staff) const;
  // The most that choosing gains over cases as they come, at any size but 0, and how.
  struct Gain {
    double regret;
    std::uint64_t answers;
    NextCases choice;
  };
  Gain largest_gain() const;
};

// What choosing must gain to be worth the trouble.
inline constexpr double kWorthChoosing = .003;

OnboardingPlan plan_onboarding(const Predictions& mix, const OnboardingStaff& staff,
                               const OnboardingOptions& options = {});

// Rows of `pool` to be labelled next, most wanted first: at most `count`, none of `answered`. A
// case is of its label's class, or of the model's where it has none. Among cases of one class a
// keyed draw by name decides.
std::vector<std::size_t> next_cases(const Predictions& pool, const OnboardingStaff& staff,
                                    NextCases choice, std::size_t count,
                                    const std::unordered_set<std::string>& answered,
                                    std::uint64_t seed);

}  // namespace ifd
