#include "ifd/report/bar_chart.h"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <string>
#include <vector>

namespace ifd {
namespace {

std::vector<double> numbers(const std::string& svg, const std::string& pattern) {
  std::vector<double> found;
  const std::regex expression(pattern);
  for (std::sregex_iterator it(svg.begin(), svg.end(), expression), end; it != end; ++it) {
    found.push_back(std::stod((*it)[1]));
  }
  return found;
}

// What a bar says is its length: lengths are proportional to values.
TEST(BarChart, LengthIsProportionalToValue) {
  BarChart chart;
  chart.bars = {{"a", 0.4}, {"b", 0.2}, {"c", 0.1}, {"d", 0}};
  for (const Layout layout : {Layout::kWide, Layout::kNarrow}) {
    const std::vector<double> widths =
        numbers(to_svg(chart, layout), "class=\"bar\"[^>]* width=\"([0-9.]+)\"");
    ASSERT_EQ(widths.size(), 4u);
    EXPECT_NEAR(widths[1], widths[0] / 2, 0.1);
    EXPECT_NEAR(widths[2], widths[0] / 4, 0.1);
    EXPECT_EQ(widths[3], 0);
  }
}

TEST(BarChart, NegativeBarsEndAtZero) {
  BarChart chart;
  chart.bars = {{"gain", 1}, {"loss", -1}};
  const std::string svg = to_svg(chart);
  const std::vector<double> x = numbers(svg, "class=\"bar\" x=\"([0-9.]+)\"");
  const std::vector<double> widths = numbers(svg, "class=\"bar\"[^>]* width=\"([0-9.]+)\"");
  ASSERT_EQ(x.size(), 2u);
  EXPECT_NEAR(x[1] + widths[1], x[0], 0.1);
}

TEST(BarChart, WritesValuesWithTheirIntervals) {
  BarChart chart;
  chart.mark = BarChart::Mark::kDot;
  chart.range = Range{0, 1};
  chart.bars = {{"a", 0.8124, Range{0.79, 0.8331}}, {"b", 0.5}, {"c", std::nan("")}};
  EXPECT_EQ(value_texts(chart), (std::vector<std::string>{"0.812 (0.790–0.833)", "0.500", "–"}));
}

// A label that is too long for a phone stands in two lines, each within the chart, and the chart is
// taller by one of them.
TEST(BarChart, TheLabelOfTheAxisFits) {
  BarChart chart;
  chart.bars = {{"a", 0.4}};
  chart.unit = Unit::kPercent;
  chart.range = Range{0, 1};  // "100%" stands at the very end
  chart.value_label = "accuracy";
  const auto height = [&](Layout layout) {
    return numbers(to_svg(chart, layout), "viewBox=\"0 0 [0-9.]+ ([0-9.]+)\"").at(0);
  };
  const double short_narrow = height(Layout::kNarrow), short_wide = height(Layout::kWide);
  chart.value_label = "accuracy by class: posterior mean and 95 % interval";
  EXPECT_GT(text_width(chart.value_label), .9 * chart_width(Layout::kNarrow));
  EXPECT_EQ(height(Layout::kWide), short_wide);
  EXPECT_GT(height(Layout::kNarrow), short_narrow);
  const std::string narrow = to_svg(chart, Layout::kNarrow);
  EXPECT_EQ(narrow.find(">" + chart.value_label + "<"), std::string::npos);
  const std::regex expression("class=\"middle muted\" x=\"([0-9.]+)\" y=\"[0-9.]+\">([^<]+)<");
  std::string label;
  for (std::sregex_iterator it(narrow.begin(), narrow.end(), expression), end; it != end; ++it) {
    const double half = text_width((*it)[2].str()) / 2, middle = std::stod((*it)[1]);
    EXPECT_GE(middle - half, -.1) << (*it)[2];
    EXPECT_LE(middle + half, chart_width(Layout::kNarrow) + .1) << (*it)[2];
    if (std::isalpha(static_cast<unsigned char>((*it)[2].str()[0])) != 0)
      label += (*it)[2].str() + " ";
    if ((*it)[2].str().find("interval") != std::string::npos) label += "|";
  }
  EXPECT_NE(label.find("accuracy by class"), std::string::npos);
  EXPECT_NE(label.find("|"), std::string::npos) << label;
}

}  // namespace
}  // namespace ifd
