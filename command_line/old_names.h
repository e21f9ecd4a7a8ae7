// Options that have another name now: the old one goes on working.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace ifd {

// `old_name` sets the option `new_name`, which is there already; hidden from --help. Error of the
// command line where both are given.
void keep_old_name(CLI::App& command, const std::string& old_name, const std::string& new_name);

// Says "--x is now called --y" of the old names that were used in the chosen command, unless it is
// to be quiet.
void tell_old_names(const CLI::App& app);

}  // namespace ifd
