// On which scale a policy's two scores, the expert's and the model's, become one margin.
#pragma once

namespace ifd {

// kProbability: the difference of the two chances of being right.
// kLogit: the difference of their logarithms, g_perp - max g in the paper's text.
// Both choose the same expert for a case; they rank cases differently.
enum class MarginScale { kProbability, kLogit };

}  // namespace ifd
