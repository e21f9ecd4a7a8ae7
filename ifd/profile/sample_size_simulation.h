// How often contexts of a planned size succeed, seen in simulated ones beside the bounds of
// sample_size.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "ifd/profile/beta_posterior.h"
#include "ifd/random/keyed_random.h"

namespace ifd {

// Of `repeats` contexts with n answers per class, drawn with these accuracies: the share in which
// the best class has the strictly largest posterior mean under a uniform prior.
double simulated_peak_class(std::span<const double> accuracies, std::uint64_t answers,
                            std::size_t repeats, const Key& key);

// Of `repeats` contexts with n answers, drawn with this accuracy: the share in which
// |posterior mean - accuracy| < tolerance.
double simulated_prior_recovery(const BetaPrior& prior, double accuracy, double tolerance,
                                std::uint64_t answers, std::size_t repeats, const Key& key);

// Answers per class: the paper's bound, the number that is needed, and how often simulated contexts
// of each size succeed.
struct SampleSizePlan {
  std::uint64_t bound;
  std::uint64_t needed;
  double bound_succeeds;
  double needed_succeeds;
};

// Contexts simulated for each size of a plan.
inline constexpr std::size_t kPlanRepeats = 4000;

// Until an expert's best class is known, and until a wrong prior is overcome, but for a chance of
// delta.
SampleSizePlan plan_peak_class(std::span<const double> accuracies, double delta,
                               std::uint64_t seed);
SampleSizePlan plan_prior_recovery(const BetaPrior& prior, double accuracy, double tolerance,
                                   double delta, std::uint64_t seed);

}  // namespace ifd
