#include "ifd/experts/accuracy_curve.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ifd/error.h"

namespace ifd {
namespace {

// The paper's table of archetypes, to one more digit by hand: logit .99 = 4.5951, logit .85 =
// 1.7346, logit .8 = 1.3863, logit .7 = .8473. (The paper prints .886 where .8873 is due.)
TEST(AccuracyCurve, HasTheParametersOfThePaper) {
  const auto variable = AccuracyCurve::from_targets(0.99, 0.50);
  EXPECT_NEAR(variable.alpha, 4.5951, 5e-5);
  EXPECT_NEAR(variable.beta, 0, 1e-15);
  const auto variable_elsewhere = AccuracyCurve::from_targets(0.80, 0.20);
  EXPECT_NEAR(variable_elsewhere.alpha, 2.7726, 5e-5);
  EXPECT_NEAR(variable_elsewhere.beta, -1.3863, 5e-5);
  const auto stable = AccuracyCurve::from_targets(0.99, 0.85);
  EXPECT_NEAR(stable.alpha, 2.8605, 5e-5);
  EXPECT_NEAR(stable.beta, 1.7346, 5e-5);
  const auto stable_elsewhere = AccuracyCurve::from_targets(0.85, 0.70);
  EXPECT_NEAR(stable_elsewhere.alpha, 0.8873, 5e-5);
  EXPECT_NEAR(stable_elsewhere.beta, 0.8473, 5e-5);
}

TEST(AccuracyCurve, MeetsItsTargetsAtTheEnds) {
  for (const double easy : {0.01, 0.3, 0.5, 0.8, 0.999999}) {
    for (const double hard : {0.01, 0.3, 0.5, 0.8, 0.999999}) {
      const auto curve = AccuracyCurve::from_targets(easy, hard);
      EXPECT_NEAR(curve.at(1), easy, 1e-14);
      EXPECT_NEAR(curve.at(0), hard, 1e-14);
      EXPECT_EQ(curve.is_flat(), easy == hard);
    }
  }
}

TEST(AccuracyCurve, RefusesCertainty) {
  for (const double bad : {0.0, 1.0, -0.1, 1.1, std::nan("")}) {
    EXPECT_THROW(AccuracyCurve::from_targets(bad, 0.5), Error);
    EXPECT_THROW(AccuracyCurve::from_targets(0.5, bad), Error);
  }
}

}  // namespace
}  // namespace ifd
