// Cases whose names tell which of them belong together: 'p07-12' is case 12 of patient p07,
// 'patient003_scan1' one of patient003.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace ifd {

struct NameGroups {
  char separator;       // before the number, or word and number, that every name ends in
  std::size_t groups;   // different beginnings
  std::string example;  // the beginning of the first name
};

// The grouping that the names suggest: all of them end in a separator (one of - _ / :) and a
// number, with a word of letters in front of it or not; the beginnings are at least five and far
// fewer than the names, and most stand for several cases. Nothing where the names suggest none, as
// 'case-1' ... 'case-1000' do.
std::optional<NameGroups> groups_in_names(std::span<const std::string> names);

}  // namespace ifd
