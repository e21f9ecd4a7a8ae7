#include "experiments/claims/recommendation.h"

#include <gtest/gtest.h>

#include "experiments/claims/invented_results.h"

namespace ifd::experiments {
namespace {

// Few cohorts: it is chosen the same way whatever their number.
Invention small_invention() {
  Invention of;
  of.cohorts = 3;
  return of;
}

TEST(Recommendation, ATrainedPolicyMustEarnItsPlace) {
  const auto policy = [](const Invention& invention) {
    return recommend(Summary(invent(invention).rows())).policy.text();
  };
  Invention of = small_invention();
  of.level[kPlugInContextCalibrated] = .922;
  EXPECT_EQ(policy(of), "plug-in-context-calibrated");  // worth .015 on ImageNet-16H
  of.level[kPlugInContextCalibrated] = .918;            // behind at home, though ahead on average
  EXPECT_GT(recommend(Summary(invent(of).rows()))
                .of(kPlugInContextCalibrated)
                .against_plug_in->mean.value,
            .001);
  EXPECT_EQ(policy(of), "plug-in");
  of.level[kPlugInContextCalibrated] = .90;
  EXPECT_EQ(policy(of), "plug-in");
  of.level[kIfdResidual] = .96;
  EXPECT_EQ(policy(of), "ifd-residual");
  of.cohorts = 1;  // no interval, no proof
  EXPECT_EQ(policy(of), "plug-in");
  EXPECT_EQ(recommend(Summary({})).policy, MethodName());
}

TEST(Recommendation, NamesScaleAndContextSize) {
  Invention of = small_invention();
  of.noise = 0;
  const Recommendation r = recommend(Summary(invent(of).rows()));
  EXPECT_EQ(r.scale, kProbability);
  ASSERT_TRUE(r.probability_minus_logit);
  EXPECT_NEAR(r.probability_minus_logit->mean.value, .0035, .001);  // invented: .004 and .003
  // Invented: .6 / (n + 10) below the limit, so within .005 of the last from about 110 on.
  EXPECT_EQ(r.enough_answers, 120);
}

}  // namespace
}  // namespace ifd::experiments
