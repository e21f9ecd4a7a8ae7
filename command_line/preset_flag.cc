#include "command_line/preset_flag.h"

namespace ifd {

void add_preset_flag(CLI::App& command, const std::string& flag, const std::string& about,
                     const PresetSettings& settings) {
  std::string text = about;
  for (const auto& [name, value] : settings) text += " " + name + " " + value;
  // Constant, or add_flag would take it for the variable that the flag sets.
  const std::string description = text + ", unless they are given";
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
