// The completion scripts of the shells: commands, options, and the values of options, which are
// words, files or folders.
#pragma once

#include <string>

#include "cli/command_tree.h"

namespace ifd::cli {

std::string bash_completion(const CommandTree& tree);
std::string zsh_completion(const CommandTree& tree);
std::string fish_completion(const CommandTree& tree);

}  // namespace ifd::cli
