// Three ways to say what is known of an expert before any answer was seen.
#pragma once

#include "ifd/profile/beta_posterior.h"

namespace ifd {

// Nothing is known: Beta(1, 1).
inline BetaPrior uniform_prior() { return {}; }

// The expert's own word (paper, Eq. prior-param): accuracy a and confidence c in 0..1 with a global
// strength s from 2 to kMostPriorStrength:  alpha = 1 + c a (s - 2),  beta = 1 + c (1 - a) (s - 2).
BetaPrior self_assessed_prior(double accuracy, double confidence, double strength);

// alpha = mean * strength, beta = (1 - mean) * strength, with 0 < mean < 1 and 0 < strength <=
// kMostPriorStrength.
BetaPrior prior_with_mean(double mean, double strength);

}  // namespace ifd
