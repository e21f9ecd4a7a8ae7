// ifd_python_bench: what the Python package adds to the library.
#include <pybind11/embed.h>

#include <array>
#include <cstdlib>

#include "benchmarks/python/package.h"
#include "benchmarks/section_runner.h"

int main(int argc, char** argv) {
  using namespace ifd::benchmark;
  // For the interpreter in here and for those that are started.
  ::setenv("PYTHONPATH", IFD_PYTHON_PACKAGES, 1);
  constexpr std::array kSections{Section{"python", measure_python}};
  return run_sections("ifd_python_bench", kSections, argc, argv);
}
