// The public files that `ifd data` knows: where they are and how to recognise them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "fetch/checksum.h"

namespace ifd {

struct KnownFile {
  std::string_view name;       // what the user types
  std::string_view file_name;  // what it is called on disk
  std::string_view address;
  ChecksumKind checksum_kind;
  std::string_view checksum;  // lower-case hexadecimal, as the publisher states it
  std::uint64_t bytes;        // 0: unknown
  std::string_view licence;
  std::string_view description;
  int classes;
};

// A name for files that are used together.
struct KnownGroup {
  std::string_view name;
  std::span<const std::string_view> members;
  std::string_view description;
};

// In the order in which they are listed.
std::span<const KnownFile> known_files();
std::span<const KnownGroup> known_groups();

// The file of that name, or the members of the group of that name. Any other name is an
// Error(kNotFound) that says which names there are and which one is nearest.
std::vector<const KnownFile*> find_known(std::string_view name);

}  // namespace ifd
