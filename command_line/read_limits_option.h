// --max-expansion, which every program that reads files has.
#pragma once

#include <CLI/CLI.hpp>

#include "ifd/data/read_limits.h"

namespace ifd {

void add_max_expansion_option(CLI::App& command, ReadLimits& limits);

}  // namespace ifd
