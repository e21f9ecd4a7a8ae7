// Numbers as zip and NumPy write them: little-endian, wherever they fall.
#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace ifd {

static_assert(std::endian::native == std::endian::little, "bytes are copied as they are");

// The number at a position; the caller has checked that it is there.
template <typename Number>
Number number_at(std::string_view bytes, std::size_t offset) {
  assert(offset + sizeof(Number) <= bytes.size());
  Number value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}
inline std::uint16_t u16(std::string_view bytes, std::size_t offset) {
  return number_at<std::uint16_t>(bytes, offset);
}
inline std::uint32_t u32(std::string_view bytes, std::size_t offset) {
  return number_at<std::uint32_t>(bytes, offset);
}
inline std::uint64_t u64(std::string_view bytes, std::size_t offset) {
  return number_at<std::uint64_t>(bytes, offset);
}

template <typename Number>
void append_number(std::string& bytes, Number value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace ifd
