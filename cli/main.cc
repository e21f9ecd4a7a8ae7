#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <new>
#include <sstream>

#include "cli/command.h"
#include "cli/usage_message.h"
#include "ifd/data/file_bytes.h"
#include "ifd/error.h"

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

constexpr int kFailure = 1;
constexpr int kUsage = 2;
constexpr int kStorageFailure = 5;

// Ctrl-C: take away what is half written, then die of the signal as the shell expects.
void on_interrupt(int signal) {
  remove_pending_files();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// One line, whatever a file or its names hold.
int fail(std::string message, int code) {
  std::replace_if(
      message.begin(), message.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, '?');
  fmt::print(stderr, "{} {}\n", bold("ifd:", STDERR_FILENO), message);
  return code;
}

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
  refuse_signs_of_counts(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& done) {
    std::ostringstream help;
    const int code = app.exit(done, help, help);
    write_output("", help.str());
    return code;
  } catch (const CLI::ParseError& error) {
    return fail(usage_message(app, error), kUsage);
  }
  return program.work();
}

}  // namespace
}  // namespace ifd::cli

int main(int argc, char** argv) {
  using namespace ifd;
  using namespace ifd::cli;
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return run(argc, argv);
  } catch (const Error& error) {
    return fail(error.what(), outside_meaning(error.kind()).exit_code);
  } catch (const std::bad_alloc&) {
    return fail("out of memory", kStorageFailure);
  } catch (const std::exception& error) {
    return fail(error.what(), kFailure);
  }
}
