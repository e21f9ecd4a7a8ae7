// bfloat16: the upper half of a float, eight bits of precision.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace ifd {

// To the nearest, ties to even.
inline std::uint16_t to_bf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>(bits >> 16 | 0x40);
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

inline float from_bf16(std::uint16_t value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16);
}

inline float rounded_to_bf16(float value) { return from_bf16(to_bf16(value)); }

}  // namespace ifd
