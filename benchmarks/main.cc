// ifd_bench: what the library costs, as ratios to things every machine can do.
#include <array>

#include "benchmarks/section_runner.h"
#include "benchmarks/sections.h"

int main(int argc, char** argv) {
  using namespace ifd::benchmark;
  constexpr std::array kSections{
      Section{"start-up", measure_start_up},   Section{"reading", measure_reading},
      Section{"margins", measure_margins},     Section{"curves", measure_curves},
      Section{"routing", measure_routing},     Section{"capacity", measure_capacity},
      Section{"bootstrap", measure_bootstrap}, Section{"certifying", measure_certifying},
      Section{"rejector", measure_rejector},   Section{"sharing", measure_sharing},
      Section{"observing", measure_observing},
  };
  return run_sections("ifd_bench", kSections, argc, argv);
}
