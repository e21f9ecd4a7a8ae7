// Where an L2D-Pop baseline is ahead of a policy of ours: the places to say first.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "experiments/claims/summary.h"

namespace ifd::experiments {

struct RivalWin {
  std::string where;  // "Blood Cells, variable, ID, 15 answers per expert, n=50"
  MethodName rival;
  PairedDifference difference;  // in AURSAC, rival minus ours; its interval lies above 0
};

struct RivalWins {
  std::size_t places = 0;      // where both were measured, each rival by itself
  std::vector<RivalWin> wins;  // the largest first
};

// Over Table 1, the people of ImageNet-16H (sampled and as they are), and few and more answers at
// test time, with the raw classifier and over all budgets.
RivalWins rival_wins(const Summary& summary, const MethodName& ours);

}  // namespace ifd::experiments
