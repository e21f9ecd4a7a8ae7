#include "ifd/report/chart_style.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "ifd/report/html_text.h"

namespace ifd {
namespace {

constexpr std::size_t kColours = 7;
constexpr std::array<std::string_view, kColours> kLight = {
    "#0072b2", "#c44e00", "#00805c", "#b0508a", "#a87400", "#3a8fc4", "#4a4a4a"};
constexpr std::array<std::string_view, kColours> kDark = {
    "#4da6e0", "#f08042", "#2fc49a", "#e092bf", "#e6ac2e", "#9ad4f5", "#c8c8c8"};

constexpr std::array<std::string_view, 5> kDashes = {"", "7 4", "2 3.5", "10 4 2 4", "14 5"};

std::string colours(const std::array<std::string_view, kColours>& series,
                    std::string_view page_colours) {
  std::string css(page_colours);
  for (std::size_t i = 0; i < kColours; ++i) css += fmt::format("--series-{}:{};", i, series[i]);
  return css;
}

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

// Advance of a character at 13 px in a wide sans-serif font; narrower fonts leave some air.
double character_width(char first_byte) {
  const std::string_view one(&first_byte, 1);
  if (std::string_view("iljtfrI.,:;'|!()[] -").find(one) != std::string_view::npos) return 5.2;
  if (std::string_view("mwMWQ%@").find(one) != std::string_view::npos) return 12.3;
  const bool plain = (first_byte >= 'a' && first_byte <= 'z');
  return plain ? 7.9 : 8.6;
}

}  // namespace

double chart_width(Layout layout) { return layout == Layout::kWide ? 760 : 360; }

std::string theme_css() {
  const std::string light =
      colours(kLight,
              "color-scheme:light;--paper:#fff;--panel:#f6f6f3;--ink:#1d1f21;--muted:#5f6368;"
              "--grid:#e4e4df;--axis:#9a9c9e;--quiet:#85888c;--accent:#0072b2;");
  const std::string dark =
      colours(kDark,
              "color-scheme:dark;--paper:#16181a;--panel:#1f2225;--ink:#e9e9e6;--muted:#a3a6a9;"
              "--grid:#2d3135;--axis:#6d7174;--quiet:#8b8f93;--accent:#4da6e0;");
  return fmt::format(
      ":root{{{0}}}\n"
      "@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{1}}}}}\n"
      "@media screen{{:root[data-theme=dark]{{{1}}}}}\n",
      light, dark);
}

std::string chart_css() {
  std::string css = R"(
.ifd-chart{font:13px/1.3 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums;--colour:var(--ink)}
.ifd-chart text{fill:var(--ink);stroke:var(--paper);stroke-width:3.5px;stroke-linejoin:round;paint-order:stroke}
.ifd-chart .muted{fill:var(--muted)}
.ifd-chart .strong{font-weight:650}
.ifd-chart .end{text-anchor:end}
.ifd-chart .middle{text-anchor:middle}
.ifd-chart .title{font-size:17px;font-weight:650}
.ifd-chart .paper{fill:var(--paper)}
.ifd-chart .grid{stroke:var(--grid);stroke-width:1;fill:none;shape-rendering:crispEdges}
.ifd-chart .axis{stroke:var(--axis);stroke-width:1;fill:none;shape-rendering:crispEdges}
.ifd-chart .reference{stroke:var(--axis);stroke-width:1;stroke-dasharray:3 3;fill:none}
.ifd-chart .leader{stroke:var(--colour);stroke-width:.8;fill:none;opacity:.65}
.ifd-chart .line{stroke:var(--colour);stroke-width:1.9;fill:none;stroke-linejoin:round;stroke-linecap:round}
.ifd-chart .strong-series .line{stroke-width:3.2}
.ifd-chart .quiet-series .line{stroke-width:1.4}
.ifd-chart .band{fill:var(--colour);stroke:none;opacity:.13}
.ifd-chart .mark{fill:var(--colour);stroke:var(--paper);stroke-width:1}
.ifd-chart .hollow{fill:var(--paper);stroke:var(--colour);stroke-width:1.6}
.ifd-chart .bar{fill:var(--colour)}
.ifd-chart .interval{stroke:var(--colour);stroke-width:2;fill:none}
.ifd-chart .over-bar{stroke:var(--ink);stroke-width:1.4}
.ifd-chart .point{fill:var(--colour);stroke:none}
.ifd-chart .point.outline{fill:none;stroke:var(--colour);stroke-width:1.1}
.ifd-chart .faint{opacity:.28}
.ifd-chart .lit{stroke:var(--ink);stroke-width:.7}
.ifd-chart .panel{fill:none;stroke:var(--axis);stroke-width:1}
)";
  for (std::size_t i = 0; i < kColours; ++i) {
    css += fmt::format(".series-{0}{{--colour:var(--series-{0})}}\n", i);
  }
  css += ".ifd-chart .quiet-series,.quiet-series{--colour:var(--quiet)}\n";
  return css;
}

std::string series_class(std::size_t series, Emphasis emphasis) {
  std::string_view suffix;
  if (emphasis == Emphasis::kStrong) suffix = " strong-series";
  if (emphasis == Emphasis::kQuiet) suffix = " quiet-series";
  return fmt::format("series-{}{}", series % kColours, suffix);
}

std::string dash_attribute(std::size_t series) {
  const std::string_view dash = kDashes[series % kDashes.size()];
  return dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dash);
}

std::string marker_path(std::size_t series, double x, double y, double radius) {
  const auto c = [](double value) { return coordinate(value); };
  const double r = radius;
  switch (series % 4) {
    case 0:  // circle
      return fmt::format("M{0} {1}a{2} {2} 0 1 0 {3} 0a{2} {2} 0 1 0 -{3} 0z", c(x - r), c(y), c(r),
                         c(2 * r));
    case 1:  // square
      return fmt::format("M{0} {1}h{2}v{2}h-{2}z", c(x - 0.88 * r), c(y - 0.88 * r), c(1.76 * r));
    case 2:  // triangle
      return fmt::format("M{} {}l{} {}h-{}z", c(x), c(y - 1.2 * r), c(1.15 * r), c(2 * r),
                         c(2.3 * r));
    default:  // diamond
      return fmt::format("M{0} {1}l{2} {2}l-{2} {2}l-{2} -{2}z", c(x), c(y - 1.3 * r), c(1.3 * r));
  }
}

bool marker_hollow(std::size_t series) { return series / 4 % 2 == 1; }

std::string marker(std::size_t series, double x, double y, double radius) {
  return fmt::format("<path class=\"mark{}\" d=\"{}\"/>", marker_hollow(series) ? " hollow" : "",
                     marker_path(series, x, y, radius));
}

std::string line_key(std::size_t series, Emphasis emphasis, double x, double y, SeriesForm form) {
  std::string key = fmt::format("<g class=\"{}\">", series_class(series, emphasis));
  if (form != SeriesForm::kPoints) {
    key += fmt::format("<path class=\"line key\"{} d=\"M{} {}h{}\"/>", dash_attribute(series),
                       coordinate(x), coordinate(y), coordinate(kKeyWidth));
  }
  if (form != SeriesForm::kRule) key += marker(series, x + kKeyWidth / 2, y, 4);
  return key + "</g>";
}

std::string coordinate(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

double text_width(std::string_view text) {
  double width = 0;
  for (const char c : text) {
    if (starts_character(c)) width += character_width(c);
  }
  return width;
}

std::string shortened(std::string_view text, double width) {
  if (text_width(text) <= width) return std::string(text);
  const double ellipsis = 13;
  double used = ellipsis;
  std::size_t end = 0;
  for (; end < text.size(); ++end) {
    if (!starts_character(text[end])) continue;
    used += character_width(text[end]);
    if (used > width) break;
  }
  return std::string(text.substr(0, end)) + "…";
}

std::vector<std::string> wrapped(std::string_view text, double width) {
  std::size_t split = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ' && text_width(text.substr(0, i)) <= width) split = i;
  }
  if (text_width(text) <= width || split == 0) return {shortened(text, width)};
  return {std::string(text.substr(0, split)), shortened(text.substr(split + 1), width)};
}

std::string svg_text(double x, double y, std::string_view text, std::string_view classes) {
  return fmt::format("<text{} x=\"{}\" y=\"{}\">{}</text>\n",
                     classes.empty() ? "" : fmt::format(" class=\"{}\"", classes), coordinate(x),
                     coordinate(y), escape_html(text));
}

AxisLabel axis_label(std::string_view text, double middle, double y, double chart_width) {
  constexpr double kLine = 16;
  if (text.empty()) return {"", 0};
  const std::vector<std::string> lines = wrapped(text, 2 * std::min(middle, chart_width - middle));
  AxisLabel label{"", kLine * static_cast<double>(lines.size() - 1)};
  for (const std::string& line : lines) {
    label.svg += svg_text(middle, y, line, "middle muted");
    y += kLine;
  }
  return label;
}

std::string x_axis_svg(const Frame& frame, const Axis& axis) {
  std::string svg;
  double free_from = -1e9;
  for (const Tick& tick : axis.ticks()) {
    const double x = frame.x(axis, tick.value);
    svg += fmt::format("<path class=\"axis\" d=\"M{} {}v4\"/>", coordinate(x),
                       coordinate(frame.bottom()));
    const double half = text_width(tick.label) / 2;
    if (x - half < free_from) continue;
    svg += svg_text(x, frame.bottom() + 19, tick.label, "middle muted");
    free_from = x + half + 6;
  }
  return svg + fmt::format("<path class=\"axis\" d=\"M{} {}h{}\"/>\n", coordinate(frame.left),
                           coordinate(frame.bottom()), coordinate(frame.width));
}

std::string y_axis_svg(const Frame& frame, const Axis& axis) {
  std::string svg;
  for (const Tick& tick : axis.ticks()) {
    const double y = frame.y(axis, tick.value);
    svg += fmt::format("<path class=\"grid\" d=\"M{} {}h{}\"/>", coordinate(frame.left),
                       coordinate(y), coordinate(frame.width));
    svg += svg_text(frame.left - 8, y + 4.5, tick.label, "end muted");
  }
  return svg;
}

double tick_label_width(const Axis& axis) {
  double width = 0;
  for (const Tick& tick : axis.ticks()) width = std::max(width, text_width(tick.label));
  return width + 8;
}

double last_tick_room(const Axis& axis) {
  constexpr double kLeast = 14;
  return axis.ticks().empty() ? kLeast
                              : std::max(kLeast, text_width(axis.ticks().back().label) / 2 + 1);
}

std::string svg_start(Layout layout, double height, std::string_view label,
                      std::string_view attributes) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ifd-chart {}\" role=\"img\" "
      "viewBox=\"0 0 {} {}\" aria-label=\"{}\"{}>\n",
      layout == Layout::kWide ? "wide" : "narrow", coordinate(chart_width(layout)),
      coordinate(height), escape_html(label), attributes);
}

std::string standalone_svg(std::string_view title, std::string_view chart, double height) {
  constexpr double kPadding = 20;
  const double title_height = title.empty() ? 0 : 34;
  const double width = chart_width(Layout::kWide) + 2 * kPadding;
  const double full_height = height + title_height + 2 * kPadding;
  const std::string_view inner = chart.substr(std::string_view("<svg").size());
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ifd-chart\" role=\"img\" "
      "viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\">\n<title>{2}</title>\n"
      "<style>\n{3}{4}</style>\n<rect class=\"paper\" width=\"{0}\" height=\"{1}\"/>\n{5}"
      "<svg overflow=\"visible\" x=\"{6}\" y=\"{7}\" width=\"{8}\" height=\"{9}\"{10}</svg>\n",
      coordinate(width), coordinate(full_height), escape_html(title), theme_css(), chart_css(),
      title.empty() ? "" : svg_text(kPadding, kPadding + 15, title, "title"), coordinate(kPadding),
      coordinate(kPadding + title_height), coordinate(chart_width(Layout::kWide)),
      coordinate(height), inner);
}

}  // namespace ifd
