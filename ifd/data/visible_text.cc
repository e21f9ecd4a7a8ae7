#include "ifd/data/visible_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ifd/data/utf8.h"

namespace ifd {
namespace {

struct Range {
  char32_t first, last;
};

// What has no shape of its own: controls, format characters and fillers of the Unicode standard.
constexpr std::array kUnseen = {
    Range{0x00, 0x1F},       Range{0x7F, 0x9F},       Range{0xAD, 0xAD},      Range{0x34F, 0x34F},
    Range{0x61C, 0x61C},     Range{0x115F, 0x1160},   Range{0x17B4, 0x17B5},  Range{0x180B, 0x180F},
    Range{0x200B, 0x200F},   Range{0x2028, 0x202E},   Range{0x2060, 0x206F},  Range{0x3164, 0x3164},
    Range{0xFEFF, 0xFEFF},   Range{0xFFA0, 0xFFA0},   Range{0xFFF0, 0xFFFB},  Range{0xFFFE, 0xFFFF},
    Range{0x1BCA0, 0x1BCA3}, Range{0x1D173, 0x1D17A}, Range{0xE0000, 0xE0FFF}};

bool is_unseen(char32_t c) {
  return std::any_of(kUnseen.begin(), kUnseen.end(),
                     [c](const Range& range) { return range.first <= c && c <= range.last; });
}

}  // namespace

std::size_t append_visible(std::string& out, std::string_view text) {
  const Utf8Character first = first_character(text);
  if (first.bytes == 0) {
    out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    return 1;
  }
  if (!is_unseen(first.code_point)) {
    out += text.substr(0, first.bytes);
  } else {
    const auto code = static_cast<unsigned>(first.code_point);
    out += first.bytes == 1 ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{:04x}", code);
  }
  return first.bytes;
}

std::string visible_text(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) text.remove_prefix(append_visible(shown, text));
  return shown;
}

std::string visible_csv(std::string_view csv) {
  std::string shown;
  shown.reserve(csv.size());
  for (bool quoted = false; !csv.empty();) {
    const bool ends_row = csv[0] == '\n' && !quoted;
    if (csv[0] == '"') quoted = !quoted;
    if (ends_row) shown += '\n';
    csv.remove_prefix(ends_row ? 1 : append_visible(shown, csv));
  }
  return shown;
}

std::string escaped_json(std::string json) {
  // Below are only what JSON is made of: it escapes controls within text by itself.
  const auto shows_itself = [](char c) { return static_cast<unsigned char>(c) < 0x7F; };
  if (std::ranges::all_of(json, shows_itself)) return json;
  std::string escaped;
  escaped.reserve(json.size());
  for (std::string_view rest = json; !rest.empty();) {
    const Utf8Character first = first_character(rest);
    const std::size_t bytes = std::max<std::size_t>(first.bytes, 1);
    const auto code = static_cast<unsigned>(first.code_point);
    if (first.bytes == 0 || code < 0x7F || !is_unseen(first.code_point)) {
      escaped += rest.substr(0, bytes);
    } else if (code < 0x10000) {
      escaped += fmt::format("\\u{:04x}", code);
    } else {
      escaped += fmt::format("\\u{:04x}\\u{:04x}", 0xD7C0 + (code >> 10), 0xDC00 + (code & 0x3FF));
    }
    rest.remove_prefix(bytes);
  }
  return escaped;
}

}  // namespace ifd
