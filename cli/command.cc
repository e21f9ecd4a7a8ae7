#include "cli/command.h"

#include "command_line/read_limits_option.h"

namespace ifd::cli {

ReadOptions Program::reading() const {
  return {limits, [this](const std::string& sentence) { terminal.note("note: " + sentence); }};
}

CLI::App* add_leaf(CLI::App& parent, Program& program, const std::string& name,
                   const std::string& description, const std::string& example,
                   std::function<int()> work) {
  CLI::App* command = parent.add_subcommand(name, description);
  command->footer("Example:\n  " + example);
  command->add_flag("-q,--quiet", program.terminal.quiet, "Say nothing on stderr but errors");
  command->add_option("--seed", program.seed, "Seed of every draw")->capture_default_str();
  add_max_expansion_option(*command, program.limits);
  command->callback([&program, work = std::move(work)] { program.work = work; });
  return command;
}

CLI::App* add_group(CLI::App& app, const std::string& name, const std::string& description,
                    const std::string& example) {
  CLI::App* group = app.add_subcommand(name, description);
  group->require_subcommand(1);
  group->footer("Example:\n  " + example);
  return group;
}

void add_data_directory_option(CLI::App& command, std::filesystem::path& directory) {
  command
      .add_option("--directory", directory,
                  "Where the files are; otherwise $IFD_DATA, else ~/.local/share/ifd")
      ->type_name("DIR");
}

}  // namespace ifd::cli
