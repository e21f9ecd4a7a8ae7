#include "ifd/report/line_chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ifd/error.h"
#include "ifd/random/keyed_random.h"

namespace ifd {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; at += part.size()) ++found;
  return found;
}

LineChart chart_of(std::vector<Series> series) {
  LineChart chart;
  chart.title = "Accuracy";
  chart.x_label = "budget";
  chart.y_label = "system accuracy";
  chart.series = std::move(series);
  return chart;
}

TEST(LineChart, DrawsEverySeriesOnceAndNamesIt) {
  for (std::size_t series_count = 1; series_count <= 30; ++series_count) {
    std::vector<Series> series;
    for (std::size_t i = 0; i < series_count; ++i) {
      const double level = static_cast<double>(i);
      series.push_back({"line-" + std::to_string(i) + "!", {0, 1}, {level, level}, {}, {}});
    }
    for (const Layout layout : {Layout::kWide, Layout::kNarrow}) {
      const std::string svg = to_svg(chart_of(series), layout);
      EXPECT_EQ(count(svg, "<path class=\"line\""), series_count);
      for (const Series& one : series) EXPECT_THAT(svg, HasSubstr(">" + one.name + "</text>"));
    }
  }
}

// Two series look the same only if colour, dash and marker all agree; that first happens after
// lcm(7, 5, 8) = 280 series.
TEST(LineChart, SeriesDifferInMoreThanColour) {
  for (std::size_t a = 0; a < 40; ++a) {
    for (std::size_t b = a + 1; b < 40; ++b) {
      EXPECT_TRUE(dash_attribute(a) != dash_attribute(b) ||
                  marker(a, 0, 0, 4) != marker(b, 0, 0, 4))
          << a << " and " << b;
    }
  }
}

TEST(LineChart, AMissingValueBreaksTheLineAndTheBand) {
  const double nan = std::nan("");
  const std::string svg = to_svg(
      chart_of({{"a", {0, 1, 2, 3, 4}, {1, 2, nan, 2, 1}, {0, 1, nan, 1, 0}, {2, 3, nan, 3, 2}}}));
  for (const std::string_view kind : {"<path class=\"line\" d=\"", "<path class=\"band\" d=\""}) {
    const std::size_t start = svg.find(kind) + kind.size();
    EXPECT_EQ(count(svg.substr(start, svg.find('"', start) - start), "M"), 2u) << kind;
  }
}

TEST(LineChart, ThinningKeepsAStraightLineStraightAndASpikeVisible) {
  Series straight{"straight", {}, {}, {}, {}};
  for (int i = 0; i <= 10000; ++i) {
    straight.x.push_back(i);
    straight.y.push_back(i == 5000 ? 20000 : i);
  }
  const std::string svg = to_svg(chart_of({straight}));
  const std::string_view kind = "<path class=\"line\" d=\"";
  const std::size_t start = svg.find(kind) + kind.size();
  const std::string path = svg.substr(start, svg.find('"', start) - start);
  EXPECT_EQ(count(path, "L"), 4u) << path;  // up to the spike, its tip, its foot, the end
}

// Hand calculation: half way between (0, 0.2) and (1, 0.4) the line is at 0.3; on a logarithmic
// axis half way between 1 and 100 is 10.
TEST(LineChart, ReadingsAreOnTheLine) {
  LineChart chart = chart_of({{"a", {0, 1}, {0.2, 0.4}, {0.1, 0.3}, {0.3, 0.5}},
                              {"b", {0, 0.5, 1}, {0.6, 0.8, 0.6}, {}, {}},
                              {"c", {0.5, 1}, {0, std::nan("")}, {}, {}}});
  chart.y_range = Range{0, 1};
  const ChartReadings read = readings(chart);
  ASSERT_EQ(read.rows.size(), 3u);
  EXPECT_EQ(read.rows[1].x, "0.5");
  EXPECT_EQ(read.rows[1].cells[0].text, "0.300 (0.200–0.400)");
  EXPECT_EQ(read.rows[1].cells[1].text, "0.800");
  EXPECT_NEAR(*read.rows[1].cells[1].fraction, 0.8, 1e-12);
  EXPECT_EQ(read.rows[0].cells[2].text, "–");
  EXPECT_EQ(read.rows[2].cells[2].text, "–");
  EXPECT_FALSE(read.rows[2].cells[2].fraction.has_value());

  LineChart logarithmic = chart_of({{"a", {1, 100}, {0, 1}, {}, {}}, {"b", {10}, {0}, {}, {}}});
  logarithmic.x_scale = Scale::kLogarithmic;
  EXPECT_EQ(readings(logarithmic).rows[1].cells[0].text, "0.500");
}

// A curve over many cases is read at 101 even steps, and each reading is the curve's own value.
TEST(LineChart, ReadingsOfALongCurveAreEvenAndExact) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Series curve{"a", {}, {}, {}, {}};
    constexpr int kCases = 5000;
    for (int i = 0; i <= kCases; ++i) {
      curve.x.push_back(static_cast<double>(i) / kCases);
      curve.y.push_back(std::round(1000 * Key(seed).uniform(i)) / 1000);
    }
    LineChart chart = chart_of({curve});
    chart.x_unit = Unit::kPercent;
    const ChartReadings read = readings(chart);
    ASSERT_EQ(read.rows.size(), 101u);
    EXPECT_EQ(read.rows[37].x, "37%");
    for (std::size_t i = 0; i <= 100; ++i) {
      EXPECT_NEAR(std::stod(read.rows[i].cells[0].text), curve.y[i * kCases / 100], 6e-4);
    }
  }
}

LineChart points_and_diagonal() {
  Series points{"points", {.2, .6}, {.3, .5}, {.1, .4}, {.5, .6}};
  points.form = SeriesForm::kPoints;
  points.notes = {"7 cases", "<9> cases"};
  Series diagonal{"diagonal", {0, 1}, {0, 1}, {}, {}};
  diagonal.form = SeriesForm::kRule;
  LineChart chart = chart_of({points, diagonal});
  chart.x_range = chart.y_range = Range{0, 1};
  return chart;
}

// Points are not joined and each has its upright interval; a rule has no markers. Each name has a
// key of the same kind.
TEST(LineChart, PointsAreNotJoinedAndARuleHasNoMarkers) {
  for (const Layout layout : {Layout::kWide, Layout::kNarrow}) {
    const std::string svg = to_svg(points_and_diagonal(), layout);
    EXPECT_EQ(count(svg, "<path class=\"line\""), 1u);
    EXPECT_EQ(count(svg, "<path class=\"line key\""), 1u);
    EXPECT_EQ(count(svg, "<path class=\"mark\""), 3u);  // two points and their key
    EXPECT_EQ(count(svg, "<path class=\"interval\""), 1u);
    EXPECT_EQ(count(svg, "<path class=\"band\""), 0u);
    EXPECT_EQ(count(svg, "class=\"leader\""), 0u);
    EXPECT_THAT(svg, HasSubstr(">points</text>"));
  }
}

// Rows are the points alone, with what is noted of them; between points nothing is read off.
TEST(LineChart, ReadingsOfPointsAreThePointsWithTheirNotes) {
  LineChart chart = points_and_diagonal();
  Series other{"other", {.4}, {.9}, {}, {}};
  other.form = SeriesForm::kPoints;
  chart.series.push_back(other);
  const ChartReadings read = readings(chart);
  ASSERT_EQ(read.rows.size(), 3u);
  EXPECT_THAT(read.rows[0].cells[0].text, HasSubstr("), 7 cases"));
  EXPECT_FALSE(read.rows[1].cells[0].fraction.has_value());
  EXPECT_DOUBLE_EQ(read.rows[1].cells[1].fraction.value(), .4);
  EXPECT_THAT(read.rows[2].cells[0].text, HasSubstr("), <9> cases"));
}

TEST(LineChart, RefusesSeriesThatDoNotFitTogether) {
  EXPECT_THROW(to_svg(chart_of({{"a", {0, 1}, {1}, {}, {}}})), Error);
  EXPECT_THROW(to_svg(chart_of({{"a", {1, 0}, {1, 1}, {}, {}}})), Error);
  EXPECT_THROW(to_svg(chart_of({{"a", {0, 1}, {1, 1}, {0, 0}, {}}})), Error);
  EXPECT_THROW(to_svg(chart_of({{"a", {0, 1}, {1, 1}, {0}, {2}}})), Error);
  LineChart chart = chart_of({{"a", {0, 1}, {1, 1}, {}, {}}});
  chart.x_scale = Scale::kLogarithmic;
  chart.x_range = Range{0, 10};
  EXPECT_THROW(to_svg(chart), Error);
}

TEST(LineChart, StandsAloneWithItsStyles) {
  const std::string svg = to_standalone_svg(chart_of({{"a", {0, 1}, {0, 1}, {}, {}}}));
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_THAT(svg, HasSubstr("prefers-color-scheme:dark"));
  EXPECT_THAT(svg, HasSubstr("<title>Accuracy</title>"));
  EXPECT_THAT(svg, Not(HasSubstr("<script")));
}

// A long label below a narrow chart stands in two lines.
TEST(LineChart, TheLabelOfTheAxisFits) {
  LineChart chart;
  chart.x_label = "accuracy promised by the profile on the cases that are deferred";
  chart.series = {{"a", {0, 1}, {0, 1}, {}, {}}};
  EXPECT_NE(to_svg(chart, Layout::kWide).find(">" + chart.x_label + "<"), std::string::npos);
  const std::string narrow = to_svg(chart, Layout::kNarrow);
  EXPECT_EQ(narrow.find(">" + chart.x_label + "<"), std::string::npos);
  EXPECT_NE(narrow.find("deferred</text>"), std::string::npos);
}

}  // namespace
}  // namespace ifd
