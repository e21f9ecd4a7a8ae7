// The most a core can do: multiplications fused with additions on registers alone.
#pragma once

namespace ifd::benchmark {

// Processor seconds of `operations` (a fused multiply-add counts two) in float, on one core, with
// the widest vectors it has.
double fma_seconds(double operations);

}  // namespace ifd::benchmark
