#include "ifd/data/name_groups.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace ifd {
namespace {

// Fewer groups say little about others of their kind, and are often the parts of one data set.
constexpr std::size_t kFewestGroups = 5;
constexpr std::size_t kCasesPerGroup = 3;

constexpr std::string_view kNameSeparators = "-_/:";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// What stands before the last separator, where a number follows it, or a word and a number; empty
// where there is no such end.
std::string_view beginning_of(std::string_view name, char separator) {
  const std::size_t at = name.find_last_of(kNameSeparators);
  if (at == std::string_view::npos || name[at] != separator) return {};
  const std::string_view end = name.substr(at + 1);
  const std::size_t digit = end.find_first_of("0123456789");
  if (digit == std::string_view::npos) return {};
  const bool counts = std::all_of(end.begin(), end.begin() + digit, is_letter) &&
                      end.find_first_not_of("0123456789", digit) == std::string_view::npos;
  return counts ? name.substr(0, at) : std::string_view();
}

}  // namespace

std::optional<NameGroups> groups_in_names(std::span<const std::string> names) {
  if (names.size() < kFewestGroups * kCasesPerGroup) return {};
  const std::size_t last = names.front().find_last_of(kNameSeparators);
  if (last == std::string::npos) return {};
  const char separator = names.front()[last];
  std::unordered_map<std::string_view, std::size_t> cases_of;
  for (const std::string& name : names) {
    const std::string_view beginning = beginning_of(name, separator);
    if (beginning.empty()) return {};
    ++cases_of[beginning];
  }
  const std::size_t groups = cases_of.size();
  if (groups < kFewestGroups || groups > names.size() / kCasesPerGroup) return {};
  std::size_t several = 0;
  for (const auto& [beginning, cases] : cases_of) several += cases > 1 ? 1 : 0;
  if (2 * several <= groups) return {};
  return NameGroups{separator, groups, std::string(beginning_of(names.front(), separator))};
}

}  // namespace ifd
