// The commands of the program as a tree, for what is written from their description.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace ifd::cli {

// The commands right below this one.
std::vector<const CLI::App*> subcommands_of(const CLI::App& app);

// A command that does something itself, and its words, as "experts simulate".
struct Leaf {
  std::string path;
  const CLI::App* app;
};

// All of them, in the order in which they were added.
std::vector<Leaf> leaves_of(const CLI::App& app);

}  // namespace ifd::cli
