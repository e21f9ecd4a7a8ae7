#include "cli/command_tree.h"

namespace ifd::cli {
namespace {

void collect(const CLI::App& app, const std::string& prefix, std::vector<Leaf>& leaves) {
  for (const CLI::App* command : subcommands_of(app)) {
    const std::string path =
        prefix.empty() ? command->get_name() : prefix + " " + command->get_name();
    if (subcommands_of(*command).empty()) {
      leaves.push_back({path, command});
    } else {
      collect(*command, path, leaves);
    }
  }
}

}  // namespace

std::vector<const CLI::App*> subcommands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<Leaf> leaves_of(const CLI::App& app) {
  std::vector<Leaf> leaves;
  collect(app, "", leaves);
  return leaves;
}

}  // namespace ifd::cli
