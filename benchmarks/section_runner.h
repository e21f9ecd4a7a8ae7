// The command line of a benchmark program.
#pragma once

#include <span>

#include "benchmarks/sections.h"

namespace ifd::benchmark {

struct Section {
  const char* name;
  void (*measure)(Report& report, const Effort& effort);
};

// 0: every target met. 4: one was missed. 1, 2: something failed, a wrong argument.
int run_sections(const char* program, std::span<const Section> sections, int argc, char** argv);

}  // namespace ifd::benchmark
