// A flag that stands for several options at once.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

namespace ifd {

// An option's name and the value that it gets.
using PresetSettings = std::vector<std::pair<std::string, std::string>>;

// With the flag, every option of `settings` that is not given itself has the value there. The
// options exist already.
void add_preset_flag(CLI::App& command, const std::string& flag, const std::string& about,
                     const PresetSettings& settings);

}  // namespace ifd
