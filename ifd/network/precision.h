// What the network of a trained policy is computed in.
#pragma once

namespace ifd {

// kBf16 rounds weights and every layer's inputs to bfloat16 and accumulates in float, on any
// machine: what kAmx computes but for the order of its sums. kAmx needs amx_is_there().
enum class Precision { kFloat, kBf16, kAmx };

}  // namespace ifd
