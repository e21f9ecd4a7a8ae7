#include "cli/command_tree.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/command.h"
#include "ifd/policy/policy_catalogue.h"

namespace ifd::cli {
namespace {

void collect(const CommandDescription& command, const std::string& prefix,
             std::vector<CommandPath>& paths) {
  for (const CommandDescription& below : command.commands) {
    const std::string words = prefix.empty() ? below.name : prefix + " " + below.name;
    paths.push_back({words, &below});
    collect(below, words, paths);
  }
}

// Policies have names, or are files. Where there is a list of them they are evaluated, so that
// those count too which know who is right.
void name_policies(OptionDescription& option) {
  option.kind = ValueKind::kFile;
  for (const PolicyMethod& method : policy_methods()) {
    const bool knows_truth = method.needs.answers || method.needs.accuracies;
    if (method.needs.policy_file || (knows_truth && !option.is_list)) continue;
    option.words.emplace_back(method.name);
  }
}

void name_policies(CommandDescription& command) {
  for (OptionDescription& option : command.options) {
    if (option.value.starts_with("POLICY")) name_policies(option);
  }
  for (CommandDescription& below : command.commands) name_policies(below);
}

// What a program says of a command takes the place of what ifd knows of it.
void take_over(CommandDescription& root, const CommandDescription& program) {
  for (const CommandDescription& told : program.commands) {
    const auto known =
        std::find_if(root.commands.begin(), root.commands.end(),
                     [&](const CommandDescription& command) { return command.name == told.name; });
    if (known != root.commands.end()) *known = told;
  }
}

}  // namespace

CommandTree whole_tree(const CLI::App& app) {
  CommandTree tree{describe(app), {}};
  name_policies(tree.root);
  for (const std::string& program : learning_programs()) {
    if (const auto told = describe_learning_program(program)) {
      take_over(tree.root, *told);
    } else {
      tree.missing.push_back(program);
    }
  }
  return tree;
}

std::vector<std::string> remarks_of(const CommandTree& tree) {
  std::vector<std::string> remarks;
  for (const std::string& program : tree.missing) {
    remarks.push_back(fmt::format(
        "{} is not installed, or does not run: the options of its commands are not here", program));
  }
  return remarks;
}

std::vector<CommandPath> paths_of(const CommandDescription& root) {
  std::vector<CommandPath> paths;
  collect(root, "", paths);
  return paths;
}

}  // namespace ifd::cli
