#include "ifd/data/name_spelling.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>

#include "ifd/data/utf8.h"

namespace ifd {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string letters_of(std::string_view name) {
  std::string letters;
  for (const char c : name) {
    if (std::string_view(" \t_-.").find(c) == std::string_view::npos) letters += lower(c);
  }
  return letters;
}

}  // namespace

Error name_too_long(std::string_view name, std::string_view place) {
  return bad_input(fmt::format("{}{}the name '{}' has {} bytes; expected at most {}", place,
                               place.empty() ? "" : ": ", excerpt(name), name.size(),
                               kMaxNameBytes));
}

std::string_view without_blanks(std::string_view text) {
  for (bool found = true; found;) {
    found = false;
    for (const std::string_view blank : {" ", "\t", "\xC2\xA0"}) {
      if (text.starts_with(blank)) {
        text.remove_prefix(blank.size());
        found = true;
      } else if (text.ends_with(blank)) {
        text.remove_suffix(blank.size());
        found = true;
      }
    }
  }
  return text;
}

std::string lower_case(std::string_view text) {
  std::string folded(text);
  for (char& c : folded) c = lower(c);
  return folded;
}

std::string list_of_names(std::span<const std::string> names) {
  constexpr std::size_t kShown = 12;
  std::vector<std::string> shown;
  for (const std::string& name : names.first(std::min(kShown, names.size()))) {
    shown.push_back(excerpt(name));
  }
  std::string list = fmt::format("{}", fmt::join(shown, ", "));
  if (names.size() > kShown) list += fmt::format(" and {} more", names.size() - kShown);
  return list;
}

std::vector<std::pair<std::string, std::string>> near_equal_names(
    std::span<const std::string> names) {
  std::unordered_map<std::string, const std::string*> first_of;
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& name : names) {
    const auto [found, is_new] = first_of.emplace(letters_of(name), &name);
    if (!is_new && *found->second != name) pairs.emplace_back(*found->second, name);
  }
  return pairs;
}

std::string near_equal_name(std::string_view name, std::span<const std::string> names) {
  const std::string letters = letters_of(name);
  if (letters.empty()) return "";
  const auto found = std::find_if(names.begin(), names.end(), [&](const std::string& other) {
    return letters_of(other) == letters;
  });
  return found == names.end() ? "" : *found;
}

std::string near_equal_experts_note(std::span<const std::string> experts) {
  const auto pairs = near_equal_names(experts);
  if (pairs.empty()) return "";
  constexpr std::size_t kShown = 3;
  std::string shown;
  for (std::size_t i = 0; i < pairs.size() && i < kShown; ++i) {
    shown += fmt::format("{}'{}' and '{}'", i == 0 ? "" : ", ", excerpt(pairs[i].first),
                         excerpt(pairs[i].second));
  }
  if (pairs.size() > kShown) shown += fmt::format(" and {} more pairs", pairs.size() - kShown);
  return fmt::format("{} are taken for different experts; are they?", shown);
}

}  // namespace ifd
