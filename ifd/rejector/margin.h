// How a policy's two scores, the expert's and the model's, become one margin.
#pragma once

#include <cmath>

#include "ifd/rejector/margin_scale.h"
#include "ifd/role/finite_log.h"

namespace ifd {

inline double margin(double expert_chance, double model_chance, MarginScale scale) {
  return scale == MarginScale::kProbability ? expert_chance - model_chance
                                            : finite_log(expert_chance) - finite_log(model_chance);
}

// The margin of a deferral logit g_perp over g_k = log rho_k, for which logsumexp(g) = 0:
// g_perp - log rho_top, or p_perp - max p of the (K+1)-softmax, (e^g_perp - rho_top) / (1 +
// e^g_perp).
inline double softmax_margin(double deferral_logit, double model_at_top, MarginScale scale) {
  if (scale == MarginScale::kLogit) return deferral_logit - finite_log(model_at_top);
  // The exponential of the negative side only, so that it never overflows.
  const double e = std::exp(-std::abs(deferral_logit));
  return deferral_logit <= 0 ? (e - model_at_top) / (1 + e) : (1 - model_at_top * e) / (1 + e);
}

}  // namespace ifd
