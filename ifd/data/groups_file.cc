#include "ifd/data/groups_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "ifd/data/answers_file.h"
#include "ifd/data/csv.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/name_spelling.h"
#include "ifd/data/unmatched_cases.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"

namespace ifd {

NamedGroups named_groups_from_bytes(std::string bytes, const std::string& name,
                                    const Predictions& cases, const ReadOptions& options) {
  CsvReader csv(std::move(bytes), name, options);
  const std::size_t case_column = csv.required_column("case");
  const std::size_t group_column = csv.required_column("group");
  std::unordered_map<std::string, std::string> group_of;
  while (csv.next()) {
    if (csv.field(group_column).empty()) {
      throw bad_input(fmt::format("{}: the group is empty; expected a name", csv.place()));
    }
    const std::string group(csv.field(group_column));
    if (is_too_long(group)) throw name_too_long(group, csv.place());
    const auto [found, is_new] = group_of.emplace(csv.field(case_column), group);
    if (is_new) {
      csv.take_room(sizeof(*found) + kNodeBytes + found->first.size() + found->second.size());
    } else if (found->second != group) {
      throw bad_input(fmt::format("{}: case '{}' is in group '{}' and in '{}'; expected one",
                                  csv.place(), excerpt(found->first), excerpt(found->second),
                                  excerpt(group)));
    }
  }
  std::unordered_map<std::string_view, std::uint32_t> number_of;
  NamedGroups groups;
  groups.of_case.reserve(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto found = group_of.find(cases.case_name(i));
    if (found == group_of.end()) {
      std::vector<std::string> grouped;
      for (const auto& [case_name, group] : group_of) grouped.push_back(case_name);
      std::sort(grouped.begin(), grouped.end());
      throw bad_input(
          fmt::format("{}: case '{}' has no group; expected one for each of the {} cases; {}", name,
                      excerpt(cases.case_name(i)), cases.size(),
                      unmatched_case_hint(cases.case_name(i), grouped)));
    }
    const auto next = static_cast<std::uint32_t>(number_of.size());
    groups.of_case.push_back(number_of.emplace(found->second, next).first->second);
    if (number_of.size() > next) groups.names.push_back(found->second);
  }
  return groups;
}

std::vector<std::uint32_t> groups_from_bytes(std::string bytes, const std::string& name,
                                             const Predictions& cases, const ReadOptions& options) {
  return named_groups_from_bytes(std::move(bytes), name, cases, options).of_case;
}

NamedGroups read_named_groups(const std::filesystem::path& path, const Predictions& cases,
                              const ReadOptions& options) {
  require_case_names(cases, source_name(path));
  FileContents file = read_contents(path, options.limits);
  return named_groups_from_bytes(std::move(file.bytes), source_name(path), cases,
                                 ReadOptions(file.limits, options.sink));
}

std::vector<std::uint32_t> read_groups(const std::filesystem::path& path, const Predictions& cases,
                                       const ReadOptions& options) {
  return read_named_groups(path, cases, options).of_case;
}

}  // namespace ifd
