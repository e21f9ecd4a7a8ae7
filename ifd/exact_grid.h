// Sums that are the same whatever the order of their terms.
#pragma once

#include <cmath>

namespace ifd {

// The multiple of 1/steps next to `value`; steps is a power of two. Doubles that are all such
// multiples add up exactly, in any order, as long as no sum exceeds 2^53 / steps, and what was
// added can be taken away again without a trace.
inline double on_grid(double value, double steps) { return std::nearbyint(value * steps) / steps; }

}  // namespace ifd
