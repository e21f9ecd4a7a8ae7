// FNV-1a, 64 bits: a fingerprint of structure, the same on every platform. No protection against
// intent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ifd {

class FnvHash {
 public:
  constexpr void add_byte(unsigned char byte) { state_ = (state_ ^ byte) * 0x100000001b3ULL; }
  // Eight bytes, lowest first.
  constexpr void add(std::uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8) {
      add_byte(static_cast<unsigned char>(number >> shift));
    }
  }
  // The length, then the bytes.
  constexpr void add(std::string_view text) {
    add(std::uint64_t{text.size()});
    for (const char c : text) add_byte(static_cast<unsigned char>(c));
  }
  constexpr std::uint64_t value() const { return state_; }
  // The value as 16 hexadecimal digits.
  std::string hex() const {
    std::string digits(16, '0');
    for (std::size_t i = 0; i < 16; ++i)
      digits[i] = "0123456789abcdef"[state_ >> (60 - 4 * i) & 15];
    return digits;
  }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

}  // namespace ifd
