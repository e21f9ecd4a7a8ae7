#include "cli/deferral_options.h"

#include <cmath>

#include "ifd/error.h"

namespace ifd::cli {

void DeferralOptions::add_to(CLI::App& command) {
  command.add_option("--budget", budget,
                     "Share of the cases that experts can take at the most, 0..1");
  command.add_option("--threshold", threshold,
                     "Defer where the margin is at least this; with --budget, both must hold");
  command.add_flag("--fill-budget", fill_budget,
                   "Use all of the budget, also where no gain is expected");
}

void DeferralOptions::check() const {
  if (fill_budget && (!budget || threshold)) {
    throw Error(ErrorKind::kUsage,
                "--fill-budget uses all of a --budget, and goes with no --threshold");
  }
  if (threshold && std::isnan(*threshold)) {
    throw Error(ErrorKind::kUsage, "--threshold nan: expected a number");
  }
}

}  // namespace ifd::cli
