#include "ifd/report/axis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "ifd/random/keyed_random.h"

namespace ifd {
namespace {

std::vector<std::string> labels(const Axis& axis) {
  std::vector<std::string> texts;
  for (const Tick& tick : axis.ticks()) texts.push_back(tick.label);
  return texts;
}

void expect_inside_and_few(const Axis& axis) {
  const std::vector<Tick>& ticks = axis.ticks();
  ASSERT_GE(ticks.size(), 3u);
  ASSERT_LE(ticks.size(), 11u);
  std::set<std::string> names;
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    EXPECT_GE(ticks[i].value, axis.range().low);
    EXPECT_LE(ticks[i].value, axis.range().high);
    if (i > 0) {
      EXPECT_GT(ticks[i].value, ticks[i - 1].value);
    }
    EXPECT_TRUE(names.insert(ticks[i].label).second) << ticks[i].label << " twice";
  }
}

// Ranges of every size, near zero and far from it, some of zero width.
Range random_range(const Key& key) {
  const double width = std::pow(10, -200 + 400 * key.uniform(0));
  switch (key.below(4, 1)) {
    case 0:
      return {width, width};
    case 1:
      return {key.uniform(2) - 0.5, key.uniform(3)};
    case 2:
      return {width * key.normal(4), width * key.normal(5)};
    default:
      return {width * (1 + 1e-5 * key.normal(6)), width};
  }
}

TEST(Axis, LinearTicksAreInsideEvenAndFew) {
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Range range = random_range(Key(seed));
    for (const Unit unit : {Unit::kNumber, Unit::kPercent}) {
      const Axis tight(range, Scale::kLinear, unit);
      for (const Axis& axis : {tight, tight.opened(), Axis(range, Scale::kLinear, unit, 3)}) {
        expect_inside_and_few(axis);
        const std::vector<Tick>& ticks = axis.ticks();
        const double step = ticks[1].value - ticks[0].value;
        const double rounding =
            1e-9 * std::max(std::abs(axis.range().low), std::abs(axis.range().high));
        for (std::size_t i = 1; i < ticks.size(); ++i) {
          EXPECT_NEAR(ticks[i].value - ticks[i - 1].value, step, rounding);
        }
        const double mantissa = step / std::pow(10, std::floor(std::log10(step) + 1e-3));
        const double nearest = mantissa < 1.5 ? 1 : mantissa < 3 ? 2 : 5;
        EXPECT_NEAR(mantissa, nearest, 1e-2);
      }
      const Axis opened = tight.opened();
      EXPECT_NEAR(opened.fraction(opened.ticks().front().value), 0, 1e-6);
      EXPECT_NEAR(opened.fraction(opened.ticks().back().value), 1, 1e-6);
      EXPECT_GE(tight.range().low - opened.range().low, -1e-9 * std::abs(tight.range().low));
      EXPECT_GE(opened.range().high - tight.range().high, -1e-9 * std::abs(tight.range().high));
    }
  }
}

TEST(Axis, LogarithmicTicksAreInsideAndFew) {
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key(seed);
    const double low = std::pow(10, -100 + 200 * key.uniform(0));
    const double decades = key.below(2, 1) == 0 ? 3 * key.uniform(2) : 90 * key.uniform(2);
    expect_inside_and_few(
        Axis({low, low * std::pow(10, decades)}, Scale::kLogarithmic, Unit::kNumber));
  }
}

TEST(Axis, ReadsAsAPersonWouldWriteIt) {
  using Labels = std::vector<std::string>;
  EXPECT_EQ(labels(Axis({0, 1}, Scale::kLinear, Unit::kPercent)),
            (Labels{"0%", "20%", "40%", "60%", "80%", "100%"}));
  EXPECT_EQ(labels(Axis({0.712, 0.897}, Scale::kLinear, Unit::kNumber).opened()),
            (Labels{"0.70", "0.75", "0.80", "0.85", "0.90"}));
  EXPECT_EQ(labels(Axis({-1, 1}, Scale::kLinear, Unit::kNumber)),
            (Labels{"\u22121.0", "\u22120.5", "0.0", "0.5", "1.0"}));
  EXPECT_EQ(labels(Axis({5, 640}, Scale::kLogarithmic, Unit::kNumber)),
            (Labels{"5", "10", "20", "50", "100", "200", "500"}));
  EXPECT_EQ(labels(Axis({1, 1e6}, Scale::kLogarithmic, Unit::kNumber)),
            (Labels{"1", "10", "100", "1000", "10000", "100000", "1e+06"}));
}

TEST(Axis, FractionAndValueAreInverse) {
  for (const Scale scale : {Scale::kLinear, Scale::kLogarithmic}) {
    const Axis axis({5, 640}, scale, Unit::kNumber);
    for (const double value : {5.0, 20.0, 333.0, 640.0}) {
      EXPECT_NEAR(axis.value(axis.fraction(value)), value, 1e-9);
    }
    EXPECT_EQ(axis.fraction(5), 0);
    EXPECT_EQ(axis.fraction(640), 1);
    EXPECT_LE(axis.fraction(1e299), 5);
  }
}

TEST(Axis, TextsResolveAThousandthAndStayShort) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(Axis({0.7, 0.95}, Scale::kLinear, Unit::kNumber).text(0.81249), "0.812");
  EXPECT_EQ(Axis({0, 1}, Scale::kLinear, Unit::kPercent).text(0.81249), "81.2%");
  EXPECT_EQ(Axis({5, 50}, Scale::kLinear, Unit::kNumber).short_texts({5, 10, 50}),
            (Texts{"5", "10", "50"}));
  EXPECT_EQ(Axis({0, 1}, Scale::kLinear, Unit::kPercent).short_texts({0, 0.37, 1}),
            (Texts{"0%", "37%", "100%"}));
  EXPECT_EQ(Axis({0, 1}, Scale::kLinear, Unit::kNumber).short_texts({0, 0.25, 0.5}),
            (Texts{"0.00", "0.25", "0.50"}));
}

TEST(Axis, RangeOfSkipsWhatCannotBeDrawn) {
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  const Range range = range_of({nan, 3, infinity, 1, -infinity, 1.7e308}, Scale::kLinear);
  EXPECT_EQ(range.low, 1);
  EXPECT_EQ(range.high, 3);
  EXPECT_EQ(range_of({0, -4, 2, 8}, Scale::kLogarithmic).low, 2);
  EXPECT_EQ(range_of({nan}, Scale::kLinear).high, 1);
}

// Labels stay inside and apart, and the placement p is the feasible one nearest to the wish w:
// (w - p) . (q - p) <= 0 for every feasible q, which characterises a projection on a convex set.
TEST(PushApart, IsTheNearestPlacementWithGaps) {
  const double gap = 10;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key(seed);
    const std::size_t count = 1 + key.below(12);
    const double room = 200 - gap * static_cast<double>(count - 1);
    const auto sorted = [&](const char* name, double width) {
      std::vector<double> values(count);
      for (std::size_t i = 0; i < count; ++i) values[i] = width * key.with(name).uniform(i);
      std::sort(values.begin(), values.end());
      return values;
    };
    const std::vector<double> wanted = sorted("wanted", 200);
    const std::vector<double> placed = push_apart(wanted, gap, {0, 200});
    ASSERT_EQ(placed.size(), count);
    EXPECT_GE(placed.front(), 0);
    EXPECT_LE(placed.back(), 200 + 1e-9);
    for (std::size_t i = 1; i < count; ++i) EXPECT_GE(placed[i] - placed[i - 1], gap - 1e-9);
    for (const char* name : {"a", "b", "c", "d", "e"}) {
      const std::vector<double> other = sorted(name, room);
      double product = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const double feasible = other[i] + gap * static_cast<double>(i);
        product += (wanted[i] - placed[i]) * (feasible - placed[i]);
      }
      EXPECT_LE(product, 1e-6);
    }
  }
  EXPECT_EQ(push_apart({50, 50}, 10, {0, 100}), (std::vector<double>{45, 55}));
  EXPECT_EQ(push_apart({99, 99}, 10, {0, 100}), (std::vector<double>{90, 100}));
  EXPECT_TRUE(push_apart({}, 10, {0, 100}).empty());
}

}  // namespace
}  // namespace ifd
