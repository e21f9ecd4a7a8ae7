#include "experiments/claims/rival_wins.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "experiments/claims/answer_gains.h"
#include "experiments/claims/named_cells.h"
#include "experiments/claims/wording.h"

namespace ifd::experiments {
namespace {

std::string size_text(const Cell& cell) {
  if (cell.experiment == kContextScaling) return fmt::format("{:.0f} answers per expert", cell.x);
  if (cell.experiment == kSmallContexts) return fmt::format("{:.0f} answers per class", cell.x);
  if (cell.experiment == kBeyond && cell.experts != kArchetypes) return fmt::format("{:g}", cell.x);
  return "";
}

std::string place_text(const Cell& cell) {
  std::string text = data_title(cell.data);
  for (const std::string& part :
       {cell.experts.text(), group_title(cell.group), cell.setting.text(), size_text(cell)}) {
    if (!part.empty()) text += ", " + part;
  }
  return text;
}

// Ours in the same place. What is not trained has no size of context in training, and no classifier
// that was trained with it.
Cell cell_of_ours(Cell cell, const MethodName& ours) {
  const MethodName rival = std::exchange(cell.method, ours);
  const bool trained = ours != kPlugIn;
  if (cell.experiment == kContextScaling && !trained) cell.setting = Setting();
  if (cell.experiment == kJoint && trained && cell.setting == joint_with(rival)) {
    cell.setting = joint_with(ours);
  }
  if (cell.experiment == kJoint && !trained && cell.setting == kFrozenBriefly) {
    cell.setting = kFrozen;
  }
  return cell;
}

struct PartOfStudy {
  const char* title;
  ExperimentName experiment;
  bool (*takes)(const Cell& cell);
};

bool everything(const Cell&) { return true; }
bool with_raw_classifier(const Cell& cell) { return is_reported_noise(cell.setting); }
bool with_calibrated_classifier(const Cell& cell) { return !is_reported_noise(cell.setting); }

const PartOfStudy kParts[] = {
    {"Table 1", kTable1, everything},
    {"ImageNet-16H, raw classifier", kImageNet16H, with_raw_classifier},
    {"ImageNet-16H, calibrated classifier", kImageNet16H, with_calibrated_classifier},
    {"people as they are", kPeopleAsTheyAre, everything},
    {"sleep scorers", kScorers, everything},
    {"more answers", kContextScaling, everything},
    {"few answers", kSmallContexts, everything},
    {"beyond the paper", kBeyond, everything},
    {"trained together", kJoint, everything},
};

// The tally of one measure in one part; its wins are added to those found.
RivalTally tally_of(const Summary& summary, const PartOfStudy& part, const MethodName& ours,
                    const MeasureName& measure, RivalWins& found) {
  RivalTally tally;
  for (const MethodName& rival : {kPopQi, kPopQc}) {
    for (const Cell& cell : summary.cells({.experiment = part.experiment,
                            .method = rival,
                            .scale = kProbability,
                            .measure = measure})) {
      if (!part.takes(cell)) continue;
      const Cell other = cell_of_ours(cell, ours);
      const auto difference = part.experiment == kScorers
                                  ? difference_over_recordings(summary, cell, other)
                                  : summary.difference(cell, other);
      if (!difference) continue;
      tally.count(*difference);
      const double by = difference->mean.value;
      const bool shown = difference->mean.interval && difference->mean.interval->low > 0;
      const bool most = by > (found.largest ? found.largest->difference.mean.value : 0);
      if (!shown && !most) continue;
      const RivalWin win{place_text(cell), rival, measure, *difference};
      if (shown) found.wins.push_back(win);
      if (most) found.largest = win;
    }
  }
  return tally;
}

}  // namespace

void RivalTally::count(const PairedDifference& difference) {
  ++places;
  ahead += difference.mean.value > 0 ? 1 : 0;
  if (!difference.mean.interval) return;
  ++intervals;
  above += difference.mean.interval->low > 0 ? 1 : 0;
  below += difference.mean.interval->high < 0 ? 1 : 0;
}

RivalTally& RivalTally::operator+=(const RivalTally& more) {
  places += more.places;
  ahead += more.ahead;
  intervals += more.intervals;
  above += more.above;
  below += more.below;
  return *this;
}

RivalTally RivalWins::over_all(const MeasureName& measure) const {
  const auto at = std::ranges::find(kRivalMeasures, measure) - std::begin(kRivalMeasures);
  RivalTally sum;
  for (const RivalPart& part : parts) sum += part.tallies[static_cast<std::size_t>(at)];
  return sum;
}

RivalWins rival_wins(const Summary& summary, const MethodName& ours) {
  RivalWins found;
  for (const PartOfStudy& part : kParts) {
    RivalPart counted{part.title, {}};
    for (const MeasureName& measure : kRivalMeasures) {
      counted.tallies.push_back(tally_of(summary, part, ours, measure, found));
    }
    if (std::ranges::any_of(counted.tallies, &RivalTally::places)) {
      found.parts.push_back(std::move(counted));
    }
  }
  std::ranges::stable_sort(found.wins, std::ranges::greater{},
                           [](const RivalWin& win) { return win.difference.mean.value; });
  return found;
}

}  // namespace ifd::experiments
