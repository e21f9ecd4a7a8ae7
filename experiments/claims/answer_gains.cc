#include "experiments/claims/answer_gains.h"

#include <fmt/format.h>

#include "experiments/claims/wording.h"

namespace ifd::experiments {

std::string AnswerPlace::title() const {
  if (data == kDodhData) return fmt::format("{}, {}", data_title(data), experts);
  if (noise > 0) {
    return fmt::format("{}, noise {:.0f}, {}", data_title(data), noise, group_title(group));
  }
  return fmt::format("{}, {}, {}", data_title(data), experts_title(experts), group_title(group));
}

Cell AnswerPlace::area(const MethodName& method, const Setting& setting,
                       const MeasureName& measure) const {
  return {.experiment = kCombined,
          .data = data,
          .experts = experts,
          .group = group,
          .method = method,
          .setting = setting,
          .scale = kProbability,
          .measure = measure,
          .x = noise};
}

std::vector<AnswerPlace> answer_places(const Summary& summary) {
  std::vector<AnswerPlace> places;
  const CellFilter measured{.experiment = kCombined, .method = kPlugIn, .measure = kAursacTo10};
  for (const DataName& data : data_in_report_order(summary.distinct(measured, &Cell::data))) {
    CellFilter here = measured;
    here.data = data;
    here.setting = kRaw;
    const std::vector<Cell> cells = summary.cells(here);
    for (const ExpertsName& experts : {kVariable, kStable, kTwoPeople, kTwoScorers}) {
      for (const Cell& cell : cells) {
        if (cell.experts == experts) places.push_back({data, experts, cell.group, cell.x});
      }
    }
  }
  return places;
}

std::optional<PairedDifference> gain_at(const Summary& summary, const AnswerPlace& place,
                                        const Setting& setting, const MeasureName& measure,
                                        const MethodName& method, const MethodName& base) {
  auto gain =
      summary.difference(place.area(method, setting, measure), place.area(base, setting, measure));
  if (!gain || place.data != kDodhData) return gain;
  gain->mean.interval.reset();
  gain->mean.error.reset();
  if (base != kPlugIn) return gain;
  const auto over =
      mean_over_recordings(summary, place.area(method, setting, minus_plug_in(measure)));
  if (over) gain->mean.interval = over->interval;
  return gain;
}

std::optional<Mean> mean_over_recordings(const Summary& summary, const Cell& cell) {
  auto mean = summary.mean(cell);
  if (!mean) return std::nullopt;
  Cell low = cell, high = cell;
  low.measure = low_end(cell.measure);
  high.measure = high_end(cell.measure);
  const auto from = summary.mean(low), to = summary.mean(high);
  mean->interval.reset();
  mean->error.reset();
  if (from && to) mean->interval = Interval{from->value, to->value};
  return mean;
}

std::optional<PairedDifference> difference_over_recordings(const Summary& summary, const Cell& a,
                                                           const Cell& b) {
  auto difference = summary.difference(a, b);
  if (!difference) return std::nullopt;
  double below = 0, above = 0;  // how far the interval reaches from the mean
  bool known = true;
  const auto reach = [&](Cell cell, double& down, double& up) {
    if (cell.method == kPlugIn) return;
    cell.measure = minus_plug_in(cell.measure);
    const auto mean = mean_over_recordings(summary, cell);
    known = known && mean && mean->interval;
    if (!known) return;
    down += mean->value - mean->interval->low;
    up += mean->interval->high - mean->value;
  };
  reach(a, below, above);
  reach(b, above, below);
  Mean& mean = difference->mean;
  mean.error.reset();
  mean.interval.reset();
  if (known) mean.interval = Interval{mean.value - below, mean.value + above};
  return difference;
}

}  // namespace ifd::experiments
