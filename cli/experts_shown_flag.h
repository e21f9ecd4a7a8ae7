// The option that shows every expert.
#pragma once

#include <CLI/CLI.hpp>

#include "ifd/router/experts_shown.h"

namespace ifd::cli {

// --all-experts, for commands whose tables show only some of very many experts.
void add_all_experts_flag(CLI::App& command, ExpertsShown& shown);

}  // namespace ifd::cli
