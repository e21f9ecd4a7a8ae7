// A policy by conformal prediction sets, after the idea of Bary (2025, arXiv 2509.12573): the model
// names the classes it cannot rule out, and the expert who is best among those is asked.
//
// Split conformal prediction with the score 1 - rho_y: the set of a case holds the classes whose
// probability reaches a threshold, and the threshold is such that the sets of new cases, drawn as
// the labelled ones were, hold the truth in at least 90 % of draws. The other common score (adding
// up probabilities until the truth is reached) has larger sets, and needs a random draw in each to
// cover exactly; this one needs none, and comparing single probabilities knows no order of classes.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "ifd/data/predictions.h"
#include "ifd/policy/deferral_policy.h"
#include "ifd/policy/policy_method.h"
#include "ifd/policy/roster.h"
#include "ifd/rejector/margin_scale.h"

namespace ifd {

// In how many of ten draws a set holds the truth, at least.
inline constexpr std::size_t kCoveredOfTen = 9;

class ConformalSets {
 public:
  // From cases with labels, at least one. The threshold is the k-th largest probability of a truth,
  // k = ceil((n + 1) * .9); with fewer than nine cases that is beyond the last, and a set holds
  // every class.
  explicit ConformalSets(const Predictions& labelled);

  // The least probability of a class in a set.
  float threshold() const { return threshold_; }

  // member[y] becomes 1 for the classes of the set and 0 for the others; how many it holds. No set
  // is empty: where no class reaches the threshold, the most probable one stands in, or all that
  // share its probability.
  std::size_t mark(std::span<const float> probabilities, std::span<float> member) const;

 private:
  float threshold_ = 0;
};

// On a set of several classes the margin is the mean of mu over them minus the model's largest
// probability as a share of the set's: the sets say which classes are possible and no more, so mu
// is not weighted by rho. A set of one class leaves nothing to ask: such cases come after all
// others, by mu - rho at that class. On the scale of probabilities a margin is at least -1 exactly
// where the set has several classes.
std::unique_ptr<DeferralPolicy> conformal_policy(const Roster& roster, const ConformalSets& sets,
                                                 MarginScale scale);

// Its row of the catalogue.
PolicyMethod conformal_method();

}  // namespace ifd
