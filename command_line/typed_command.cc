#include "command_line/typed_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command_line/shell_command.h"

namespace ifd {

std::string command_as_typed(std::vector<std::string> begin, const CLI::App& command,
                             std::string_view left_out) {
  std::vector<std::string>& words = begin;
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || name == left_out) continue;
    const std::vector<std::string>& values = option->results();
    if (option->get_expected_min() == 0) {  // a flag
      words.push_back(name);
    } else if (const char between = option->get_delimiter(); between != '\0') {
      words.insert(words.end(),
                   {name, fmt::format("{}", fmt::join(values, std::string(1, between)))});
    } else {
      for (const std::string& value : values) words.insert(words.end(), {name, value});
    }
  }
  return shell_command(words);
}

}  // namespace ifd
