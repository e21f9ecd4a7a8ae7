// A run of `ifd reproduce` from its options to its exit code.
#pragma once

#include <string>

#include "experiments/options.h"
#include "experiments/run/ranks.h"

namespace ifd::experiments {

// `version` is the program's. 0; 1 where a job failed; 4 where the numbers leave what --check
// compares them with. Errors are thrown.
int reproduce(const Options& options, const Ranks& ranks, const std::string& version);

}  // namespace ifd::experiments
