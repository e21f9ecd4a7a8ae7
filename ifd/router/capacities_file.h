// Most cases that each expert takes, in a file: CSV expert,capacity.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>

#include "ifd/data/read_options.h"

namespace ifd {

// Error(kBadInput) for a capacity that is not a whole number, an expert who is there twice, or one
// who is not among `experts`.
std::map<std::string, std::size_t> read_capacities(const std::filesystem::path& path,
                                                   std::span<const std::string> experts,
                                                   const ReadOptions& options = {});
std::map<std::string, std::size_t> capacities_from_bytes(std::string bytes, const std::string& name,
                                                         std::span<const std::string> experts,
                                                         const ReadOptions& options = {});

}  // namespace ifd
