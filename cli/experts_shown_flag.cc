#include "cli/experts_shown_flag.h"

#include <fmt/format.h>

namespace ifd::cli {

void add_all_experts_flag(CLI::App& command, ExpertsShown& shown) {
  command.add_flag_callback(
      "--all-experts", [&shown] { shown = ExpertsShown::kAll; },
      fmt::format("Tables with every expert, also where there are more than {}", kMostExperts));
}

}  // namespace ifd::cli
