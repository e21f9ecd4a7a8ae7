// What the answers of the staff say of somebody who has given none, or few.
//
// Identity-free: experts are exchangeable, and so are classes. An expert has a level m, drawn from
// Beta(MS, (1 - M)S) around the staff's; the accuracy in a class is drawn from Beta(mc, (1 - m)c)
// around the expert's level, or, with probability d, it is one of its own: half of these are
// specialties, Beta(16, 1), half anything, Beta(1, 1). With probability e the expert is not like
// the staff at all, and nothing is known beforehand of any class, as if there were no staff prior.
// M, S, c, d and e are integrated over on a grid, not estimated, with more weight on a small c, a
// large S and a small e: unless the answers say so, one class tells little of another, and experts
// are as good as each other.
//
// The prior of an expert is learned from the others (their likelihood alone weighs the grid), then
// meets the expert's own answers in every class. The outcome is one Beta prior per class, chosen
// so that with the answers known by now the posterior has the mean of the exact mixture, and its
// variance where a positive prior can have it; where none can (a mixture may be wider than the
// answers alone would leave it) the widest prior that keeps the mean. Answers that come later are
// counted on top of it as ever.
//
// Rejected: a single Beta for all classes, which costs up to .004 AURSAC where experts are
// specialists; the mixture's prior without the expert's own answers in the class, which shrinks a
// specialty to the rest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ifd/profile/beta_posterior.h"
#include "ifd/profile/expert_profile.h"
#include "ifd/random/keyed_random.h"

namespace ifd {

// How many answers to one class, and how many of them right.
struct ClassCount {
  std::uint64_t answers = 0;
  std::uint64_t correct = 0;
};

// By class.
std::vector<ClassCount> class_counts(const ExpertProfile& profile);

// Immutable and thread-safe. Exactly the same whatever the order of experts and classes.
class StaffPrior {
 public:
  // Reads how many answers were given and right; the priors of the profiles count for nothing. Time
  // is linear in experts x classes.
  explicit StaffPrior(std::span<const ExpertProfile> staff);

  // For one of the staff, whose own answers must be those that the staff was read with.
  std::vector<BetaPrior> of_member(const ExpertProfile& profile) const;
  // For somebody else, with these answers; as many priors as counts.
  std::vector<BetaPrior> of_newcomer(std::span<const ClassCount> counts) const;

  // Accuracies of somebody else by class, drawn from the exact posterior: draws x classes.
  std::vector<std::vector<double>> draw_newcomers(std::span<const ClassCount> counts,
                                                  std::size_t draws, const Key& key) const;

  // How the exact posterior of an accuracy looks before it is made a Beta.
  struct Moments {
    double mean;
    double variance;
  };
  std::vector<Moments> moments_of_newcomer(std::span<const ClassCount> counts) const;

 private:
  std::vector<double> log_weights_;  // by grid point, of all the staff
};

// Of each of the staff, by the others.
std::vector<std::vector<BetaPrior>> staff_priors(std::span<const ExpertProfile> staff);

// What the prior says of somebody after a few answers, spread evenly over the classes.
struct StaffOutlook {
  std::uint64_t answers;
  std::uint64_t correct;
  BetaPosterior any_class;  // the accuracy in a class that has no answer yet
};

// After 0, 5 and 20 answers: all right, as many as expected, half.
std::vector<StaffOutlook> staff_outlook(const StaffPrior& prior, std::size_t classes);

}  // namespace ifd
