#include "ifd/experts/prototypicality.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "ifd/error.h"
#include "ifd/random/keyed_random.h"

namespace ifd {
namespace {

Predictions points(std::vector<float> xy, std::vector<ClassId> labels, std::size_t classes = 2) {
  Predictions::Parts parts{ClassNames::numbered(classes), {}, {}, labels, std::move(xy), 2};
  parts.probabilities.assign(labels.size() * classes, 1.0f / static_cast<float>(classes));
  return Predictions(std::move(parts));
}

constexpr ClassId kA{0}, kB{1};

// By hand: class 0 has centre (1, 0) and radius 1; class 1 has centre (5, 3) and radius 3.
TEST(FeatureSpace, CentresAndRadiiByHand) {
  const auto space = FeatureSpace::fit(points({0, 0, 2, 0, 5, 0, 5, 6}, {kA, kA, kB, kB}));
  EXPECT_THAT(space.distances(std::array{1.f, 0.f}), testing::ElementsAre(0, 5));
  EXPECT_DOUBLE_EQ(space.prototypicality(std::array{1.f, 0.f}, kA), 1);
  EXPECT_DOUBLE_EQ(space.prototypicality(std::array{1.f, 0.75f}, kA), 0.25);
  EXPECT_DOUBLE_EQ(space.prototypicality(std::array{5.f, 4.f}, kB), 2.0 / 3);
  EXPECT_DOUBLE_EQ(space.prototypicality(std::array{1.f, 0.f}, kB), 0);  // beyond the radius
  const auto distances = space.distances(std::array{5.f, 4.f});
  EXPECT_THAT(space.prototypicalities(distances), testing::ElementsAre(0, 1 - 1.0 / 3));
}

TEST(FeatureSpace, AClassOfOnePointKnowsOnlyThatPoint) {
  const auto space = FeatureSpace::fit(points({0, 0, 2, 0, 5, 0}, {kA, kA, kB}));
  EXPECT_EQ(space.prototypicality(std::array{5.f, 0.f}, kB), 1);
  EXPECT_EQ(space.prototypicality(std::array{5.f, 1e-6f}, kB), 0);
}

TEST(FeatureSpace, AClassWithoutATrainingCaseIsNamed) {
  try {
    FeatureSpace::fit(points({0, 0, 2, 0}, {kA, kB}, 3));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "class '2' has no training case; expected at least one");
  }
}

TEST(FeatureSpace, RefusesOtherWidths) {
  const auto space = FeatureSpace::fit(points({0, 0, 2, 0}, {kA, kB}));
  EXPECT_THROW(space.distances(std::array{1.f}), Error);
}

TEST(FeatureSpace, RowOrderChangesNoBit) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::vector<float> xy;
    std::vector<ClassId> labels;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < 50; ++i) {
      labels.push_back(class_id(i % 2));
      order.push_back(i);
      for (int d = 0; d < 2; ++d) xy.push_back(static_cast<float>(Key(seed).with(i).normal(d)));
    }
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return Key(seed).with("order").bits(a) < Key(seed).with("order").bits(b);
    });
    const Predictions cases = points(xy, labels);
    const std::array probe{0.3f, -0.7f};
    EXPECT_EQ(FeatureSpace::fit(cases).distances(probe),
              FeatureSpace::fit(cases.subset(order)).distances(probe));
  }
}

}  // namespace
}  // namespace ifd
