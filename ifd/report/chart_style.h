// What all charts share in looks: sizes, colours, dashes, markers, axes, and the style sheet.
//
// Every series differs from the others in colour, dash pattern and marker, so that a chart reads
// the same in grey. Colours follow Okabe and Ito's palette for colour-blind readers, darkened or
// lightened where the original would not stand out from the page.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ifd/report/axis.h"

namespace ifd {

// A chart is drawn twice: kWide for desks and paper, kNarrow for phones, where shrinking the wide
// one would make its text unreadable.
enum class Layout { kWide, kNarrow };

double chart_width(Layout layout);

// kStrong for what the chart is about, kQuiet for references such as a ceiling.
enum class Emphasis { kNormal, kStrong, kQuiet };

// How a series is drawn: a line with markers; points on their own, each with its interval; or a
// thin line that is no data, such as a diagonal.
enum class SeriesForm { kLine, kPoints, kRule };

// The light and dark colours as CSS variables on :root. Follows the reader's preference unless
// the root element carries data-theme="light" or "dark"; paper is always light.
std::string theme_css();
// Rules for the classes that charts use; needs theme_css.
std::string chart_css();

// Classes that give an element the colours of a series.
std::string series_class(std::size_t series, Emphasis emphasis);
// A dash attribute with a leading space; empty for a solid line.
std::string dash_attribute(std::size_t series);
// A marker with its centre at (x, y). Eight shapes, then they repeat.
std::string marker(std::size_t series, double x, double y, double radius);
// The path data of a marker, for many markers in one path, and whether the shape is an outline.
std::string marker_path(std::size_t series, double x, double y, double radius);
bool marker_hollow(std::size_t series);
// A piece of the line with its marker, kKeyWidth wide, centred on y.
std::string line_key(std::size_t series, Emphasis emphasis, double x, double y,
                     SeriesForm form = SeriesForm::kLine);
inline constexpr double kKeyWidth = 26;

// An SVG coordinate with one digit, which is a tenth of a pixel.
std::string coordinate(double value);
// Width of a text in the charts' font, estimated: a chart is laid out before a browser sees it.
double text_width(std::string_view text);
// The text, or as much of it as fits, ending in "…".
std::string shortened(std::string_view text, double width);
// One line, or two broken at a space where one is too long; the second ends in "…" if need be.
std::vector<std::string> wrapped(std::string_view text, double width);
// A text element; `classes` may be "end" or "middle" for its anchor, "muted", "strong".
std::string svg_text(double x, double y, std::string_view text, std::string_view classes = {});

// A label in the middle below an axis, in as many lines as `wrapped` makes of it for the room that
// a chart so wide has around that place; and the height they add to one line's.
struct AxisLabel {
  std::string svg;
  double more_height;
};
AxisLabel axis_label(std::string_view text, double middle, double y, double chart_width);

struct Frame {
  double left, top, width, height;
  double right() const { return left + width; }
  double bottom() const { return top + height; }
  double x(const Axis& axis, double value) const { return left + width * axis.fraction(value); }
  double y(const Axis& axis, double value) const {
    return bottom() - height * axis.fraction(value);
  }
};

// Grid lines and labels of the ticks; labels that would touch are left out.
std::string x_axis_svg(const Frame& frame, const Axis& axis);
std::string y_axis_svg(const Frame& frame, const Axis& axis);
// Room that the labels of a y axis need at its left.
double tick_label_width(const Axis& axis);
// Room that the last label of an x axis needs at its right, where it may stand at the very end.
double last_tick_room(const Axis& axis);

struct Drawing {
  std::string svg;
  double height;
};

// <svg> start tag; `label` is what a screen reader says, `attributes` must already be escaped.
std::string svg_start(Layout layout, double height, std::string_view label,
                      std::string_view attributes = {});
// `chart`, from svg_start to </svg>, as a file of its own with its title drawn above it.
std::string standalone_svg(std::string_view title, std::string_view chart, double height);

}  // namespace ifd
