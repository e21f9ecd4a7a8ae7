#include "ifd/data/utf8.h"

#include <cstdint>
#include <cstring>

#include "ifd/data/visible_text.h"

namespace ifd {
namespace {

// The length of the valid sequence at the start of `bytes`, or 0. Table 3-7 of the Unicode
// standard: only the second byte's range depends on the first.
std::size_t sequence_length(std::string_view bytes) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char first = at(0);
  if (first < 0x80) return 1;
  std::size_t length = 0;
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
  if (first >= 0xC2 && first <= 0xDF) {
    length = 2;
  } else if (first >= 0xE0 && first <= 0xEF) {
    length = 3;
    if (first == 0xE0) low = 0xA0;
    if (first == 0xED) high = 0x9F;
  } else if (first >= 0xF0 && first <= 0xF4) {
    length = 4;
    if (first == 0xF0) low = 0x90;
    if (first == 0xF4) high = 0x8F;
  } else {
    return 0;
  }
  if (bytes.size() < length || at(1) < low || at(1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (at(i) < 0x80 || at(i) > 0xBF) return 0;
  }
  return length;
}

}  // namespace

std::size_t first_invalid_utf8(std::string_view bytes) {
  std::size_t i = 0;
  while (i < bytes.size()) {
    // Most text is ASCII: eight bytes at a time.
    while (bytes.size() - i >= 8) {
      std::uint64_t word;
      std::memcpy(&word, bytes.data() + i, 8);
      if ((word & 0x8080808080808080U) != 0) break;
      i += 8;
    }
    if (i == bytes.size()) break;
    const std::size_t length = sequence_length(bytes.substr(i));
    if (length == 0) return i;
    i += length;
  }
  return i;
}

Utf8Character first_character(std::string_view text) {
  const std::size_t length = sequence_length(text);
  if (length == 0) return {};
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  char32_t code_point = length == 1 ? byte(0) : byte(0) & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) code_point = code_point << 6 | (byte(i) & 0x3Fu);
  return {code_point, length};
}

bool append_utf8(std::string& text, char32_t code_point) {
  const auto append = [&](char32_t byte) { text += static_cast<char>(byte); };
  const auto append_rest = [&](char32_t bits) { append(0x80 | (bits & 0x3F)); };
  if (code_point < 0x80) {
    append(code_point);
  } else if (code_point < 0x800) {
    append(0xC0 | code_point >> 6);
    append_rest(code_point);
  } else if (code_point < 0x10000) {
    if (code_point >= 0xD800 && code_point <= 0xDFFF) return false;
    append(0xE0 | code_point >> 12);
    append_rest(code_point >> 6);
    append_rest(code_point);
  } else if (code_point <= 0x10FFFF) {
    append(0xF0 | code_point >> 18);
    append_rest(code_point >> 12);
    append_rest(code_point >> 6);
    append_rest(code_point);
  } else {
    return false;
  }
  return true;
}

std::string excerpt(std::string_view text) {
  constexpr std::size_t kShown = 60;
  std::string shown;
  while (!text.empty()) {
    if (shown.size() >= kShown) return shown + "...";
    text.remove_prefix(append_visible(shown, text));
  }
  return shown;
}

}  // namespace ifd
