#include "cli/experts_shown.h"

#include <fmt/format.h>

#include <algorithm>

namespace ifd::cli {

std::size_t rows_for(std::size_t experts, ExpertsShown shown) {
  return shown == ExpertsShown::kAll ? experts : std::min(experts, kMostExperts);
}

void add_all_experts_flag(CLI::App& command, ExpertsShown& shown) {
  command.add_flag_callback(
      "--all-experts", [&shown] { shown = ExpertsShown::kAll; },
      fmt::format("Tables with every expert, also where there are more than {}", kMostExperts));
}

}  // namespace ifd::cli
