#include "ifd/report/line_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include "ifd/error.h"

namespace ifd {
namespace {

constexpr double kLabelGap = 17;
constexpr std::size_t kMostReadings = 101;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct Point {
  double x, y;
};
using Run = std::vector<Point>;  // points joined by a line

void check(const LineChart& chart) {
  for (const Series& series : chart.series) {
    const auto fail = [&](const std::string& what) {
      throw bad_input(fmt::format("chart '{}', series '{}': {}", chart.title, series.name, what));
    };
    const std::size_t size = series.x.size();
    if (series.y.size() != size) {
      fail(fmt::format("{} x and {} y values; expected as many", size, series.y.size()));
    }
    for (const std::vector<double>* bound : {&series.low, &series.high}) {
      if (bound->size() != series.low.size() || (!bound->empty() && bound->size() != size)) {
        fail(fmt::format("a band of {} and {} values; expected none or {}", series.low.size(),
                         series.high.size(), size));
      }
    }
    if (!series.notes.empty() && series.notes.size() != size) {
      fail(fmt::format("{} notes; expected none or {}", series.notes.size(), size));
    }
    double previous = -std::numeric_limits<double>::infinity();
    for (const double x : series.x) {
      if (x < previous) fail(fmt::format("x goes from {} to {}; expected to ascend", previous, x));
      if (!std::isnan(x)) previous = x;
    }
  }
}

struct Axes {
  Axis x, y;
};

Axes axes_of(const LineChart& chart, Layout layout) {
  std::vector<double> xs, ys;
  for (const Series& series : chart.series) {
    xs.insert(xs.end(), series.x.begin(), series.x.end());
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (!drawable(series.x[i], chart.x_scale)) continue;
      ys.push_back(series.y[i]);
      if (!series.low.empty()) ys.insert(ys.end(), {series.low[i], series.high[i]});
    }
  }
  const int intervals = layout == Layout::kWide ? 4 : 3;
  const Axis x(chart.x_range.value_or(range_of(xs, chart.x_scale)), chart.x_scale, chart.x_unit,
               intervals);
  if (chart.y_range) return {x, Axis(*chart.y_range, Scale::kLinear, chart.y_unit, intervals)};
  return {x, Axis(range_of(ys, Scale::kLinear), Scale::kLinear, chart.y_unit, intervals).opened()};
}

// The stretches of `ys` over x without a gap, in coordinates of the frame.
std::vector<Run> runs_of(const LineChart& chart, const Series& series,
                         const std::vector<double>& ys, const Frame& frame, const Axes& axes) {
  std::vector<Run> runs(1);
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (drawable(series.x[i], chart.x_scale) && drawable(ys[i], Scale::kLinear)) {
      runs.back().push_back({frame.x(axes.x, series.x[i]), frame.y(axes.y, ys[i])});
    } else if (!runs.back().empty()) {
      runs.emplace_back();
    }
  }
  if (runs.back().empty()) runs.pop_back();
  return runs;
}

// Leaves out points that no one can see (Douglas and Peucker 1973): a curve over ten thousand
// cases keeps its shape within a quarter of a pixel in a few hundred points.
Run thinned(const Run& run) {
  constexpr double kTolerance = 0.25;
  std::vector<bool> keep(run.size(), false);
  keep.front() = keep.back() = true;
  std::vector<std::pair<std::size_t, std::size_t>> spans = {{0, run.size() - 1}};
  while (!spans.empty()) {
    const auto [first, last] = spans.back();
    spans.pop_back();
    const Point a = run[first];
    const Point b = run[last];
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    double furthest = kTolerance;
    std::size_t split = first;
    for (std::size_t i = first + 1; i < last; ++i) {
      const double dx = run[i].x - a.x;
      const double dy = run[i].y - a.y;
      const double distance =
          length > 0 ? std::abs(dx * (b.y - a.y) - dy * (b.x - a.x)) / length : std::hypot(dx, dy);
      if (distance > furthest) {
        furthest = distance;
        split = i;
      }
    }
    if (split == first) continue;
    keep[split] = true;
    spans.push_back({first, split});
    spans.push_back({split, last});
  }
  Run kept;
  for (std::size_t i = 0; i < run.size(); ++i) {
    if (keep[i]) kept.push_back(run[i]);
  }
  return kept;
}

std::string joined(std::span<const Point> points, char first) {
  std::string path;
  for (const Point& point : points) {
    path += fmt::format("{}{} {}", path.empty() ? first : 'L', coordinate(point.x),
                        coordinate(point.y));
  }
  return path;
}

// A run of one point is a dot: a line of no length with round ends.
std::string line_path(const std::vector<Run>& runs) {
  std::string path;
  for (const Run& run : runs) {
    path += joined(thinned(run), 'M');
    if (run.size() == 1) path += "h0";
  }
  return path;
}

std::string band_path(const LineChart& chart, const Series& series, const Frame& frame,
                      const Axes& axes) {
  // A bound that is missing at a point is missing on both sides.
  std::vector<double> low = series.low;
  std::vector<double> high = series.high;
  for (std::size_t i = 0; i < low.size(); ++i) {
    if (!drawable(low[i], Scale::kLinear) || !drawable(high[i], Scale::kLinear)) {
      low[i] = high[i] = kNaN;
    }
  }
  const std::vector<Run> lower = runs_of(chart, series, low, frame, axes);
  const std::vector<Run> upper = runs_of(chart, series, high, frame, axes);
  std::string path;
  for (std::size_t i = 0; i < lower.size(); ++i) {
    Run back = thinned(lower[i]);
    std::reverse(back.begin(), back.end());
    path += joined(thinned(upper[i]), 'M') + joined(back, 'L') + "z";
  }
  return path;
}

// All points if they are few, otherwise some, at places that differ between the series so that
// the markers of lines that run together do not hide each other.
std::vector<Point> marked_points(const std::vector<Run>& runs, const Frame& frame,
                                 std::size_t series) {
  constexpr std::size_t kFew = 16;
  constexpr double kMarks = 7;
  std::size_t count = 0;
  for (const Run& run : runs) count += run.size();
  const double spacing = count <= kFew ? 0 : frame.width / kMarks;
  double next = frame.left + spacing * std::fmod(0.25 + 0.382 * static_cast<double>(series), 1.0);
  std::vector<Point> marked;
  for (const Run& run : runs) {
    for (const Point& point : run) {
      if (spacing > 0 && point.x < next) continue;
      marked.push_back(point);
      while (spacing > 0 && next <= point.x) next += spacing;
    }
  }
  return marked;
}

struct DrawnSeries {
  std::size_t index;
  std::vector<Run> runs;
};

// Height of the legend, and where each name of it starts.
struct Legend {
  std::vector<Point> places;
  double height = 0;
};

Legend legend_of(const LineChart& chart, double width) {
  constexpr double kRow = 20;
  Legend legend;
  double x = 0;
  double y = 0;
  for (const Series& series : chart.series) {
    const double item = std::min(width, kKeyWidth + 6 + text_width(series.name) + 14);
    if (x > 0 && x + item > width) {
      x = 0;
      y += kRow;
    }
    legend.places.push_back({x, y});
    x += item;
  }
  legend.height = chart.series.empty() ? 0 : y + kRow + 6;
  return legend;
}

// Names to the right of where the lines end, each with its key; a thin leader shows which line
// a name was pushed away from.
std::string end_labels(const LineChart& chart, const std::vector<DrawnSeries>& drawn,
                       const Frame& frame, double room) {
  std::vector<std::pair<Point, std::size_t>> ends;
  for (const DrawnSeries& series : drawn) {
    if (series.runs.empty()) continue;
    Point end = series.runs.back().back();
    end.y = std::clamp(end.y, frame.top, frame.bottom());
    end.x = std::clamp(end.x, frame.left, frame.right());
    ends.emplace_back(end, series.index);
  }
  std::stable_sort(ends.begin(), ends.end(),
                   [](const auto& a, const auto& b) { return a.first.y < b.first.y; });
  std::vector<double> wanted;
  wanted.reserve(ends.size());
  for (const auto& [end, index] : ends) wanted.push_back(end.y);
  const std::vector<double> placed =
      push_apart(wanted, kLabelGap, {frame.top - 4, frame.bottom() + 4});
  std::string svg;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const auto& [end, index] = ends[i];
    const Series& series = chart.series[index];
    const double x = frame.right() + 16;
    // A single point is found by its marker; a leader would look like its line.
    if (series.x.size() > 1) {
      svg += fmt::format("<g class=\"{}\"><path class=\"leader\" d=\"M{} {}L{} {}\"/></g>",
                         series_class(index, series.emphasis), coordinate(end.x + 3),
                         coordinate(end.y), coordinate(x), coordinate(placed[i]));
    }
    svg += line_key(index, series.emphasis, x, placed[i], series.form);
    svg += svg_text(x + kKeyWidth + 6, placed[i] + 4.5, shortened(series.name, room),
                    series.emphasis == Emphasis::kStrong  ? "strong"
                    : series.emphasis == Emphasis::kQuiet ? "muted"
                                                          : "");
  }
  return svg;
}

// One upright stroke for each point that has both bounds.
std::string intervals_path(const LineChart& chart, const Series& series, const Frame& frame,
                           const Axes& axes) {
  std::string path;
  for (std::size_t i = 0; i < series.low.size(); ++i) {
    if (!drawable(series.x[i], chart.x_scale) || !drawable(series.low[i], Scale::kLinear) ||
        !drawable(series.high[i], Scale::kLinear)) {
      continue;
    }
    const double low = frame.y(axes.y, series.low[i]);
    path += fmt::format("M{} {}v{}", coordinate(frame.x(axes.x, series.x[i])), coordinate(low),
                        coordinate(frame.y(axes.y, series.high[i]) - low));
  }
  return path;
}

// The markers of a series, and its line unless it is points.
std::string series_svg(const Series& series, const DrawnSeries& drawn, const Frame& frame) {
  std::string svg;
  if (series.form != SeriesForm::kPoints) {
    svg += fmt::format("<path class=\"line\"{} d=\"{}\"/>", dash_attribute(drawn.index),
                       line_path(drawn.runs));
  }
  if (series.form == SeriesForm::kRule) return svg;
  const double radius = series.emphasis == Emphasis::kStrong ? 4.5 : 3.8;
  if (series.form == SeriesForm::kPoints) {
    for (const Run& run : drawn.runs) {
      for (const Point& point : run) svg += marker(drawn.index, point.x, point.y, radius);
    }
    return svg;
  }
  for (const Point& point : marked_points(drawn.runs, frame, drawn.index)) {
    svg += marker(drawn.index, point.x, point.y, radius);
  }
  return svg;
}

// Bands and intervals, lines and points.
std::string lines_svg(const LineChart& chart, const std::vector<DrawnSeries>& drawn,
                      const Frame& frame, const Axes& axes) {
  // An inner <svg> clips what lies outside fixed ranges; the margin keeps markers whole.
  constexpr double kMargin = 6;
  std::string svg = fmt::format(
      "<svg class=\"lines\" x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{3}\" "
      "viewBox=\"{0} {1} {2} {3}\" overflow=\"hidden\">\n",
      coordinate(frame.left - kMargin), coordinate(frame.top - kMargin),
      coordinate(frame.width + 2 * kMargin), coordinate(frame.height + 2 * kMargin));
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const Series& series = chart.series[i];
    if (series.low.empty()) continue;
    const bool points = series.form == SeriesForm::kPoints;
    const std::string path =
        points ? intervals_path(chart, series, frame, axes) : band_path(chart, series, frame, axes);
    if (path.empty()) continue;
    svg += fmt::format("<g class=\"{}\"><path class=\"{}\" d=\"{}\"/></g>\n",
                       series_class(i, series.emphasis), points ? "interval" : "band", path);
  }
  // Quiet lines first and strong ones last, so that what matters lies on top.
  for (const Emphasis layer : {Emphasis::kQuiet, Emphasis::kNormal, Emphasis::kStrong}) {
    for (const DrawnSeries& series : drawn) {
      if (chart.series[series.index].emphasis != layer || series.runs.empty()) continue;
      svg += fmt::format("<g class=\"{}\">{}</g>\n", series_class(series.index, layer),
                         series_svg(chart.series[series.index], series, frame));
    }
  }
  svg += "</svg>\n";
  return svg;
}

Drawing draw(const LineChart& chart, Layout layout) {
  check(chart);
  const Axes axes = axes_of(chart, layout);
  const bool wide = layout == Layout::kWide;
  const double width = chart_width(layout);
  const double left = tick_label_width(axes.y);

  // Names in bold need a little more room than text_width says.
  constexpr double kMostNameWidth = 200;
  double name_width = 0;
  for (const Series& series : chart.series) {
    name_width = std::max(name_width, std::min(kMostNameWidth, 1.08 * text_width(series.name)));
  }
  const bool named_at_ends =
      wide && std::none_of(chart.series.begin(), chart.series.end(),
                           [](const Series& series) { return series.form == SeriesForm::kPoints; });
  const double right = named_at_ends && !chart.series.empty() ? 16 + kKeyWidth + 6 + name_width
                                                              : last_tick_room(axes.x);
  const Legend legend = named_at_ends ? Legend{} : legend_of(chart, width);
  const double top = legend.height + (chart.y_label.empty() ? 12 : 32);
  const double bottom = chart.x_label.empty() ? 26 : 46;
  const double names_height = kLabelGap * static_cast<double>(chart.series.size());
  const double plot_height = wide ? std::max(310.0, names_height) : 230;
  const Frame frame = {left, top, width - left - right, plot_height};
  const AxisLabel x_label =
      axis_label(chart.x_label, frame.left + frame.width / 2, frame.bottom() + 40, width);
  const double height = top + plot_height + bottom + x_label.more_height;

  std::string names;
  for (const Series& series : chart.series) names += (names.empty() ? "" : ", ") + series.name;
  Drawing drawing{
      svg_start(
          layout, height,
          fmt::format("{}. Line chart of {} against {}: {}", chart.title, chart.y_label,
                      chart.x_label, names),
          fmt::format(" data-left=\"{}\" data-top=\"{}\" data-width=\"{}\" data-height=\"{}\"",
                      coordinate(frame.left), coordinate(frame.top), coordinate(frame.width),
                      coordinate(frame.height))),
      height};
  std::string& svg = drawing.svg;

  for (std::size_t i = 0; i < legend.places.size(); ++i) {
    const Series& series = chart.series[i];
    const Point place = legend.places[i];
    svg += line_key(i, series.emphasis, place.x, place.y + 8, series.form);
    svg += svg_text(place.x + kKeyWidth + 6, place.y + 12.5,
                    shortened(series.name, width - kKeyWidth - 6));
  }
  if (!chart.y_label.empty())
    svg += svg_text(0, top - 18, shortened(chart.y_label, width), "muted");
  svg += y_axis_svg(frame, axes.y) + x_axis_svg(frame, axes.x);
  svg += x_label.svg;

  std::vector<DrawnSeries> drawn;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    drawn.push_back({i, runs_of(chart, chart.series[i], chart.series[i].y, frame, axes)});
  }
  svg += lines_svg(chart, drawn, frame, axes);
  if (named_at_ends) svg += end_labels(chart, drawn, frame, name_width);
  svg += "</svg>\n";
  return drawing;
}

// The value of `ys` at x: at a point of the series, or on its line between two neighbours.
double read_off(const Series& series, const std::vector<double>& ys, Scale scale, double x) {
  const auto after =
      std::find_if(series.x.begin(), series.x.end(), [x](double point) { return point >= x; });
  if (after == series.x.end()) return kNaN;
  const auto i = static_cast<std::size_t>(after - series.x.begin());
  if (series.x[i] == x) return ys[i];
  if (series.form == SeriesForm::kPoints) return kNaN;
  if (i == 0 || !drawable(series.x[i - 1], scale) || !drawable(series.x[i], scale)) return kNaN;
  const auto place = [scale](double value) {
    return scale == Scale::kLinear ? value : std::log(value);
  };
  const double from = place(series.x[i - 1]);
  const double share = (place(x) - from) / (place(series.x[i]) - from);
  return ys[i - 1] + share * (ys[i] - ys[i - 1]);
}

// What is noted at a point of the series, after a comma.
std::string note_at(const Series& series, double x) {
  const auto at = std::find(series.x.begin(), series.x.end(), x);
  if (series.notes.empty() || at == series.x.end()) return {};
  return fmt::format(", {}", series.notes[static_cast<std::size_t>(at - series.x.begin())]);
}

}  // namespace

std::string to_svg(const LineChart& chart, Layout layout) { return draw(chart, layout).svg; }

std::string to_standalone_svg(const LineChart& chart) {
  const Drawing drawing = draw(chart, Layout::kWide);
  return standalone_svg(chart.title, drawing.svg, drawing.height);
}

ChartReadings readings(const LineChart& chart) {
  check(chart);
  const Axes axes = axes_of(chart, Layout::kWide);
  std::vector<double> stops;
  for (const Series& series : chart.series) {
    if (series.form == SeriesForm::kRule) continue;
    for (const double x : series.x) {
      const bool inside = x >= axes.x.range().low && x <= axes.x.range().high;
      if (inside && drawable(x, chart.x_scale)) stops.push_back(x);
    }
  }
  std::sort(stops.begin(), stops.end());
  stops.erase(std::unique(stops.begin(), stops.end()), stops.end());
  if (stops.size() > kMostReadings) {
    stops.resize(kMostReadings);
    for (std::size_t i = 0; i < stops.size(); ++i) {
      stops[i] = axes.x.value(static_cast<double>(i) / (kMostReadings - 1));
    }
  }
  const std::vector<std::string> names = axes.x.short_texts(stops);
  ChartReadings result;
  for (std::size_t i = 0; i < stops.size(); ++i) {
    ChartReadings::Row row{names[i], axes.x.fraction(stops[i]), {}};
    for (const Series& series : chart.series) {
      const double y = read_off(series, series.y, chart.x_scale, stops[i]);
      ChartReadings::Cell cell{axes.y.text(y), std::nullopt};
      if (drawable(y, Scale::kLinear)) {
        const double fraction = axes.y.fraction(y);
        if (fraction >= 0 && fraction <= 1) cell.fraction = fraction;
        if (!series.low.empty()) {
          const double low = read_off(series, series.low, chart.x_scale, stops[i]);
          const double high = read_off(series, series.high, chart.x_scale, stops[i]);
          cell.text +=
              fmt::format(" ({}{}{})", axes.y.text(low), low < 0 ? " to " : "–", axes.y.text(high));
        }
        cell.text += note_at(series, stops[i]);
      }
      row.cells.push_back(cell);
    }
    result.rows.push_back(row);
  }
  return result;
}

}  // namespace ifd
