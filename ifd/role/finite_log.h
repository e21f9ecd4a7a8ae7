// The logarithm of a chance, finite also where the chance is zero.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace ifd {

// A chance of zero has no logarithm; it gets that of the smallest positive number, below every
// other, so that margins stay finite and "nobody may take this case" stays distinct.
inline double finite_log(double chance) {
  return std::log(std::max(chance, std::numeric_limits<double>::denorm_min()));
}

}  // namespace ifd
