// The commands of ifd and of its sibling programs as one tree, for what is written from their
// description.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "command_line/command_description.h"

namespace ifd::cli {

struct CommandTree {
  CommandDescription root;
  // Programs that could not be asked; of their commands only the names are there.
  std::vector<std::string> missing;
};

// Everything `ifd` can be told. Asks the sibling programs for their part, which takes as long as
// LibTorch takes to start.
CommandTree whole_tree(const CLI::App& app);

// "ifd-train is not installed: its commands' options are not known here", for a comment; a line for
// every program that is missing.
std::vector<std::string> remarks_of(const CommandTree& tree);

// A command and its words, as "experts simulate".
struct CommandPath {
  std::string words;
  const CommandDescription* command;

  // Does something itself.
  bool is_leaf() const { return command->commands.empty(); }
};

// The commands below `root`, in the order in which they were added, each before those below it.
std::vector<CommandPath> paths_of(const CommandDescription& root);

}  // namespace ifd::cli
