#include "ifd/data/text_encoding.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "ifd/data/utf8.h"
#include "ifd/error.h"

namespace ifd {
namespace {

enum class ByteOrder { kLittle, kBig };

// Code points of the bytes 0x80..0x9F in Windows-1252; 0: none. The others are those of Latin-1.
constexpr std::array<char16_t, 32> kWindows1252{
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

std::size_t line_of(std::string_view bytes, std::size_t position) {
  return 1 + static_cast<std::size_t>(std::count(bytes.begin(), bytes.begin() + position, '\n'));
}

char16_t unit_at(std::string_view bytes, std::size_t at, ByteOrder order) {
  const auto first = static_cast<unsigned char>(bytes[at]);
  const auto second = static_cast<unsigned char>(bytes[at + 1]);
  return static_cast<char16_t>(order == ByteOrder::kLittle ? second << 8 | first
                                                           : first << 8 | second);
}

// Without a mark: half of the first characters or more have a zero byte on one side, and hardly any
// on the other.
std::optional<ByteOrder> unmarked_utf16(std::string_view bytes) {
  const std::size_t looked_at = std::min<std::size_t>(bytes.size(), 512) / 2;
  std::array<std::size_t, 2> zeros{};
  for (std::size_t i = 0; i < 2 * looked_at; ++i) zeros[i % 2] += bytes[i] == '\0' ? 1 : 0;
  const auto [fewer, more] = std::minmax(zeros[0], zeros[1]);
  if (looked_at < 2 || 2 * more < looked_at || 8 * fewer >= more) return std::nullopt;
  return zeros[1] == more ? ByteOrder::kLittle : ByteOrder::kBig;
}

std::optional<ByteOrder> utf16_order(std::string_view bytes) {
  if (bytes.starts_with("\xFF\xFE")) return ByteOrder::kLittle;
  if (bytes.starts_with("\xFE\xFF")) return ByteOrder::kBig;
  return unmarked_utf16(bytes);
}

// Collects characters, and refuses to become larger than the limits allow.
class GrowingText {
 public:
  GrowingText(std::size_t source, const std::string& name, const ReadLimits& limits)
      : source_(source), name_(name), limits_(limits), allowed_(limits.allowed(source)) {
    text_.reserve(std::min<std::uint64_t>(source + source / 8, allowed_));
  }
  bool add(char32_t character) {
    if (text_.size() >= allowed_) {
      throw expands_too_far(name_, source_, fmt::format("become more than {} as UTF-8", allowed_),
                            limits_);
    }
    return append_utf8(text_, character);
  }
  std::size_t line() const { return line_of(text_, text_.size()); }
  std::string take() { return std::move(text_); }

 private:
  std::size_t source_;
  const std::string& name_;
  const ReadLimits& limits_;
  std::uint64_t allowed_;
  std::string text_;
};

bool is_control(char32_t character) {
  return character == 0x7F ||
         (character < 0x20 && character != '\t' && character != '\n' && character != '\r');
}

std::string from_utf16(std::string_view bytes, ByteOrder order, const std::string& name,
                       const ReadLimits& limits) {
  GrowingText text(bytes.size(), name, limits);
  for (std::size_t at = 0; at < bytes.size(); at += 2) {
    if (at + 1 == bytes.size()) {
      throw bad_input(fmt::format("{}:{}: half a character of UTF-16; is the file cut short?", name,
                                  text.line()));
    }
    char32_t character = unit_at(bytes, at, order);
    if (at == 0 && character == 0xFEFF) continue;
    if (character >= 0xD800 && character < 0xDC00 && at + 3 < bytes.size()) {
      const char32_t low = unit_at(bytes, at + 2, order);
      if (low >= 0xDC00 && low < 0xE000) {
        character = 0x10000 + ((character - 0xD800) << 10) + (low - 0xDC00);
        at += 2;
      }
    }
    if (is_control(character)) {
      throw bad_input(fmt::format("{}:{}: control character 0x{:02x}; expected text", name,
                                  text.line(), static_cast<unsigned>(character)));
    }
    if (!text.add(character)) {
      throw bad_input(fmt::format("{}:{}: 0x{:04x} is half a character of UTF-16; expected text",
                                  name, text.line(), static_cast<unsigned>(character)));
    }
  }
  return text.take();
}

Error not_text(std::string_view bytes, std::size_t at, const std::string& name,
               std::string_view allowed) {
  return bad_input(fmt::format("{}:{}: byte 0x{:02x} is not {}; expected UTF-8 text", name,
                               line_of(bytes, at), static_cast<unsigned char>(bytes[at]), allowed));
}

// Whether most of what is beyond ASCII is UTF-8, so that the rest is damage and no other encoding:
// of the accents of Windows-1252 hardly any two are UTF-8 by chance.
bool is_damaged_utf8(std::string_view bytes) {
  std::size_t right = 0;
  std::size_t wrong = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const std::size_t end = at + first_invalid_utf8(bytes.substr(at));
    const auto starts_character = [](char c) { return static_cast<unsigned char>(c) >= 0xC0; };
    right += static_cast<std::size_t>(
        std::count_if(bytes.begin() + at, bytes.begin() + end, starts_character));
    wrong += end < bytes.size() ? 1 : 0;
    at = end;
  }
  return right >= wrong;
}

// `bad` is the first byte that is not UTF-8.
std::string from_windows_1252(std::string_view bytes, std::size_t bad, const std::string& name,
                              const ReadLimits& limits) {
  if (is_damaged_utf8(bytes)) throw not_text(bytes, bad, name, "UTF-8, as others of the file are");
  GrowingText text(bytes.size(), name, limits);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const auto byte = static_cast<unsigned char>(bytes[at]);
    if (is_control(byte)) {
      throw not_text(bytes, bad, name, "UTF-8, and there are control characters");
    }
    const bool special = byte >= 0x80 && byte < 0xA0;
    const char32_t character = special ? char32_t{kWindows1252[byte - 0x80U]} : char32_t{byte};
    if (character == 0) throw not_text(bytes, at, name, "UTF-8 and not Windows-1252");
    text.add(character);
  }
  return text.take();
}

}  // namespace

std::string utf8_text(std::string bytes, const std::string& name, const ReadOptions& options) {
  if (bytes.starts_with(std::string_view("\xFF\xFE\0\0", 4)) ||
      bytes.starts_with(std::string_view("\0\0\xFE\xFF", 4))) {
    throw bad_input(name + ": is UTF-32 text; expected UTF-8");
  }
  if (const auto order = utf16_order(bytes)) {
    bytes = from_utf16(bytes, *order, name, options.limits);
    options.note(name + ": is UTF-16 text");
  } else if (const std::size_t bad = first_invalid_utf8(bytes);
             bad != bytes.size() && bytes.find('\0') == std::string::npos) {
    bytes = from_windows_1252(bytes, bad, name, options.limits);
    options.note(name + ": is not UTF-8; taken for Windows-1252 (Latin-1)");
  }
  if (const std::size_t nul = bytes.find('\0'); nul != std::string::npos) {
    throw bad_input(fmt::format("{}:{}: a NUL byte; expected text", name, line_of(bytes, nul)));
  }
  return bytes;
}

}  // namespace ifd
