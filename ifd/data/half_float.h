// Floats of 16 bits.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace ifd {

// IEEE 754 binary16: 1 sign, 5 exponent and 10 fraction bits.
inline float half_to_float(std::uint16_t half) {
  const int exponent = half >> 10 & 31;
  const auto fraction = static_cast<float>(half & 1023);
  float size;
  if (exponent == 31) {
    size = fraction == 0 ? std::numeric_limits<float>::infinity()
                         : std::numeric_limits<float>::quiet_NaN();
  } else if (exponent == 0) {
    size = std::ldexp(fraction, -24);
  } else {
    size = std::ldexp(1024 + fraction, exponent - 25);
  }
  return (half & 0x8000) != 0 ? -size : size;
}

}  // namespace ifd
