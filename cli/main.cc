// ifd: the command.
#include "cli/command.h"
#include "command_line/help_text.h"
#include "command_line/program.h"

namespace ifd::cli {
namespace {

void add_experts_commands(CLI::App& app, Program& program) {
  CLI::App* experts =
      add_group(app, "experts", "Make experts to test with: simulated, or of real annotations",
                "ifd experts fingerprint --annotations annotations.csv");
  add_experts_fingerprint_command(*experts, program);
  add_experts_simulate_command(*experts, program);
  add_experts_sample_command(*experts, program);
}

void add_plan_commands(CLI::App& app, Program& program) {
  CLI::App* plan = add_group(app, "plan", "Plan contexts and thresholds before going live",
                             "ifd plan peak --accuracies 0.9,0.7,0.6");
  add_plan_peak_command(*plan, program);
  add_plan_prior_command(*plan, program);
  add_plan_threshold_command(*plan, program);
  add_plan_staff_prior_command(*plan, program);
  add_plan_onboarding_command(*plan, program);
}

void add_policy_commands(CLI::App& app, Program& program) {
  CLI::App* policy =
      add_group(app, "policy", "Look into a policy file", "ifd policy show policy.ifd");
  add_policy_show_command(*policy, program);
}

void add_data_commands(CLI::App& app, Program& program) {
  CLI::App* data = add_group(app, "data", "Public data sets, and the toy's rings", "ifd data list");
  add_data_list_command(*data, program);
  add_data_fetch_command(*data, program);
  add_data_show_command(*data, program);
  add_data_rings_command(*data, program);
}

int run(int argc, char** argv) {
  if (argc > 1 && is_learning_command(argv[1])) {
    return become_learning_program({argv + 1, static_cast<std::size_t>(argc - 1)});
  }
  CLI::App app{
      "Decide, case by case, whether the model's answer stands or which expert takes over."};
  app.name("ifd");
  wrap_help(app);
  app.require_subcommand(1);
  app.set_version_flag("--version", "ifd " IFD_VERSION);
  app.footer(
      "Example:\n  ifd demo\n\n'ifd COMMAND --help' explains a command.\n"
      "Exit codes: 0 ok, 1 failure, 2 usage, 3 bad input, 4 outside a stated tolerance "
      "or a promise that cannot be had, 5 storage.");
  Program program;
  add_check_command(app, program);
  add_profile_command(app, program);
  add_route_command(app, program);
  add_combine_command(app, program);
  add_explain_command(app, program);
  add_evaluate_command(app, program);
  add_certify_command(app, program);
  add_watch_command(app, program);
  add_experts_commands(app, program);
  add_plan_commands(app, program);
  add_learning_commands(app);
  add_policy_commands(app, program);
  add_data_commands(app, program);
  add_demo_command(app, program);
  add_man_command(app, program);
  add_completion_command(app, program);
  return run_command_line(app, argc, argv, program.work);
}

}  // namespace
}  // namespace ifd::cli

int main(int argc, char** argv) {
  return ifd::run_program([&] { return ifd::cli::run(argc, argv); });
}
