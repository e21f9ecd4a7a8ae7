#include "experiments/report/chart_means.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ifd::experiments {

Series series_along_x(const Summary& summary, const Cell& cell, const std::string& name) {
  Series series;
  series.name = name;
  const CellFilter any_x{.experiment = cell.experiment,
                         .data = cell.data,
                         .experts = cell.experts,
                         .group = cell.group,
                         .method = cell.method,
                         .setting = cell.setting,
                         .scale = cell.scale,
                         .measure = cell.measure};
  for (const Cell& at : summary.cells(any_x)) add_point(series, at.x, *summary.mean(at));
  return series;
}

void add_point(Series& series, double x, const Mean& mean) {
  const bool bands = series.low.size() == series.x.size() && mean.interval;
  series.x.push_back(x);
  series.y.push_back(mean.value);
  if (bands) {
    series.low.push_back(mean.interval->low);
    // Everything drawn over x is a share: no band leaves them.
    series.high.push_back(mean.value <= 1 ? std::min(mean.interval->high, 1.0)
                                          : mean.interval->high);
  } else {
    series.low.clear();
    series.high.clear();
  }
}

void add_series(LineChart& chart, Series series) {
  if (!series.x.empty()) chart.series.push_back(std::move(series));
}

void add_dot(BarChart& chart, const std::string& name, const std::optional<Mean>& mean,
             Emphasis emphasis) {
  if (!mean) return;
  Bar bar{name, mean->value, {}, emphasis};
  if (mean->interval) bar.interval = Range{mean->interval->low, mean->interval->high};
  chart.bars.push_back(std::move(bar));
}

std::string interval_note(std::size_t cohorts) {
  if (cohorts < 2) return "One cohort, so no intervals.";
  return fmt::format("Means over {} cohorts with 95 % intervals.", cohorts);
}

}  // namespace ifd::experiments
