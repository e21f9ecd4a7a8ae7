#include "experiments/claims/rival_wins.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/claims/named_cells.h"
#include "experiments/claims/wording.h"
#include "experiments/result/labels.h"

namespace ifd::experiments {
namespace {

std::string size_text(const Cell& cell) {
  if (cell.experiment == kContextScaling) return fmt::format("{:.0f} answers per expert", cell.x);
  if (cell.experiment == kSmallContexts) return fmt::format("{:.0f} answers per class", cell.x);
  return "";
}

std::string place_text(const Cell& cell) {
  std::string text = data_title(cell.data);
  for (const std::string& part :
       {cell.experts.text(), group_title(cell.group), size_text(cell), cell.setting.text()}) {
    if (!part.empty()) text += ", " + part;
  }
  return text;
}

// Ours in the same place. What is not trained has no size of context in training.
Cell cell_of_ours(Cell cell, const MethodName& ours) {
  cell.method = ours;
  if (cell.experiment == kContextScaling && ours == kPlugIn) cell.setting = Setting();
  return cell;
}

}  // namespace

RivalWins rival_wins(const Summary& summary, const MethodName& ours) {
  RivalWins found;
  for (const ExperimentName& experiment :
       {kTable1, kImageNet16H, kPeopleAsTheyAre, kContextScaling, kSmallContexts}) {
    for (const MethodName& rival : {kPopQi, kPopQc}) {
      for (const Cell& cell : summary.cells({.experiment = experiment,
                              .method = rival,
                              .scale = kProbability,
                              .measure = kAursac})) {
        // Calibrated classifiers are compared by themselves.
        if (experiment == kImageNet16H && !is_reported_noise(cell.setting)) continue;
        const auto difference = summary.difference(cell, cell_of_ours(cell, ours));
        if (!difference || !difference->mean.interval) continue;
        ++found.places;
        if (difference->mean.interval->low > 0) {
          found.wins.push_back({place_text(cell), rival, *difference});
        }
      }
    }
  }
  std::ranges::stable_sort(found.wins, std::ranges::greater{},
                           [](const RivalWin& win) { return win.difference.mean.value; });
  return found;
}

}  // namespace ifd::experiments
