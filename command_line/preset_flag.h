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
inline void add_preset_flag(CLI::App& command, const std::string& flag, const std::string& about,
                            const PresetSettings& settings) {
  std::string text = about;
  for (const auto& [name, value] : settings) text += " " + name + " " + value;
  const std::string description = text + ", unless they are given";  // a constant is no target
  const CLI::Option* preset = command.add_flag(flag, description);
  command.parse_complete_callback([&command, preset, settings] {
    if (preset->count() == 0) return;
    for (const auto& [name, value] : settings) {
      CLI::Option* option = command.get_option(name);
      if (option->count() > 0) continue;
      option->add_result(value);
      option->run_callback();
    }
  });
}

}  // namespace ifd
