// Where an L2D-Pop baseline is ahead of a policy of ours: the places to say first.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "experiments/claims/summary.h"
#include "experiments/result/labels.h"

namespace ifd::experiments {

// Over the budgets up to 10 %, up to 30 % and over all, and of the experts' answers alone.
inline const MeasureName kRivalMeasures[] = {kAursacTo10, kAursacTo30, kAursac, kAurdac};

struct RivalWin {
  std::string where;  // "Blood Cells, variable, ID, 15 answers per expert, n=50"
  MethodName rival;
  MeasureName measure;
  PairedDifference difference;  // rival minus ours; its interval lies above 0
};

// Places where both were measured, each rival by itself.
struct RivalTally {
  std::size_t places = 0;
  std::size_t ahead = 0;      // by the means
  std::size_t intervals = 0;  // places with one
  std::size_t above = 0;      // 0: the rival is ahead
  std::size_t below = 0;

  void count(const PairedDifference& difference);
  RivalTally& operator+=(const RivalTally& more);
};

// A part of a study; a tally for each of kRivalMeasures.
struct RivalPart {
  std::string title;  // "Table 1"
  std::vector<RivalTally> tallies;
};

struct RivalWins {
  std::vector<RivalPart> parts;  // where both were measured
  std::vector<RivalWin> wins;    // the largest first
  // Where a rival is ahead by most by the means, whatever its interval.
  std::optional<RivalWin> largest;

  RivalTally over_all(const MeasureName& measure) const;
};

// Over every experiment in which both take part.
RivalWins rival_wins(const Summary& summary, const MethodName& ours);

}  // namespace ifd::experiments
