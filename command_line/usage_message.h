// What is wrong with a command line, in the one-line form of all our messages.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace ifd {

// Options that count refuse a sign: the parser's own conversion would wrap -1 to 2^64 - 1.
void refuse_signs_of_counts(CLI::App& app);

// "--margin: 'x' is not allowed; expected one of probability, logit; see 'ifd route --help'"
std::string usage_message(const CLI::App& app, const CLI::ParseError& error);

}  // namespace ifd
