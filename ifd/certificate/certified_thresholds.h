// Thresholds whose risk is below its limits with a stated confidence: Learn then Test (Angelopoulos
// et al. 2021), for risks that need not be monotone in the threshold.
//
// A case with a margin of at least tau has the expert's loss, any other the model's. Which
// thresholds are tested, and in which order, comes from cases outside the calibration set
// (plan_tests); the calibration set then only says yes or no (run_tests). An order taken from the
// calibration cases themselves would break the promise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace ifd {

// A case with what it costs either way, in [0, 1]. A margin is finite, or -infinity where nobody
// may take the case.
struct LossCase {
  double margin;
  double model_loss;
  double expert_loss;
};

// Every case is deferred that anybody may take; none is.
inline constexpr double kDeferAll = -std::numeric_limits<double>::infinity();
inline constexpr double kDeferNone = std::numeric_limits<double>::infinity();

// What a promise counts: each case by itself, or the mean loss of each group of cases, where only
// groups are independent of each other. Cases that it is not about are in no unit.
class RiskUnits {
 public:
  // Each of the `cases` by itself.
  static RiskUnits of_cases(std::size_t cases);
  // Each of the cases in these rows.
  static RiskUnits of_some(std::span<const std::size_t> rows);
  // The groups of the cases in these rows: `groups` has one for each row of all. Any numbers stand
  // for groups.
  static RiskUnits of_groups(std::span<const std::uint32_t> groups,
                             std::span<const std::size_t> rows);

  std::size_t count() const { return sizes_.size(); }
  // The rows of the cases that are in a unit, as they were given: no memory is taken for others, so
  // that as many promises as there are cases can be about a few cases each.
  std::span<const std::size_t> rows() const { return rows_; }
  // The share in the sum over all units of the case at this place among the rows: 1 / the size of
  // its unit.
  double weight(std::size_t place) const {
    return 1 / static_cast<double>(sizes_[unit_of_[place]]);
  }
  bool are_cases() const { return are_cases_; }

 private:
  std::vector<std::size_t> rows_;
  std::vector<std::uint32_t> unit_of_;  // of each of the rows
  std::vector<std::size_t> sizes_;
  bool are_cases_ = true;
};

// Losses of right and wrong answers are 0 or 1, and their tail is known exactly; others only lie
// between.
enum class LossKind { kRightOrWrong, kBetween };

// "The mean loss of these units is at most `limit`."
struct RiskLimit {
  std::string what;  // in words, as in "system error"
  double limit;      // in (0, 1)
  LossKind losses;
  RiskUnits units;
};

// The mean loss of the units at each of the thresholds, in time O(cases log thresholds).
std::vector<double> risks_at(std::span<const LossCase> cases, const RiskUnits& units,
                             std::span<const double> thresholds);
// The share of the cases, or of the mean group, that each of the thresholds defers.
std::vector<double> deferral_at(std::span<const LossCase> cases, const RiskUnits& units,
                                std::span<const double> thresholds);

struct TestPlan {
  std::vector<double> thresholds;   // in the order of the tests: from most deferral to least
  std::vector<std::size_t> starts;  // ascending places among the thresholds
};

// The grid are the thresholds that defer 0, 1, ... `steps` of `steps` parts of the outside cases.
// It begins where the predicted risk is least, because thresholds that defer more are of no use,
// and sequences start at 0, 1/3 and 2/3 of those whose predicted risk is below the limits. `limits`
// are those of the promises, with units of the outside cases; of several risks the one counts that
// is largest against its limit.
TestPlan plan_tests(std::span<const LossCase> outside, std::span<const RiskLimit> limits,
                    std::size_t steps = 100);

struct TestedThreshold {
  double threshold;
  double p_value;  // the largest of all promises
  bool certified;
};

// Each start has an equal part of `error_rate`, and goes on while p is at most that. A sequence
// that comes as far as the next start hands its part on to it (a graphical procedure, Bretz et al.
// 2009). With probability 1 - error_rate, no threshold that is certified breaks any of the
// promises. In the order of the plan.
std::vector<TestedThreshold> run_tests(const TestPlan& plan, std::span<const LossCase> calibration,
                                       std::span<const RiskLimit> limits, double error_rate);

// How many units it takes, about, until a mean loss like this one passes at `error_rate`; 0 where
// no number does (the mean is not below the limit) or more than 10^9.
std::size_t units_needed(double mean_loss, const RiskLimit& limit, double error_rate);

// Half the width of an interval for the deferral rate that holds at every threshold at once, with
// probability 1 - error_rate: for cases the Dvoretzky-Kiefer-Wolfowitz inequality, for groups
// Hoeffding's over all `thresholds` that are asked about.
double deferral_half_width(const RiskUnits& units, std::size_t thresholds, double error_rate);

}  // namespace ifd
