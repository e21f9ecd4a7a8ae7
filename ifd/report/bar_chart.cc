#include "ifd/report/bar_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "ifd/report/html_text.h"

namespace ifd {
namespace {

Axis axis_of(const BarChart& chart, Layout layout) {
  const int intervals = layout == Layout::kWide ? 4 : 3;
  if (chart.range) return Axis(*chart.range, Scale::kLinear, chart.unit, intervals);
  std::vector<double> values;
  if (chart.mark == BarChart::Mark::kBar) values.push_back(0);
  if (chart.reference) values.push_back(*chart.reference);
  for (const Bar& bar : chart.bars) {
    values.push_back(bar.value);
    if (bar.interval) values.insert(values.end(), {bar.interval->low, bar.interval->high});
  }
  return Axis(range_of(values, Scale::kLinear), Scale::kLinear, chart.unit, intervals).opened();
}

bool drawable(double value) { return drawable(value, Scale::kLinear); }

bool has_interval(const Bar& bar) {
  return bar.interval && drawable(bar.interval->low) && drawable(bar.interval->high);
}

// Where the bars stand.
struct BarPlace {
  const Axis& axis;
  Frame frame;
  double width;  // of the whole chart
  double row;    // height of a bar with its name
  bool wide;
  double zero = 0;

  double x_of(double value) const {
    return std::clamp(frame.x(axis, value), frame.left, frame.right());
  }
};

std::string bar_svg(const BarChart& chart, const Bar& bar, const std::string& value,
                    const BarPlace& place, double row_top) {
  const double y = row_top + (place.wide ? place.row / 2 : place.row - 13);
  std::string svg =
      fmt::format("<g class=\"{}\"><title>{}: {}</title>", series_class(0, bar.emphasis),
                  escape_html(bar.name), escape_html(value));
  const std::string_view weight = bar.emphasis == Emphasis::kStrong ? " strong" : "";
  if (place.wide) {
    svg += svg_text(place.frame.left - 14, y + 4.5, shortened(bar.name, 210),
                    fmt::format("end{}", weight));
    svg += svg_text(place.width, y + 4.5, value, fmt::format("end{}", weight));
  } else {
    svg += svg_text(place.frame.left, row_top + 15,
                    shortened(bar.name, place.frame.width - text_width(value) - 12),
                    weight.empty() ? "" : "strong");
    svg += svg_text(place.frame.right(), row_top + 15, value, fmt::format("end{}", weight));
  }
  if (drawable(bar.value)) {
    const double x = place.x_of(bar.value);
    if (chart.mark == BarChart::Mark::kBar) {
      svg +=
          fmt::format("<rect class=\"bar\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"1\"/>",
                      coordinate(std::min(x, place.zero)), coordinate(y - (place.wide ? 8 : 6)),
                      coordinate(std::abs(x - place.zero)), place.wide ? 16 : 12);
    }
    if (has_interval(bar)) {
      const double low = place.x_of(bar.interval->low);
      svg += fmt::format("<path class=\"interval{}\" d=\"M{} {}h{}\"/>",
                         chart.mark == BarChart::Mark::kBar ? " over-bar" : "", coordinate(low),
                         coordinate(y), coordinate(place.x_of(bar.interval->high) - low));
    }
    if (chart.mark == BarChart::Mark::kDot) svg += marker(0, x, y, 5);
  }
  svg += "</g>\n";
  return svg;
}

Drawing draw(const BarChart& chart, Layout layout) {
  const Axis axis = axis_of(chart, layout);
  const bool wide = layout == Layout::kWide;
  const double width = chart_width(layout);
  const std::vector<std::string> values = value_texts(chart);
  double name_width = 0;
  double value_width = 0;
  for (std::size_t i = 0; i < chart.bars.size(); ++i) {
    name_width = std::max(name_width, std::min(210.0, text_width(chart.bars[i].name)));
    value_width = std::max(value_width, text_width(values[i]));
  }
  const double row = wide ? 28 : 42;
  const double left =
      wide ? name_width + 14
           : std::max(8.0, axis.ticks().empty() ? 0 : text_width(axis.ticks().front().label) / 2);
  const double right = wide ? value_width + 18 : last_tick_room(axis);
  const double top = chart.reference && !chart.reference_label.empty() ? 24 : 6;
  const double plot_height = row * static_cast<double>(std::max<std::size_t>(1, chart.bars.size()));
  const Frame frame = {left, top, width - left - right, plot_height};
  const AxisLabel label =
      axis_label(chart.value_label, frame.left + frame.width / 2, frame.bottom() + 40, width);
  const double height = frame.bottom() + (chart.value_label.empty() ? 26 : 46) + label.more_height;

  Drawing drawing{svg_start(layout, height,
                            fmt::format("{}. {} values of {}", chart.title, chart.bars.size(),
                                        chart.value_label)),
                  height};
  std::string& svg = drawing.svg;
  BarPlace place{axis, frame, width, row, wide};
  place.zero = place.x_of(std::clamp(0.0, axis.range().low, axis.range().high));
  for (const Tick& tick : axis.ticks()) {
    svg += fmt::format("<path class=\"grid\" d=\"M{} {}v{}\"/>", coordinate(place.x_of(tick.value)),
                       coordinate(frame.top), coordinate(frame.height));
  }
  svg += x_axis_svg(frame, axis);
  svg += label.svg;
  if (chart.reference && drawable(*chart.reference)) {
    const double x = place.x_of(*chart.reference);
    svg += fmt::format("<path class=\"reference\" d=\"M{} {}v{}\"/>", coordinate(x),
                       coordinate(frame.top - 4), coordinate(frame.height + 4));
    const bool at_right = x > frame.left + frame.width / 2;
    svg += svg_text(x, frame.top - 10, chart.reference_label, at_right ? "muted end" : "muted");
  }
  for (std::size_t i = 0; i < chart.bars.size(); ++i) {
    const Bar& bar = chart.bars[i];
    svg += bar_svg(chart, bar, values[i], place, frame.top + place.row * static_cast<double>(i));
  }
  svg += "</svg>\n";
  return drawing;
}

}  // namespace

std::string to_svg(const BarChart& chart, Layout layout) { return draw(chart, layout).svg; }

std::string to_standalone_svg(const BarChart& chart) {
  const Drawing drawing = draw(chart, Layout::kWide);
  return standalone_svg(chart.title, drawing.svg, drawing.height);
}

std::vector<std::string> value_texts(const BarChart& chart) {
  const Axis axis = axis_of(chart, Layout::kWide);
  std::vector<std::string> texts;
  for (const Bar& bar : chart.bars) {
    texts.push_back(axis.text(bar.value));
    if (has_interval(bar)) {
      texts.back() +=
          fmt::format(" ({}{}{})", axis.text(bar.interval->low),
                      bar.interval->low < 0 ? " to " : "–", axis.text(bar.interval->high));
    }
  }
  return texts;
}

}  // namespace ifd
