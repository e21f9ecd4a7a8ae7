// Means and their intervals as what charts show.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "experiments/claims/summary.h"
#include "ifd/report/bar_chart.h"
#include "ifd/report/line_chart.h"

namespace ifd::experiments {

// The means of a cell along x, with 95 % bands where there is more than one cohort. No points where
// nothing was measured.
Series series_along_x(const Summary& summary, const Cell& cell, const std::string& name);
// The mean at x; a series has a band only where every one of its points has an interval.
void add_point(Series& series, double x, const Mean& mean);
// Adds the series if it has points.
void add_series(LineChart& chart, Series series);
// A dot with the 95 % interval of the mean.
void add_dot(BarChart& chart, const std::string& name, const std::optional<Mean>& mean,
             Emphasis emphasis = Emphasis::kNormal);
// What dots and bands show.
std::string interval_note(std::size_t cohorts);

}  // namespace ifd::experiments
