// How many answers per class an expert must give: the paper's two bounds, and beside each the
// number that is truly needed, computed exactly from binomials. The bounds hold for every expert;
// they are loose for most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "ifd/profile/beta_posterior.h"

namespace ifd {

// Peak-class identification (Prop. peak-class): n >= ln(2K/delta) / (2 (gap/2)^2) answers per class
// make the best class the one with the largest posterior mean with probability 1 - delta.
std::uint64_t peak_class_bound(std::size_t classes, double gap, double delta);

// The chance that after n answers per class the best class (the largest accuracy, which must be
// unique) has the strictly largest posterior mean under a uniform prior.
double peak_class_chance(std::span<const double> accuracies, std::uint64_t answers);

// Overcoming prior misspecification (Prop. prior-robust):
// n >= max{ S (|mu_prior - theta| - eps/2) / (eps/2), 2 ln(2/delta) / eps^2 } answers bring the
// posterior mean within eps of the truth with probability 1 - delta.
std::uint64_t prior_recovery_bound(const BetaPrior& prior, double accuracy, double tolerance,
                                   double delta);

// The chance that after n answers |posterior mean - accuracy| < tolerance.
double prior_recovery_chance(const BetaPrior& prior, double accuracy, double tolerance,
                             std::uint64_t answers);

// The least n at which the chance reaches 1 - delta and stays there for the next 25 sizes or up to
// the bound. Binomials are lumpy: a single lucky n is no plan.
std::uint64_t peak_class_answers(std::span<const double> accuracies, double delta);
std::uint64_t prior_recovery_answers(const BetaPrior& prior, double accuracy, double tolerance,
                                     double delta);

}  // namespace ifd
