// The shell completions, written from the same description of the commands that --help prints.
#include <memory>

#include "cli/command.h"
#include "cli/completion_script.h"

namespace ifd::cli {
namespace completion_command {
namespace {

std::string script_for(const std::string& shell, const CommandTree& tree) {
  if (shell == "zsh") return zsh_completion(tree);
  return shell == "fish" ? fish_completion(tree) : bash_completion(tree);
}

}  // namespace
}  // namespace completion_command

void add_completion_command(CLI::App& app, Program& program) {
  using namespace completion_command;
  const auto shell = std::make_shared<std::string>("bash");
  CLI::App* command = add_leaf(
      app, program, "completion", "Print the completion script of a shell",
      "ifd completion bash > ~/.local/share/bash-completion/completions/ifd", [&app, shell] {
        write_output("", script_for(*shell, whole_tree(app)));
        return 0;
      });
  command->add_option("SHELL", *shell, "bash, zsh or fish")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}))
      ->capture_default_str();
}

}  // namespace ifd::cli
