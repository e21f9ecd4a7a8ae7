// What a call from Python costs beside the same call from C++, what it holds, and what importing
// costs.
#pragma once

#include "benchmarks/sections.h"

namespace ifd::benchmark {

void measure_python(Report& report, const Effort& effort);

}  // namespace ifd::benchmark
