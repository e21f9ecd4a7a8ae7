// Where every policy ends: for each case the largest margin among the experts who may take it, and
// who that is. Routing, curves and reports read this table and never ask which method filled it.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "ifd/ids.h"

namespace ifd {

inline constexpr ExpertId kNobody{-1};
inline constexpr double kNeverDefer = -std::numeric_limits<double>::infinity();

// Delta*(x) and j*(x) of the multi-expert rule. A case that nobody may take has kNobody and
// kNeverDefer; one where asking is pointless has an expert and kNeverDefer. Margins are never NaN.
struct MarginTable {
  std::vector<double> margin;    // N
  std::vector<ExpertId> expert;  // N

  std::size_t size() const { return margin.size(); }
};

}  // namespace ifd
