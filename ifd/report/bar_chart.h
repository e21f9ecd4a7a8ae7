// One value per name, as bars or as dots with intervals: shares of experts, means of a profile.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "ifd/report/axis.h"
#include "ifd/report/chart_style.h"

namespace ifd {

struct Bar {
  std::string name;
  double value = std::numeric_limits<double>::quiet_NaN();  // not drawable: written as missing
  std::optional<Range> interval = {};
  Emphasis emphasis = Emphasis::kNormal;
};

struct BarChart {
  enum class Mark {
    kBar,  // from zero, for shares and counts
    kDot,  // on an axis that need not start at zero, for means with intervals
  };
  std::string title;
  std::string value_label;
  std::vector<Bar> bars;  // drawn from top to bottom in this order
  Mark mark = Mark::kBar;
  Unit unit = Unit::kNumber;
  std::optional<Range> range = {};
  std::optional<double> reference = {};  // a dashed line across, such as chance or the model
  std::string reference_label = {};
  std::string note = {};
};

// Styled by the page: see theme_css and chart_css. Names stand left of the marks, on a narrow
// screen above them; values stand at the right.
std::string to_svg(const BarChart& chart, Layout layout = Layout::kWide);
std::string to_standalone_svg(const BarChart& chart);

// A bar's value as the chart writes it: "0.812", with an interval "0.812 (0.790–0.833)".
std::vector<std::string> value_texts(const BarChart& chart);

}  // namespace ifd
