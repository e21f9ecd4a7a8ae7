// How many experts a table or chart for people shows.
#pragma once

#include <algorithm>
#include <cstddef>

namespace ifd {

// More than these fill the screen and are read by nobody.
inline constexpr std::size_t kMostExperts = 30;

enum class ExpertsShown { kMost, kAll };

// How many of the experts have a row of their own.
inline std::size_t rows_for(std::size_t experts, ExpertsShown shown) {
  return shown == ExpertsShown::kAll ? experts : std::min(experts, kMostExperts);
}

}  // namespace ifd
