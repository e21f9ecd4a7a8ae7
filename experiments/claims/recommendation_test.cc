#include "experiments/claims/recommendation.h"

#include <gtest/gtest.h>

#include "tests/invented_results.h"

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
  of.level[kIfdResidual] = .90;
  EXPECT_EQ(policy(of), "plug-in");
  of.level[kIfdResidual] = .96;
  EXPECT_EQ(policy(of), "ifd-residual");
  of.cohorts = 1;  // no interval, no proof
  EXPECT_EQ(policy(of), "plug-in");
  EXPECT_EQ(recommend(Summary({})).policy, MethodName());
}

// Ahead on average by what it gains with people, but behind with simulated experts.
TEST(Recommendation, AGainInOnePlaceDoesNotPayForALossInAnother) {
  Invention of = small_invention();
  of.noise = 0;
  const auto cells = [&](double at_home, double with_people) {
    std::vector<ResultRow> rows = invent(of).rows();
    for (ResultRow& row : rows) {
      if (row.method != kIfdResidual) continue;
      if (row.experiment == kTable1) row.value += at_home;
      if (row.experiment == kImageNet16H) row.value += with_people;
    }
    return recommend(Summary(rows));
  };
  EXPECT_EQ(cells(.01, .05).policy, kIfdResidual);
  const Recommendation behind = cells(-.01, .05);
  EXPECT_GT(behind.of(kIfdResidual).against_plug_in->mean.value, .001);
  EXPECT_EQ(behind.policy, kPlugIn);
}

// Invented: with offsets the model's own answers gain .02 and deferral .01, which a temperature
// gains, too; at home the context costs .015.
TEST(Recommendation, SeparatesWhatCalibratingGivesToDeferral) {
  Invention of = small_invention();
  of.noise = 0;
  const auto advice = [&] { return recommend(Summary(invent(of).rows())); };
  const CalibrationAdvice shift = advice().under_shift;
  ASSERT_EQ(shift.gains.size(), 2u);
  EXPECT_NEAR(shift.gains[1].whole->mean.value, .03, 1e-9);
  EXPECT_NEAR(shift.gains[1].of_answers->mean.value, .02, 1e-9);
  EXPECT_NEAR(shift.gains[1].of_deferral->mean.value, .01, 1e-9);
  EXPECT_EQ(shift.gains[*shift.for_accuracy].given, GivenClassifier::kBias);

  of.own_answers = 0;
  of.deferral = -.02;
  EXPECT_FALSE(advice().under_shift.for_deferral);
  EXPECT_FALSE(advice().under_shift.for_accuracy);
  EXPECT_FALSE(advice().at_home.for_deferral);

  of.own_answers = .05;
  const CalibrationAdvice accurate = advice().under_shift;
  EXPECT_FALSE(accurate.for_deferral);
  EXPECT_EQ(accurate.gains[*accurate.for_accuracy].given, GivenClassifier::kBias);

  of.deferral = .01;
  const CalibrationAdvice home = advice().at_home;
  ASSERT_TRUE(home.for_deferral);
  EXPECT_EQ(home.gains[*home.for_deferral].on, FittedOn::kAll);
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
  EXPECT_EQ(r.enough_answers_on, of.data.front());
  // -.6 / 130 + .6 / 1930.
  EXPECT_NEAR(r.enough_minus_most->mean.value, -.0043, 1e-4);
}

// In the paper's protocol the ID people are those of the training, and so nobody unseen.
TEST(Recommendation, LeavesOutThePeopleOfTheTraining) {
  std::vector<ResultRow> rows = invent(small_invention()).rows();
  EXPECT_TRUE(recommend(Summary(rows)).of(kPlugIn).people_id);
  std::erase_if(rows, [](const ResultRow& row) {
    return row.experiment == kImageNet16H && row.group == kSeen;
  });
  const Standing standing = recommend(Summary(rows)).of(kPlugIn);
  EXPECT_FALSE(standing.people_id);
  EXPECT_TRUE(standing.people_ood);
}

}  // namespace
}  // namespace ifd::experiments
