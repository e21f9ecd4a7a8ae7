#include "ifd/report/scatter_map.h"

#include <fmt/format.h>

#include <algorithm>

#include "ifd/error.h"
#include "ifd/report/axis.h"

namespace ifd {
namespace {

using State = MapPoint::State;

bool drawable(const MapPoint& point) {
  return drawable(point.x, Scale::kLinear) && drawable(point.y, Scale::kLinear);
}

// The square of the plane that holds every point, with a little air around it.
struct Square {
  Axis x, y;
};

Square square_around(const ScatterMap& map) {
  std::vector<double> xs, ys;
  for (const MapPanel& panel : map.panels) {
    for (const MapPoint& point : panel.points) {
      if (!drawable(point)) continue;
      xs.push_back(point.x);
      ys.push_back(point.y);
    }
  }
  const Range x = range_of(xs, Scale::kLinear);
  const Range y = range_of(ys, Scale::kLinear);
  const double half = 0.53 * std::max(x.high - x.low, y.high - y.low);
  const auto around = [half](Range range) {
    const double middle = range.low / 2 + range.high / 2;
    return Axis({middle - half, middle + half}, Scale::kLinear, Unit::kNumber, 3);
  };
  return {around(x), around(y)};
}

// The points of one group and state as a single path: thousands of points stay a small file.
std::string points_path(const MapPanel& panel, std::size_t group, State state, const Frame& frame,
                        const Square& square, double radius) {
  std::string path;
  for (const MapPoint& point : panel.points) {
    if (point.group != group || point.state != state || !drawable(point)) continue;
    path += marker_path(group, frame.x(square.x, point.x), frame.y(square.y, point.y), radius);
  }
  return path;
}

std::string points_svg(std::string_view path, std::size_t group, State state) {
  return fmt::format("<path class=\"point{}{} {}\" d=\"{}\"/>",
                     marker_hollow(group) ? " outline" : "",
                     state == State::kFaint         ? " faint"
                     : state == State::kHighlighted ? " lit"
                                                    : "",
                     series_class(group, Emphasis::kNormal), path);
}

double radius_of(State state, double scale) {
  return scale * (state == State::kFaint ? 1.8 : state == State::kHighlighted ? 3.2 : 2.4);
}

constexpr double kBold = 1.08;  // how much wider a bold title is

double point_scale(double side) { return side < 200 ? 0.75 : 1; }

void check(const ScatterMap& map) {
  for (const MapPanel& panel : map.panels) {
    for (const MapPoint& point : panel.points) {
      if (point.group < map.groups.size()) continue;
      throw bad_input(
          fmt::format("map '{}', panel '{}': a point of group {}; expected less than {}", map.title,
                      panel.title, point.group, map.groups.size()));
    }
  }
}

struct MapLegend {
  std::string svg;
  double height = 0;
};

MapLegend legend_of(const ScatterMap& map, double width) {
  // Legend: groups by marker, then what faint and highlighted mean.
  struct Entry {
    std::string name;
    std::string svg;
  };
  std::vector<Entry> entries;
  const auto key = [](std::size_t group, State state) {
    return points_svg(marker_path(group, 8, 8, radius_of(state, 1.5)), group, state);
  };
  for (std::size_t i = 0; i < map.groups.size(); ++i) {
    entries.push_back({map.groups[i], key(i, State::kNormal)});
  }
  if (!map.highlighted_label.empty()) {
    entries.push_back({map.highlighted_label, key(0, State::kHighlighted)});
  }
  if (!map.faint_label.empty()) entries.push_back({map.faint_label, key(0, State::kFaint)});
  MapLegend legend;
  double x = 0;
  double y = 0;
  for (const Entry& entry : entries) {
    const double item = std::min(width, 20 + text_width(entry.name) + 16);
    if (x > 0 && x + item > width) {
      x = 0;
      y += 20;
    }
    legend.svg +=
        fmt::format("<g transform=\"translate({} {})\">{}{}</g>\n", coordinate(x), coordinate(y),
                    entry.svg, svg_text(20, 12.5, shortened(entry.name, width - 20)));
    x += item;
  }
  legend.height = entries.empty() ? 0 : y + 30;
  return legend;
}

enum class AxisLabels { kShown, kHidden };

std::string panel_svg(const ScatterMap& map, const MapPanel& panel, const Square& square,
                      const Frame& frame, double title_height, AxisLabels labels) {
  std::string svg;
  double line = frame.top - title_height + 18;
  for (const std::string& text : wrapped(panel.title, frame.width / kBold)) {
    svg += svg_text(frame.left, line, text, "strong");
    line += 16;
  }
  svg += svg_text(frame.left, line + 1, shortened(panel.note, frame.width), "muted");
  svg += x_axis_svg(frame, square.x);
  for (const Tick& tick : square.y.ticks()) {
    const double tick_y = frame.y(square.y, tick.value);
    svg += fmt::format("<path class=\"axis\" d=\"M{} {}h-4\"/>", coordinate(frame.left),
                       coordinate(tick_y));
    if (labels == AxisLabels::kShown)
      svg += svg_text(frame.left - 8, tick_y + 4.5, tick.label, "end muted");
  }
  for (const State state : {State::kFaint, State::kNormal, State::kHighlighted}) {
    for (std::size_t group = 0; group < map.groups.size(); ++group) {
      const std::string path = points_path(panel, group, state, frame, square,
                                           radius_of(state, point_scale(frame.width)));
      if (!path.empty()) svg += points_svg(path, group, state) + "\n";
    }
  }
  svg += fmt::format("<rect class=\"panel\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n",
                     coordinate(frame.left), coordinate(frame.top), coordinate(frame.width),
                     coordinate(frame.height));
  return svg;
}

Drawing draw(const ScatterMap& map, Layout layout) {
  check(map);
  const Square square = square_around(map);
  const bool wide = layout == Layout::kWide;
  const double width = chart_width(layout);
  const std::size_t columns = std::clamp<std::size_t>(map.columns, 1, wide ? 4 : 2);
  const std::size_t rows = (map.panels.size() + columns - 1) / columns;
  const double gap = wide ? 34 : 14;
  const double left = tick_label_width(square.y);
  const double side = std::min(320.0, (width - left - 8 - gap * static_cast<double>(columns - 1)) /
                                          static_cast<double>(columns));
  std::size_t title_lines = 1;
  for (const MapPanel& panel : map.panels) {
    title_lines = std::max(title_lines, wrapped(panel.title, side / kBold).size());
  }
  const double title_height = 28 + 16 * static_cast<double>(title_lines);

  const MapLegend legend = legend_of(map, width);
  const double top = legend.height;

  const double panel_height = title_height + side + 28;
  const double height = top + panel_height * static_cast<double>(std::max<std::size_t>(1, rows)) +
                        (map.x_label.empty() && map.y_label.empty() ? 0 : 22);
  Drawing drawing{
      svg_start(layout, height, fmt::format("{}. Map in {} panels", map.title, map.panels.size())),
      height};
  std::string& svg = drawing.svg;
  svg += legend.svg;
  for (std::size_t i = 0; i < map.panels.size(); ++i) {
    const MapPanel& panel = map.panels[i];
    const std::size_t row_index = i / columns;
    const auto row = static_cast<double>(row_index);
    const auto column = static_cast<double>(i - row_index * columns);
    const Frame frame = {left + column * (side + gap), top + row * panel_height + title_height,
                         side, side};
    svg += panel_svg(map, panel, square, frame, title_height,
                     i % columns == 0 ? AxisLabels::kShown : AxisLabels::kHidden);
  }
  if (!map.x_label.empty() || !map.y_label.empty()) {
    const std::string_view between = map.x_label.empty() || map.y_label.empty() ? "" : " · ";
    svg += svg_text(left, height - 6,
                    fmt::format("{}{}{}", map.x_label.empty() ? "" : "→ " + map.x_label, between,
                                map.y_label.empty() ? "" : "↑ " + map.y_label),
                    "muted");
  }
  svg += "</svg>\n";
  return drawing;
}

}  // namespace

std::string to_svg(const ScatterMap& map, Layout layout) { return draw(map, layout).svg; }

std::string to_standalone_svg(const ScatterMap& map) {
  const Drawing drawing = draw(map, Layout::kWide);
  return standalone_svg(map.title, drawing.svg, drawing.height);
}

}  // namespace ifd
