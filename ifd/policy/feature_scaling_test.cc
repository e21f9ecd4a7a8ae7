#include "ifd/policy/feature_scaling.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/refusal.h"

namespace ifd {
namespace {

Predictions with_features(std::vector<float> features, std::size_t width) {
  Predictions::Parts parts{ClassNames({"x", "y"}), {}, {}, {}, std::move(features), width};
  const std::size_t n = width == 0 ? 1 : parts.features.size() / width;
  for (std::size_t i = 0; i < n; ++i)
    parts.probabilities.insert(parts.probabilities.end(), {.5F, .5F});
  return Predictions(std::move(parts));
}

// By hand: 1, 3 has mean 2 and deviation 1; 5, 5 never varies.
TEST(FeatureScaling, HasMeanZeroAndDeviationOne) {
  const Predictions training = with_features({1, 5, 3, 5}, 2);
  const FeatureScaling scaling = FeatureScaling::fit(training);
  EXPECT_EQ(scaling.mean, (std::vector<float>{2, 5}));
  EXPECT_EQ(scaling.scale, (std::vector<float>{1, 0}));
  EXPECT_EQ(scaling.apply(training, "t"), (std::vector<float>{-1, 0, 1, 0}));
  // A feature that carried nothing in training is not read later.
  EXPECT_EQ(scaling.apply(with_features({4, 100}, 2), "t"), (std::vector<float>{2, 0}));
}

TEST(FeatureScaling, RefusesOtherWidthsAndNoFeatures) {
  const FeatureScaling scaling = FeatureScaling::fit(with_features({1, 5, 3, 5}, 2));
  EXPECT_EQ(refusal([&] {
              scaling.apply(with_features({1, 2, 3}, 3), "v.npz");
            }),
            "v.npz: features of width 3; expected 2");
  EXPECT_EQ(refusal([] { FeatureScaling::fit(with_features({}, 0)); }),
            "the training predictions have no features; expected them for this method");
}

}  // namespace
}  // namespace ifd
