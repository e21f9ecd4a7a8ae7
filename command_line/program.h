// The frame that all programs of the project share.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace ifd {

// Runs the body of main() under the signals of signals.h and returns the exit code. An exception
// becomes one line on stderr, "ifd: where, what, what was allowed", and the exit code of its kind;
// out of memory is 5 as storage is, whatever else is thrown is 1. So does one that no function may
// throw, in a destructor or a thread, but nothing is cleaned up then except what is half written.
int run_program(const std::function<int()>& body);

// Reads the command line into `app`. False where it only asks for --help, --version or --describe
// (command_description.h), which are on stdout then. Error: kUsage, in the words of
// usage_message.h.
bool parse_command_line(CLI::App& app, int argc, char** argv);

// The same, then does `work`, which the chosen command has set by then, and returns its exit code.
int run_command_line(CLI::App& app, int argc, char** argv, const std::function<int()>& work);

}  // namespace ifd
