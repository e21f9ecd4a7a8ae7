// How a policy's two scores, the expert's and the model's, become one margin.
#pragma once

#include "ifd/role/finite_log.h"

namespace ifd {

// kProbability: the difference of the two chances of being right.
// kLogit: the difference of their logarithms, g_perp - max g in the paper's text.
// Both choose the same expert for a case; they rank cases differently.
enum class MarginScale { kProbability, kLogit };

inline double margin(double expert_chance, double model_chance, MarginScale scale) {
  return scale == MarginScale::kProbability ? expert_chance - model_chance
                                            : finite_log(expert_chance) - finite_log(model_chance);
}

}  // namespace ifd
