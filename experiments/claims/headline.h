// The few comparisons that a reader takes away, with intervals that hold for all of them at once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/claims/claims.h"
#include "experiments/claims/summary.h"

namespace ifd::experiments {

struct HeadlineComparison {
  std::string text;  // "ifd-peak minus pop-qi, Variable OOD experts"
  // In AURSAC, averaged over the places that were measured; nothing where none was.
  std::optional<PairedDifference> difference = {};
  // At the coverage of the list.
  std::optional<Interval> interval = {};
  // Whether the interval lies above 0 (shown), below it (contradicted) or around it.
  Outcome outcome = Outcome::kOpen;
};

struct Headline {
  double coverage = 0;  // of each interval: 1 - .05 / m, so that all m hold at once in 95 %
  std::vector<HeadlineComparison> comparisons;  // m of them, measured or not
};
Headline headline(const Summary& summary);

}  // namespace ifd::experiments
