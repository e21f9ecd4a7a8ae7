// The parts of the benchmark that need LibTorch.
#pragma once

#include "benchmarks/sections.h"

namespace ifd::benchmark {

void measure_libtorch(Report& report, const Effort& effort);
void measure_training_step(Report& report, const Effort& effort);
void measure_heads(Report& report, const Effort& effort);

}  // namespace ifd::benchmark
