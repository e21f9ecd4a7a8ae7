// Names as people type them: blanks around them, capitals here and there; and how long they may be.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ifd/error.h"

namespace ifd {

// Of the name of a class, an expert, a case or a group. Names are repeated in rows that are
// written and shown: of a megabyte each, a small file would become a disk full.
inline constexpr std::size_t kMaxNameBytes = 4096;
inline bool is_too_long(std::string_view name) { return name.size() > kMaxNameBytes; }
// The refusal, with the place in front of it where there is one.
Error name_too_long(std::string_view name, std::string_view place = {});

// Without the blanks, tabs and no-break spaces around it.
std::string_view without_blanks(std::string_view text);
inline std::string_view trimmed(std::string_view text) {
  // Nearly all texts begin and end with a visible character of ASCII.
  const auto is_plain = [](char c) { return c > ' ' && c < '\x7F'; };
  if (!text.empty() && is_plain(text.front()) && is_plain(text.back())) return text;
  return without_blanks(text);
}

// A to Z as a to z. Letters beyond ASCII stay: folding them is a matter of languages.
std::string lower_case(std::string_view text);

// "ann, bob", of many the first dozen and how many more.
std::string list_of_names(std::span<const std::string> names);

// Two names that are one but for letter case, blanks, underscores, dashes and dots: "bob" and
// "Bob", "ann-lee" and "Ann Lee". Of several alike, each is paired with the first.
std::vector<std::pair<std::string, std::string>> near_equal_names(
    std::span<const std::string> names);

// The first of the names that is this one but for such differences; empty where none is.
std::string near_equal_name(std::string_view name, std::span<const std::string> names);

// The pairs as a sentence: "'Bob' and 'bob' are taken for two experts"; empty where there are none.
std::string near_equal_experts_note(std::span<const std::string> experts);

}  // namespace ifd
