#include "fetch/content_range.h"

#include <algorithm>
#include <charconv>

namespace ifd {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Whether the line begins with the word, in whatever case; if so, the word is taken off.
bool take_word(std::string_view& line, std::string_view word) {
  if (line.size() < word.size() ||
      !std::equal(word.begin(), word.end(), line.begin(),
                  [](char expected, char c) { return expected == lower(c); })) {
    return false;
  }
  line.remove_prefix(word.size());
  return true;
}

void skip_blanks(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
}

}  // namespace

std::optional<std::uint64_t> first_byte_sent(std::string_view header_line) {
  if (!take_word(header_line, "content-range:")) return std::nullopt;
  skip_blanks(header_line);
  if (!take_word(header_line, "bytes ")) return std::nullopt;
  skip_blanks(header_line);
  std::uint64_t first = 0;
  const char* end = header_line.data() + header_line.size();
  const auto [rest, error] = std::from_chars(header_line.data(), end, first);
  if (error != std::errc{} || rest == end || *rest != '-') return std::nullopt;
  return first;
}

}  // namespace ifd
