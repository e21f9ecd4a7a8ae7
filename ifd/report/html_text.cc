#include "ifd/report/html_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>

namespace ifd {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::string_view kMinus = "\xE2\x88\x92";
constexpr std::string_view kNoNumber = "\xE2\x80\x93";

// Length of the UTF-8 character that starts `text`, 0 if it starts with none that XML allows
// or with one that acts on its neighbours.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) {
    const bool allowed = first == '\t' || first == '\n' || first == '\r' || first >= 0x20;
    return allowed && first != 0x7F ? 1 : 0;
  }
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  unsigned code = first & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  const bool control = code >= 0x80 && code <= 0x9F;
  // Marks, embeddings, overrides and isolates: they would turn around what stands beside the text.
  const bool bidirectional = code == 0x61C || code == 0x200E || code == 0x200F ||
                             (code >= 0x202A && code <= 0x202E) ||
                             (code >= 0x2066 && code <= 0x2069);
  if (overlong || surrogate || control || bidirectional || code > 0x10FFFF || code == 0xFFFE ||
      code == 0xFFFF) {
    return 0;
  }
  return length;
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    switch (length == 0 ? '\0' : text[0]) {
      case '\0':
        escaped += kReplacement;
        break;
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return escaped;
}

std::string fixed(double value, int digits) {
  if (!std::isfinite(value)) return std::string(kNoNumber);
  std::string text = fmt::format("{:.{}f}", std::abs(value), std::clamp(digits, 0, 9));
  if (text.size() > 16) text = fmt::format("{:.4g}", std::abs(value));
  const bool zero = text.find_first_of("123456789") == std::string::npos;
  return value < 0 && !zero ? std::string(kMinus) + text : text;
}

std::string percent(double value, int digits) {
  const double hundredfold = 100 * value;
  return std::isfinite(hundredfold) ? fixed(hundredfold, digits) + "%" : std::string(kNoNumber);
}

double leading_number(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  double sign = 1;
  for (const std::string_view minus : {kMinus, std::string_view("-")}) {
    if (!text.starts_with(minus)) continue;
    sign = -1;
    text.remove_prefix(minus.size());
    break;
  }
  const bool digit = !text.empty() && (text[0] == '.' || (text[0] >= '0' && text[0] <= '9'));
  double value = 0;
  if (!digit || std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc()) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return sign * value;
}

}  // namespace ifd
