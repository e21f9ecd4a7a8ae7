#include "cli/command.h"
#include "command_line/program.h"

namespace ifd::cli {

CLI::App* add_leaf(CLI::App& parent, Program& program, const std::string& name,
                   const std::string& description, const std::string& example,
                   std::function<int()> work) {
  CLI::App* command = parent.add_subcommand(name, description);
  command->footer("Example:\n  " + example);
  command->add_flag("-q,--quiet", program.terminal.quiet, "Say nothing on stderr but errors");
  command->add_option("--seed", program.seed, "Seed of every draw")->capture_default_str();
  command->callback([&program, work = std::move(work)] { program.work = work; });
  return command;
}

namespace {

int run(int argc, char** argv) {
  if (argc > 1 && is_learning_command(argv[1])) {
    return become_learning_program({argv + 1, static_cast<std::size_t>(argc - 1)});
  }
  CLI::App app{
      "Decide, case by case, whether the model's answer stands or which expert takes over."};
  app.name("ifd");
  app.require_subcommand(1);
  app.set_version_flag("--version", "ifd " IFD_VERSION);
  app.footer(
      "Example:\n  ifd demo\n\n'ifd COMMAND --help' explains a command.\n"
      "Exit codes: 0 ok, 1 failure, 2 usage, 3 bad input, 4 outside a stated tolerance, 5 "
      "storage.");
  Program program;
  add_profile_command(app, program);
  add_route_command(app, program);
  add_evaluate_command(app, program);
  add_experts_commands(app, program);
  add_plan_commands(app, program);
  add_learning_commands(app);
  add_policy_commands(app, program);
  add_data_commands(app, program);
  add_demo_command(app, program);
  add_manual_commands(app, program);
  return run_command_line(app, argc, argv, program.work);
}

}  // namespace
}  // namespace ifd::cli

int main(int argc, char** argv) {
  return ifd::run_program([&] { return ifd::cli::run(argc, argv); });
}
