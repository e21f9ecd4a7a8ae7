// Points of a plane in panels side by side: which cases a policy defers, and where they lie.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ifd/report/chart_style.h"

namespace ifd {

struct MapPoint {
  enum class State { kFaint, kNormal, kHighlighted };
  double x = 0, y = 0;
  std::size_t group = 0;  // position in ScatterMap::groups: decides colour and marker
  State state = State::kNormal;
};

struct MapPanel {
  std::string title;
  std::string note;  // a second, quieter line: "defers 31% of cases"
  std::vector<MapPoint> points;
};

// All panels show the same part of the plane, and one unit is as long in x as in y.
struct ScatterMap {
  std::string title;
  std::string x_label, y_label;
  std::vector<std::string> groups;
  std::vector<MapPanel> panels;
  std::size_t columns = 2;
  std::string highlighted_label = {};  // what the states mean: "deferred", "kept by the model"
  std::string faint_label = {};
  std::string note = {};
};

// Styled by the page: see theme_css and chart_css. Points that cannot be drawn are left out; a
// point of a group that does not exist is an Error(kBadInput).
std::string to_svg(const ScatterMap& map, Layout layout = Layout::kWide);
std::string to_standalone_svg(const ScatterMap& map);

}  // namespace ifd
