#include "ifd/certificate/certified_thresholds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ifd/certificate/tail_bounds.h"
#include "ifd/random/keyed_random.h"

namespace ifd {
namespace {

// Coarse margins, so that they tie with each other and with thresholds; some cases nobody may take.
std::vector<LossCase> drawn_cases(std::uint64_t seed, std::size_t count) {
  std::vector<LossCase> cases;
  for (std::size_t i = 0; i < count; ++i) {
    const Key key = Key(seed).with("loss case").with(i);
    const double margin =
        key.uniform() < .1 ? kDeferAll : static_cast<double>(key.below(9, 1)) / 8 - .5;
    cases.push_back({margin, key.uniform(2), key.uniform(3)});
  }
  return cases;
}

TEST(LearnThenTest, RisksAreTheMeansOfTheUnits) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const std::vector<LossCase> cases = drawn_cases(seed, 40);
    std::vector<std::uint32_t> groups;
    std::vector<bool> concerned;
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      groups.push_back(static_cast<std::uint32_t>(7 * Key(seed).with("group").below(6, i)));
      concerned.push_back(Key(seed).with("concerned").uniform(i) < .7);
      if (concerned[i]) rows.push_back(i);
    }
    const std::vector<double> thresholds = {kDeferNone, -.25, .125, .5, kDeferAll, 0};
    const RiskUnits units = RiskUnits::of_groups(groups, rows);
    const std::vector<double> risks = risks_at(cases, units, thresholds);
    const std::vector<double> deferral = deferral_at(cases, units, thresholds);
    for (std::size_t k = 0; k < thresholds.size(); ++k) {
      double risk = 0;
      double deferred = 0;
      std::size_t counted = 0;
      for (std::uint32_t group = 0; group < 42; group += 7) {
        double losses = 0;
        double given = 0;
        std::size_t size = 0;
        for (std::size_t i = 0; i < cases.size(); ++i) {
          if (groups[i] != group || !concerned[i]) continue;
          const bool defer = cases[i].margin != kDeferAll && cases[i].margin >= thresholds[k];
          losses += defer ? cases[i].expert_loss : cases[i].model_loss;
          given += defer ? 1 : 0;
          ++size;
        }
        if (size == 0) continue;
        risk += losses / static_cast<double>(size);
        deferred += given / static_cast<double>(size);
        ++counted;
      }
      ASSERT_EQ(units.count(), counted);
      EXPECT_NEAR(risks[k], risk / static_cast<double>(counted), 1e-12);
      EXPECT_NEAR(deferral[k], deferred / static_cast<double>(counted), 1e-12);
    }
  }
}

RiskLimit error_below(double limit, std::size_t cases) {
  return {"system error", limit, LossKind::kRightOrWrong, RiskUnits::of_cases(cases)};
}

// The model errs on every second case and the experts never: the risk falls with every deferral,
// so the order begins where all are deferred, and of those below the limit of .3 (40 % of the cases
// deferred and more) sequences start at the first, the 21st and the 41st.
TEST(LearnThenTest, TheOrderComesFromTheLeastRiskToTheLeastDeferral) {
  std::vector<LossCase> cases;
  for (int i = 0; i < 1000; ++i) cases.push_back({1e-3 * i, i % 2 == 0 ? 1. : 0., 0});
  const RiskLimit limit = error_below(.3, cases.size());
  const TestPlan plan = plan_tests(cases, std::span(&limit, 1));
  ASSERT_EQ(plan.thresholds.size(), 101u);
  EXPECT_EQ(plan.thresholds.front(), kDeferAll);
  EXPECT_EQ(plan.thresholds.back(), kDeferNone);
  EXPECT_TRUE(std::is_sorted(plan.thresholds.begin(), plan.thresholds.end()));
  EXPECT_EQ(plan.starts, (std::vector<std::size_t>{0, 20, 40}));
}

// Where experts are worse than the model on easy cases, deferring more than the best is of no use.
TEST(LearnThenTest, ThresholdsThatDeferMoreThanTheSafestAreLeftOut) {
  std::vector<LossCase> cases;
  for (int i = 0; i < 1000; ++i) {
    const bool hard = i >= 700;
    cases.push_back({1e-3 * i, hard ? 1. : 0., hard ? 0. : 1.});
  }
  const RiskLimit limit = error_below(.1, cases.size());
  const TestPlan plan = plan_tests(cases, std::span(&limit, 1));
  EXPECT_NEAR(plan.thresholds.front(), .7, 1e-9);
  EXPECT_EQ(plan.thresholds.size(), 31u);
}

// One start, one threshold, even where nothing is predicted to be below the limit.
TEST(LearnThenTest, WithoutAPredictionBelowTheLimitTheSafestIsTested) {
  const std::vector<LossCase> cases(50, {.1, 1, 1});
  const RiskLimit limit = error_below(.1, cases.size());
  const TestPlan plan = plan_tests(cases, std::span(&limit, 1));
  EXPECT_EQ(plan.starts, std::vector<std::size_t>{0});
}

// 100 cases of which `losses` are lost at each threshold; ascending thresholds, falling losses.
std::vector<LossCase> losing(std::span<const double> thresholds,
                             std::span<const std::size_t> losses) {
  std::vector<LossCase> cases;
  for (std::size_t k = thresholds.size(); k-- > 0;) {
    while (cases.size() < losses[k]) cases.push_back({thresholds[k], 0, 1});
  }
  cases.resize(100, {kDeferAll, 0, 0});
  return cases;
}

// By hand for 100 cases and a limit of .1: P(Bin <= 3) = .0078, P(Bin <= 4) = .0237,
// P(Bin <= 5) = .0576, P(Bin <= 6) = .1172. With starts at 0 and 2 and an error rate of .1 each has
// .05: a start that is not reached keeps its .05, and fails at 5 losses; one that is reached goes
// on with .1.
TEST(LearnThenTest, ASequenceThatReachesTheNextStartHandsItsPartOn) {
  EXPECT_NEAR(binomial_p_value(4, 100, .1), .0237, 5e-5);
  EXPECT_NEAR(binomial_p_value(5, 100, .1), .0576, 5e-5);
  const std::vector<double> thresholds = {1, 2, 3, 4};
  const TestPlan plan{thresholds, {0, 2}};
  const RiskLimit limit = error_below(.1, 100);
  const auto certified = [&](std::vector<std::size_t> losses) {
    std::vector<LossCase> cases = losing(thresholds, losses);
    std::vector<bool> passed;
    for (const TestedThreshold& tested : run_tests(plan, cases, std::span(&limit, 1), .1)) {
      passed.push_back(tested.certified);
    }
    return passed;
  };
  EXPECT_EQ(certified({4, 4, 4, 4}), (std::vector<bool>{true, true, true, true}));
  EXPECT_EQ(certified({5, 4, 4, 4}), (std::vector<bool>{false, false, true, true}));
  EXPECT_EQ(certified({6, 5, 5, 4}), (std::vector<bool>{false, false, false, false}));
  EXPECT_EQ(certified({4, 4, 3, 3}), (std::vector<bool>{true, true, true, true}));
}

// 5 losses at the last threshold pass only with what the first sequence has handed on.
TEST(LearnThenTest, WhatIsHandedOnIsUsed) {
  const std::vector<double> thresholds = {1, 2};
  const RiskLimit limit = error_below(.1, 100);
  std::vector<LossCase> cases(100, {kDeferAll, 0, 0});
  for (std::size_t i = 0; i < 4; ++i) cases[i] = {1, 1, 1};
  cases[4] = {1, 1, 0};  // lost at the threshold 2, not at 1
  const auto tested = run_tests({thresholds, {0, 1}}, cases, std::span(&limit, 1), .1);
  EXPECT_TRUE(tested[0].certified);
  EXPECT_TRUE(tested[1].certified);
  cases[5] = {1, 0, 1};  // now 5 at the threshold 1 too, which fails: nothing is handed on
  const auto failed = run_tests({thresholds, {0, 1}}, cases, std::span(&limit, 1), .1);
  EXPECT_FALSE(failed[0].certified);
  EXPECT_FALSE(failed[1].certified);
}

TEST(LearnThenTest, SeveralPromisesMustAllHold) {
  std::vector<LossCase> cases(200, {kDeferAll, 0, 0});
  std::vector<std::size_t> rare(20);
  std::iota(rare.begin(), rare.end(), std::size_t{0});
  const std::vector<RiskLimit> limits = {
      error_below(.1, 200), {"rare ones", .1, LossKind::kRightOrWrong, RiskUnits::of_some(rare)}};
  const TestPlan plan{{kDeferNone}, {0}};
  EXPECT_TRUE(run_tests(plan, cases, std::span(limits).first(1), .1)[0].certified);
  // .9^20 = .122: twenty cases without a loss are too few.
  const TestedThreshold both = run_tests(plan, cases, limits, .1)[0];
  EXPECT_NEAR(both.p_value, std::pow(.9, 20), 1e-12);
  EXPECT_FALSE(both.certified);
}

// .9^22 = .098 is the first power below .1.
TEST(LearnThenTest, TellsHowManyUnitsWouldBeEnough) {
  EXPECT_EQ(units_needed(0, error_below(.1, 5), .1), 22u);
  EXPECT_EQ(units_needed(.1, error_below(.1, 5), .1), 0u);
  const std::size_t close = units_needed(.09, error_below(.1, 5), .1);
  EXPECT_GT(close, 1000u);
  EXPECT_LT(close, 3000u);
}

// Massart's form of the DKW inequality: sqrt(log(2/.1) / 1000) for 500 cases.
TEST(LearnThenTest, TheIntervalOfTheDeferralRate) {
  EXPECT_NEAR(deferral_half_width(RiskUnits::of_cases(500), 101, .1), .05473, 1e-5);
  const std::vector<std::uint32_t> groups = {0, 0, 1, 1};
  const std::vector<std::size_t> rows = {0, 1, 2, 3};
  EXPECT_EQ(deferral_half_width(RiskUnits::of_groups(groups, rows), 101, .1), 1);
}

}  // namespace
}  // namespace ifd
