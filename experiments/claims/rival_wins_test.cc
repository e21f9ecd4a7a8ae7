#include "experiments/claims/rival_wins.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/invented_results.h"

namespace ifd::experiments {
namespace {

using testing::HasSubstr;

Invention where_pop_loses() {
  Invention of;
  of.cohorts = 3;
  of.noise = 0;
  return of;
}

std::size_t shown(const RivalWins& found) {
  std::size_t all = 0;
  for (const MeasureName& measure : kRivalMeasures) all += found.over_all(measure).above;
  return all;
}

TEST(RivalWins, AreFoundWhereTheIntervalLiesAboveZero) {
  Invention of = where_pop_loses();
  const RivalWins none = rival_wins(Summary(invent(of).rows()), kPlugIn);
  EXPECT_GT(none.over_all(kAursac).places, 20U);
  for (const RivalWin& win : none.wins) EXPECT_GT(win.difference.mean.interval->low, 0);

  of.level[kPopQc] = of.level[kPlugIn] + .03;
  const RivalWins some = rival_wins(Summary(invent(of).rows()), kPlugIn);
  EXPECT_EQ(some.over_all(kAursac).places, none.over_all(kAursac).places);
  ASSERT_GT(some.wins.size(), none.wins.size());
  EXPECT_EQ(some.wins.size(), shown(some));
  EXPECT_EQ(some.wins.front().rival, kPopQc);
  EXPECT_FALSE(some.wins.front().where.empty());
  for (std::size_t i = 1; i < some.wins.size(); ++i) {
    EXPECT_GE(some.wins[i - 1].difference.mean.value, some.wins[i].difference.mean.value);
  }
}

// One cohort has no interval, and shows nothing; its mean is ahead all the same.
TEST(RivalWins, NeedCohorts) {
  Invention of = where_pop_loses();
  of.cohorts = 1;
  of.level[kPopQc] = .99;
  const RivalWins found = rival_wins(Summary(invent(of).rows()), kIfdPeak);
  EXPECT_TRUE(found.wins.empty());
  ASSERT_EQ(found.parts.front().title, "Table 1");
  const RivalTally& all = found.parts.front().tallies[2];
  EXPECT_EQ(all.ahead, all.places / 2);
  EXPECT_EQ(all.intervals, 0U);
  EXPECT_EQ(found.largest->rival, kPopQc);
}

// Two cohorts, equal in all: intervals are points.
class RivalTallies : public testing::Test {
 protected:
  void add(const ExperimentName& experiment, const MethodName& method, const Setting& setting,
           const MeasureName& measure, double value) {
    for (int cohort = 0; cohort < 2; ++cohort) {
      ResultRow row;
      row.experiment = experiment;
      row.data = DataName("ham");
      row.experts = kVariable;
      row.group = kOod;
      row.method = method;
      row.setting = setting;
      row.scale = kProbability;
      row.measure = measure;
      row.cohort = cohort;
      row.value = value;
      rows.push_back(row);
    }
  }

  std::vector<ResultRow> rows;
};

// Behind over all budgets and ahead over small ones: neither hides the other.
TEST_F(RivalTallies, AreByBudget) {
  add(kTable1, kPopQi, {}, kAursacTo10, .81);
  add(kTable1, kIfdPeak, {}, kAursacTo10, .80);
  add(kTable1, kPopQi, {}, kAursac, .70);
  add(kTable1, kIfdPeak, {}, kAursac, .75);
  const RivalWins found = rival_wins(Summary(rows), kIfdPeak);
  const RivalTally small = found.over_all(kAursacTo10), all = found.over_all(kAursac);
  EXPECT_EQ(small.places, 1U);
  EXPECT_EQ(small.ahead, 1U);
  EXPECT_EQ(small.above, 1U);
  EXPECT_EQ(small.below, 0U);
  EXPECT_EQ(all.ahead, 0U);
  EXPECT_EQ(all.below, 1U);
  EXPECT_EQ(found.over_all(kAurdac).places, 0U);
  ASSERT_EQ(found.wins.size(), 1U);
  EXPECT_EQ(found.wins[0].measure, kAursacTo10);
}

// Calibrated classifiers are a part of their own, and what lies beyond the paper is not left out.
TEST_F(RivalTallies, AreOfEveryPartOfTheStudy) {
  const Setting calibrated = at_noise(110, GivenClassifier::kBias);
  for (const auto& [experiment, setting] :
       {std::pair(kBeyond, kMisnamed), {kImageNet16H, at_noise(110)}, {kImageNet16H, calibrated}}) {
    add(experiment, kPopQc, setting, kAursac, .9);
    add(experiment, kPlugIn, setting, kAursac, .8);
  }
  const RivalWins found = rival_wins(Summary(rows), kPlugIn);
  std::vector<std::string> titles;
  for (const RivalPart& part : found.parts) titles.push_back(part.title);
  EXPECT_THAT(titles,
              testing::ElementsAre("ImageNet-16H, raw classifier",
                                   "ImageNet-16H, calibrated classifier", "beyond the paper"));
  EXPECT_EQ(found.over_all(kAursac).above, 3U);
}

// Each learns with a classifier of its own; plug-in reads the one that the rival learnt with.
TEST_F(RivalTallies, StandTrainedMethodsBesideTheirOwnClassifiers) {
  add(kJoint, kPopQi, joint_with(kPopQi), kAursac, .85);
  add(kJoint, kIfdPeak, joint_with(kIfdPeak), kAursac, .80);
  add(kJoint, kPlugIn, joint_with(kPopQi), kAursac, .86);
  add(kJoint, kPlugIn, joint_with(kIfdPeak), kAursac, .70);
  EXPECT_EQ(rival_wins(Summary(rows), kIfdPeak).over_all(kAursac).above, 1U);
  EXPECT_EQ(rival_wins(Summary(rows), kPlugIn).over_all(kAursac).below, 1U);
}

// By hand: against plug-in pop-qi has .02 (.01 to .04), ifd-peak .01 (-.01 to .02). Between them
// .01, down to .01 - .01 - .01 and up to .01 + .02 + .02.
TEST(RivalWins, IntervalsOfScorersAreOverRecordings) {
  std::vector<ResultRow> rows;
  const auto cell = [](const MethodName& method) {
    return Cell{.experiment = kScorers,
                .data = kDodhData,
                .experts = kTwoScorers,
                .group = kEverybody,
                .method = method,
                .setting = kFifteenPerClass,
                .scale = kProbability,
                .measure = kAursac};
  };
  const auto add = [&](const MethodName& method, double minus, double low, double high) {
    Cell here = cell(method);
    rows.push_back({here, 0, .88 + minus});
    here.measure = minus_plug_in(kAursac);
    rows.push_back({here, 0, minus});
    here.measure = low_end(minus_plug_in(kAursac));
    rows.push_back({here, 0, low});
    here.measure = high_end(minus_plug_in(kAursac));
    rows.push_back({here, 0, high});
  };
  rows.push_back({cell(kPlugIn), 0, .88});
  add(kPopQi, .02, .01, .04);
  add(kIfdPeak, .01, -.01, .02);
  const Summary summary(rows);
  const RivalWins of_plug_in = rival_wins(summary, kPlugIn);
  ASSERT_EQ(of_plug_in.wins.size(), 1U);
  EXPECT_NEAR(of_plug_in.wins[0].difference.mean.interval->low, .01, 1e-12);
  EXPECT_NEAR(of_plug_in.wins[0].difference.mean.interval->high, .04, 1e-12);
  EXPECT_THAT(of_plug_in.wins[0].where, HasSubstr("DOD-H"));
  const RivalTally of_peak = rival_wins(summary, kIfdPeak).over_all(kAursac);
  EXPECT_EQ(of_peak.ahead, 1U);
  EXPECT_EQ(of_peak.intervals, 1U);
  EXPECT_EQ(of_peak.above, 0U);
}

}  // namespace
}  // namespace ifd::experiments
