// ifd_learning_bench: the deciding runtime beside LibTorch, and what training costs.
#include <unistd.h>

#include <array>
#include <cstdlib>

#include "benchmarks/learning/learning_sections.h"
#include "benchmarks/section_runner.h"
#include "command_line/learning_environment.h"

int main(int argc, char** argv) {
  using namespace ifd::benchmark;
  // LibTorch and its BLAS are loaded by now with the environment as it was: start again with the
  // one that `ifd train` has.
  if (std::getenv("IFD_BENCH_PREPARED") == nullptr) {
    ifd::prepare_learning_environment();
    ::setenv("IFD_BENCH_PREPARED", "1", 1);
    ::execv("/proc/self/exe", argv);
    return 1;
  }
  constexpr std::array kSections{Section{"libtorch", measure_libtorch},
                                 Section{"training-step", measure_training_step},
                                 Section{"heads", measure_heads}};
  return run_sections("ifd_learning_bench", kSections, argc, argv);
}
