// ifd-reproduce: the command behind `ifd reproduce`.
#include "command_line/program.h"
#include "experiments/options.h"
#include "experiments/reproduction.h"

// Results are whole files: an interrupt loses what was running, nothing else.
int main(int argc, char** argv) {
  return ifd::run_program([&] {
    const auto options = ifd::experiments::parse_options(argc, argv);
    if (!options) return 0;
    const ifd::experiments::Ranks ranks;
    return ifd::experiments::reproduce(*options, ranks, IFD_VERSION);
  });
}
