// --help as the three programs show it: lines end where the terminal does.
#pragma once

#include <CLI/CLI.hpp>

namespace ifd {

// Wraps descriptions of options and commands at the width of the terminal that stdout is, otherwise
// at 80 columns. Before commands are added, which take it over; lines of a footer that begin with a
// blank are examples and stay as they are.
void wrap_help(CLI::App& app);

}  // namespace ifd
