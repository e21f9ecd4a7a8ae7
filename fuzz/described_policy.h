// Policy files told in text, so that a fuzzer changes the method, the metadata and the shapes of
// the weights instead of the bytes around them.
#pragma once

#include <cstddef>
#include <string>

#include "ifd/policy/policy_file.h"

namespace ifd::fuzz {

// The method's name, a line of metadata, and a line for each tensor with its name, extents and
// maybe values after a "=", which are repeated:
//
//     multi-expert
//     {"classes": ["x", "y"], "experts": ["ann", "bob"]}
//     feature_mean 2 = 0.5
//     head.weight 4 2
//
// Tensors of more values than those in all are left out, and what is behind them.
PolicyFile described_policy(const std::string& text, std::size_t most_values = 2048);

}  // namespace ifd::fuzz
