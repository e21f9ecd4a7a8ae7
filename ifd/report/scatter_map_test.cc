#include "ifd/report/scatter_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "ifd/error.h"

namespace ifd {
namespace {

ScatterMap map_of(std::vector<MapPoint> points) {
  ScatterMap map;
  map.groups = {"inner", "outer"};
  map.panels = {{"one", "", points}, {"two", "", points}};
  return map;
}

// Every drawable point becomes one closed marker in each panel.
TEST(ScatterMap, DrawsEveryPointInItsState) {
  const auto highlighted = MapPoint::State::kHighlighted;
  const std::string svg = to_svg(map_of({{0, 0, 0},
                                         {1, 1, 1},
                                         {2, 0, 1, highlighted},
                                         {2, 1, 1, highlighted},
                                         {std::nan(""), 1, 1}}));
  std::size_t markers = 0;
  std::size_t lit = 0;
  for (std::size_t at = 0; (at = svg.find("<path class=\"point", at)) != svg.npos; ++at) {
    const std::string path = svg.substr(at, svg.find("/>", at) - at);
    const auto closed = static_cast<std::size_t>(std::count(path.begin(), path.end(), 'z'));
    markers += closed;
    if (path.find(" lit ") != path.npos) lit += closed;
  }
  const std::size_t legend_keys = 2;
  EXPECT_EQ(markers, 8 + legend_keys);
  EXPECT_EQ(lit, 4u);
}

TEST(ScatterMap, RefusesAPointOfNoGroup) { EXPECT_THROW(to_svg(map_of({{0, 0, 2}})), Error); }

}  // namespace
}  // namespace ifd
