// The parts of the benchmark, one file each.
#pragma once

#include <cstddef>

#include "benchmarks/report.h"

namespace ifd::benchmark {

struct Effort {
  std::size_t cases;          // of the large inputs
  std::size_t largest_curve;  // the last of 1e4, 1e5, ...
  std::size_t rounds;         // of every comparison
};

// Start-up comes first: a process started by a large one is charged for the size of its parent.
void measure_start_up(Report& report, const Effort& effort);
void measure_reading(Report& report, const Effort& effort);
void measure_margins(Report& report, const Effort& effort);
void measure_curves(Report& report, const Effort& effort);
void measure_routing(Report& report, const Effort& effort);
void measure_capacity(Report& report, const Effort& effort);
void measure_bootstrap(Report& report, const Effort& effort);
void measure_certifying(Report& report, const Effort& effort);
void measure_rejector(Report& report, const Effort& effort);
void measure_sharing(Report& report, const Effort& effort);
void measure_observing(Report& report, const Effort& effort);

}  // namespace ifd::benchmark
