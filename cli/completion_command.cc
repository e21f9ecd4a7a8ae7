// The shell completions, written from the same description of the commands that --help prints.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/command.h"
#include "cli/command_tree.h"

namespace ifd::cli {
namespace {

std::string long_options(const CLI::App& app) {
  std::string words;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) words += " --" + name;
  }
  return words.empty() ? words : words.substr(1);
}

// The words that may follow each prefix of commands: "" -> profile route ..., "experts" -> ...
std::vector<std::pair<std::string, std::string>> next_words(const CLI::App& app,
                                                            const std::string& prefix) {
  std::vector<std::pair<std::string, std::string>> all;
  const auto commands = subcommands_of(app);
  std::string words;
  for (const CLI::App* command : commands) words += command->get_name() + " ";
  all.emplace_back(prefix, words + long_options(app));
  for (const CLI::App* command : commands) {
    const std::string path =
        prefix.empty() ? command->get_name() : prefix + " " + command->get_name();
    for (auto& entry : next_words(*command, path)) all.push_back(std::move(entry));
  }
  return all;
}

std::string bash_completion(const CLI::App& app) {
  std::string script =
      "_ifd() {\n"
      "  local path='' word i words\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    word=${COMP_WORDS[i]}\n"
      "    [[ $word == -* ]] && break\n"
      "    path+=\"${path:+ }$word\"\n"
      "  done\n"
      "  case $path in\n";
  for (const auto& [path, words] : next_words(app, "")) {
    script += fmt::format("    '{}') words='{}' ;;\n", path, words);
  }
  return script +
         "    *) words='' ;;\n"
         "  esac\n"
         "  local current=${COMP_WORDS[COMP_CWORD]}\n"
         "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
         "  [[ $current == -* || ${#COMPREPLY[@]} -gt 0 ]] || "
         "mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
         "}\n"
         "complete -o filenames -F _ifd ifd\n";
}

std::string zsh_completion(const CLI::App& app) {
  return "#compdef ifd\nautoload -U +X bashcompinit && bashcompinit\n" + bash_completion(app);
}

std::string fish_quote(std::string text) {
  std::replace(text.begin(), text.end(), '\'', '`');
  return text;
}

std::string fish_completion(const CLI::App& app) {
  std::string script;
  for (const CLI::App* command : subcommands_of(app)) {
    script += fmt::format("complete -c ifd -n __fish_use_subcommand -a {} -d '{}'\n",
                          command->get_name(), fish_quote(command->get_description()));
  }
  for (const Leaf& leaf : leaves_of(app)) {
    const std::size_t space = leaf.path.find(' ');
    std::string condition = "__fish_seen_subcommand_from " + leaf.path.substr(0, space);
    if (space != std::string::npos) {
      const std::string second = leaf.path.substr(space + 1);
      script += fmt::format("complete -c ifd -n '{}' -a {} -d '{}'\n", condition, second,
                            fish_quote(leaf.app->get_description()));
      condition += "; and __fish_seen_subcommand_from " + second;
    }
    for (const CLI::Option* option : leaf.app->get_options()) {
      for (const std::string& name : option->get_lnames()) {
        script += fmt::format("complete -c ifd -n '{}' -l {} -d '{}'\n", condition, name,
                              fish_quote(option->get_description()));
      }
    }
  }
  return script;
}

}  // namespace

void add_completion_command(CLI::App& app, Program& program) {
  const auto shell = std::make_shared<std::string>("bash");
  CLI::App* command = add_leaf(app, program, "completion", "Print the completion script of a shell",
                               "source <(ifd completion bash)", [&app, shell] {
                                 write_output("", *shell == "bash"  ? bash_completion(app)
                                                  : *shell == "zsh" ? zsh_completion(app)
                                                                    : fish_completion(app));
                                 return 0;
                               });
  command->add_option("SHELL", *shell, "bash, zsh or fish")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}))
      ->capture_default_str();
}

}  // namespace ifd::cli
