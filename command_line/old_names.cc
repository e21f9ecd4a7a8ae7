#include "command_line/old_names.h"

#include <fmt/format.h>

#include "command_line/terminal.h"

namespace ifd {
namespace {

// The description of an old name, which --help never shows.
constexpr const char* kNowCalled = "is now called ";

bool is_quiet(const CLI::App& command) {
  const CLI::Option* quiet = command.get_option_no_throw("--quiet");
  return quiet != nullptr && quiet->count() > 0;
}

}  // namespace

void keep_old_name(CLI::App& command, const std::string& old_name, const std::string& new_name) {
  CLI::Option* now = command.get_option(new_name);
  command
      .add_option_function<std::string>(
          old_name,
          [now, old_name, new_name](const std::string& value) {
            if (now->count() > 0) throw CLI::ExcludesError(old_name, new_name);
            now->add_result(value);
            now->run_callback();
          },
          kNowCalled + new_name)
      ->group("");
}

void tell_old_names(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  const Terminal terminal(is_quiet(*command));
  for (const CLI::Option* option : command->get_options()) {
    if (option->count() == 0 || !option->get_description().starts_with(kNowCalled)) continue;
    terminal.note(
        fmt::format("note: {} {}", "--" + option->get_lnames().front(), option->get_description()));
  }
}

}  // namespace ifd
