// Which cases belong together: those of one patient, recording, document.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "ifd/data/predictions.h"
#include "ifd/data/read_options.h"

namespace ifd {

// CSV case,group. The group of each case in their order, numbered 0..G-1 as they first appear
// there. Cases of the file that the predictions lack are passed over. Error(kBadInput) for a case
// without a group or with two, kBadInput for cases without names.
std::vector<std::uint32_t> read_groups(const std::filesystem::path& path, const Predictions& cases,
                                       const ReadOptions& options = {});
// The same with the names of the groups, in the order of their numbers.
struct NamedGroups {
  std::vector<std::uint32_t> of_case;
  std::vector<std::string> names;
};
NamedGroups read_named_groups(const std::filesystem::path& path, const Predictions& cases,
                              const ReadOptions& options = {});
NamedGroups named_groups_from_bytes(std::string bytes, const std::string& name,
                                    const Predictions& cases, const ReadOptions& options = {});
std::vector<std::uint32_t> groups_from_bytes(std::string bytes, const std::string& name,
                                             const Predictions& cases,
                                             const ReadOptions& options = {});

}  // namespace ifd
