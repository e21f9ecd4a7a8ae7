// How many threads a program may be asked for.
#pragma once

#include <CLI/CLI.hpp>

namespace ifd {

// More than the processors of any machine; each takes a stack and a place among the system's
// processes, and a slip of the hand must not take all of them.
inline constexpr unsigned kMostThreads = 4096;

// Refuses more of them than that in an option that takes a number of threads. Returns the option.
CLI::Option* limit_threads(CLI::Option* option);

}  // namespace ifd
