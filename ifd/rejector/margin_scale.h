// How a policy's two scores, the expert's and the model's, become one margin.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace ifd {

// kProbability: the difference of the two chances of being right.
// kLogit: the difference of their logarithms, g_perp - max g in the paper's text.
// Both choose the same expert for a case; they rank cases differently.
enum class MarginScale { kProbability, kLogit };

// A chance of zero has no logarithm; it gets that of the smallest positive number, below every
// other, so that margins stay finite and "nobody may take this case" stays distinct.
inline double finite_log(double chance) {
  return std::log(std::max(chance, std::numeric_limits<double>::denorm_min()));
}

inline double margin(double expert_chance, double model_chance, MarginScale scale) {
  return scale == MarginScale::kProbability ? expert_chance - model_chance
                                            : finite_log(expert_chance) - finite_log(model_chance);
}

}  // namespace ifd
