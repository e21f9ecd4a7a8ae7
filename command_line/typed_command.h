// What somebody typed, told so that it can be typed again.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace ifd {

// After parsing: `begin`, which are the words of the command itself, and each of its options that
// was given, but `left_out`, with its values. As a shell reads it.
std::string command_as_typed(std::vector<std::string> begin, const CLI::App& command,
                             std::string_view left_out = {});

}  // namespace ifd
