// How a command joins the program.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "command_line/command_description.h"
#include "command_line/shell_command.h"
#include "command_line/terminal.h"
#include "ifd/data/read_options.h"
#include "ifd/error.h"

namespace ifd::cli {

// Options every command has, and the work the chosen command will do once parsing is over.
struct Program {
  Terminal terminal;
  std::uint64_t seed = 0;
  ReadLimits limits;          // of every file that is read
  std::function<int()> work;  // its result is the exit code

  // What the readers of tables are told: the limits, and that their notes go to the terminal.
  ReadOptions reading() const;
};

// Adds a leaf command with the common options; its --help ends with `example`.
CLI::App* add_leaf(CLI::App& parent, Program& program, const std::string& name,
                   const std::string& description, const std::string& example,
                   std::function<int()> work);

// Runs the call, and puts `place` in front of what is wrong with it: the option whose value it is.
template <typename Call>
auto placed(const std::string& place, Call&& call) {
  try {
    return call();
  } catch (const Error& error) {
    throw Error(error.kind(), place + ": " + error.what());
  }
}

// Adds a group of commands, one of which must be chosen.
CLI::App* add_group(CLI::App& app, const std::string& name, const std::string& description,
                    const std::string& example);

// --directory, where the data sets are.
void add_data_directory_option(CLI::App& command, std::filesystem::path& directory);

void add_check_command(CLI::App& app, Program& program);
void add_profile_command(CLI::App& app, Program& program);
void add_route_command(CLI::App& app, Program& program);
void add_explain_command(CLI::App& app, Program& program);
void add_combine_command(CLI::App& app, Program& program);
void add_evaluate_command(CLI::App& app, Program& program);
void add_certify_command(CLI::App& app, Program& program);
void add_watch_command(CLI::App& app, Program& program);
void add_experts_fingerprint_command(CLI::App& experts, Program& program);
void add_experts_simulate_command(CLI::App& experts, Program& program);
void add_experts_sample_command(CLI::App& experts, Program& program);
void add_plan_peak_command(CLI::App& plan, Program& program);
void add_plan_prior_command(CLI::App& plan, Program& program);
void add_plan_threshold_command(CLI::App& plan, Program& program);
void add_plan_staff_prior_command(CLI::App& plan, Program& program);
void add_plan_onboarding_command(CLI::App& plan, Program& program);
void add_policy_show_command(CLI::App& policy, Program& program);
void add_data_list_command(CLI::App& data, Program& program);
void add_data_fetch_command(CLI::App& data, Program& program);
void add_data_show_command(CLI::App& data, Program& program);
void add_data_rings_command(CLI::App& data, Program& program);
void add_demo_command(CLI::App& app, Program& program);
void add_man_command(CLI::App& app, Program& program);
void add_completion_command(CLI::App& app, Program& program);

// Lists the commands that need LibTorch; their arguments belong to programs of their own, see
// become_learning_program.
void add_learning_commands(CLI::App& app);
bool is_learning_command(std::string_view name);

// The programs of these commands, and what one of them can be told; nothing where it is not
// installed or does not run.
std::vector<std::string> learning_programs();
std::optional<CommandDescription> describe_learning_program(const std::string& name);

// Becomes the program of a learning command (ifd-train or ifd-reproduce, beside ifd or in
// ../libexec/ifd) with `arguments`: the command and what follows. Comes back only with an Error.
int become_learning_program(std::span<char* const> arguments);

}  // namespace ifd::cli
