// Lines over a common x axis: budget curves, accuracy against context size.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ifd/report/axis.h"
#include "ifd/report/chart_style.h"

namespace ifd {

// x ascends. A value that cannot be drawn (NaN, infinite, not positive on a logarithmic axis)
// breaks the line. low and high are both empty or as long as x: a band around the line, of points
// an interval each. notes are empty or as long as x: what the data table and the tooltip add to a
// value, such as the number of cases behind it.
struct Series {
  std::string name;
  std::vector<double> x, y;
  std::vector<double> low, high;
  Emphasis emphasis = Emphasis::kNormal;
  SeriesForm form = SeriesForm::kLine;
  std::vector<std::string> notes = {};
};

struct LineChart {
  std::string title;
  std::string x_label, y_label;
  std::vector<Series> series;
  std::optional<Range> x_range, y_range;  // default: what the data needs
  Scale x_scale = Scale::kLinear;
  Unit x_unit = Unit::kNumber;
  Unit y_unit = Unit::kNumber;
  std::string note = {};  // source or reading aid, below the chart
};

// The lines named at their ends (kWide) or in a legend above (kNarrow), as all names are where
// some series are points, which have no end. Styled by the page: see
// theme_css and chart_css. Series of unequal lengths or descending x are an Error(kBadInput).
std::string to_svg(const LineChart& chart, Layout layout = Layout::kWide);

// A file of its own, with title and styles, light or dark as the reader prefers.
std::string to_standalone_svg(const LineChart& chart);

// The chart in numbers: what its data table and its tooltip say. The rows are the x values of the
// series that are data if there are at most 101, otherwise 101 even steps along the axis; between
// two points of a line its value is read off.
struct ChartReadings {
  struct Cell {
    std::string text;  // "0.812", with a band "0.812 (0.790–0.833)"; "–" if missing
    std::optional<double> fraction;  // height of the value in the plot, 0..1
  };
  struct Row {
    std::string x;
    double fraction;  // along the x axis, 0..1
    std::vector<Cell> cells;
  };
  std::vector<Row> rows;
};
ChartReadings readings(const LineChart& chart);

}  // namespace ifd
