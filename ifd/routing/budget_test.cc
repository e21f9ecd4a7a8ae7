#include "ifd/routing/budget.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "ifd/error.h"
#include "ifd/random/keyed_random.h"

namespace ifd {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::size_t count_at(const std::vector<double>& margins, double threshold) {
  return static_cast<std::size_t>(std::count_if(margins.begin(), margins.end(), [&](double m) {
    return m != kNeverDefer && m >= threshold;
  }));
}

// Margins from a few values, so that blocks and cases nobody can take are common.
std::vector<double> tied_margins(const Key& key, std::size_t cases) {
  std::vector<double> margins(cases);
  for (std::size_t i = 0; i < cases; ++i) {
    const std::size_t value = key.below(6, i);
    margins[i] = value == 5 ? kNeverDefer : static_cast<double>(value) / 8 - 0.25;
  }
  return margins;
}

// Every percentage of a hundred cases is itself, although 0.29 * 100 = 28.999999999999996.
TEST(BudgetCases, CountsTheDecimalNumberTheUserWrote) {
  for (std::size_t percent = 0; percent <= 100; ++percent) {
    EXPECT_EQ(budget_cases(static_cast<double>(percent) / 100, 100), percent);
  }
  EXPECT_EQ(budget_cases(0.29, 100), 29u);
  EXPECT_EQ(budget_cases(0.3, 10), 3u);
  EXPECT_EQ(budget_cases(0.999, 10), 9u);
  EXPECT_EQ(budget_cases(1, 10000000), 10000000u);
  EXPECT_EQ(budget_cases(0.5, 0), 0u);
}

TEST(BudgetCases, IsTheLargestCountWithinTheBudget) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const std::size_t cases = 1 + Key(seed).below(1000);
    const double budget = Key(seed).with("budget").uniform();
    const std::size_t count = budget_cases(budget, cases);
    EXPECT_LE(static_cast<double>(count) / static_cast<double>(cases), budget);
    EXPECT_GT(static_cast<double>(count + 1) / static_cast<double>(cases), budget);
  }
}

TEST(BudgetCases, RefusesWhatIsNotAShare) {
  for (const double budget : {-0.01, 1.01, kInfinity, kNaN}) {
    EXPECT_THROW(budget_cases(budget, 10), Error) << budget;
  }
}

TEST(BlockLeftOut, HandExample) {
  const std::vector<double> margins{0.5, 0.2, 0.2, 0.9, kNeverDefer};
  const auto block = block_left_out(margins, 0.6);
  ASSERT_TRUE(block);
  EXPECT_EQ(block->margin, 0.2);
  EXPECT_EQ(block->cases, 2u);
  EXPECT_EQ(block->before, 2u);
  for (const double budget : {0.0, 0.4, 0.8, 1.0}) EXPECT_FALSE(block_left_out(margins, budget));
}

// A budget that takes the block in, too, defers exactly the block more.
TEST(BlockLeftOut, IsWhatALargerBudgetAdds) {
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto margins = tied_margins(Key(seed), 1 + Key(seed).with("cases").below(20));
    const double budget = Key(seed).with("budget").uniform();
    const auto block = block_left_out(margins, budget);
    if (!block) continue;
    ++found;
    EXPECT_EQ(block->before, count_at(margins, threshold_for_budget(margins, budget)));
    EXPECT_GT(block->before + block->cases, budget_cases(budget, margins.size()));
    const double larger =
        static_cast<double>(block->before + block->cases) / static_cast<double>(margins.size());
    EXPECT_EQ(threshold_for_budget(margins, larger), block->margin);
  }
  EXPECT_GT(found, 500u);
}

TEST(ThresholdForBudget, HandExample) {
  const std::vector<double> margins{0.5, 0.2, 0.2, 0.9, kNeverDefer};
  EXPECT_EQ(threshold_for_budget(margins, 0), kInfinity);
  EXPECT_EQ(threshold_for_budget(margins, 0.2), 0.9);
  EXPECT_EQ(threshold_for_budget(margins, 0.4), 0.5);
  EXPECT_EQ(threshold_for_budget(margins, 0.6), 0.5);  // the pair at 0.2 stays whole
  EXPECT_EQ(threshold_for_budget(margins, 0.8), 0.2);
  EXPECT_EQ(threshold_for_budget(margins, 1), 0.2);
  EXPECT_EQ(threshold_for_budget(std::vector<double>{kNeverDefer}, 1), kInfinity);
  EXPECT_EQ(threshold_for_budget(std::vector<double>{}, 1), kInfinity);
}

// Oracle: try every margin as a threshold and keep the one that defers most within the budget.
TEST(ThresholdForBudget, DefersTheMostWholeBlocksThatFit) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const std::size_t cases = 1 + Key(seed).below(12);
    const auto margins = tied_margins(Key(seed).with("margins"), cases);
    const double budget = Key(seed).with("budget").uniform();
    std::size_t most = 0;
    double best = kInfinity;
    for (const double candidate : margins) {
      const std::size_t count = count_at(margins, candidate);
      if (candidate != kNeverDefer && count <= budget_cases(budget, cases) && count > most) {
        most = count;
        best = candidate;
      }
    }
    EXPECT_EQ(threshold_for_budget(margins, budget), best);
  }
}

TEST(ThresholdForBudget, RefusesMarginsThatAreNone) {
  EXPECT_THROW(threshold_for_budget(std::vector<double>{0, kNaN}, 0.5), Error);
  EXPECT_THROW(threshold_for_budget(std::vector<double>{0, kInfinity}, 0.5), Error);
}

// k = 1, n = 1: the rate P(M >= M_1) is uniform. k = n has the upper end 1; k = 0 defers nothing.
TEST(CalibrateThreshold, HandExamples) {
  const auto one = calibrate_threshold(std::vector<double>{0.3}, 1, 0.9);
  EXPECT_EQ(one.threshold, 0.3);
  EXPECT_EQ(one.deferred_on_calibration, 1u);
  EXPECT_NEAR(one.rate_low, 0.05, 1e-12);
  EXPECT_EQ(one.rate_high, 1);

  const auto none = calibrate_threshold(std::vector<double>{0.3, 0.4}, 0.4, 0.9);
  EXPECT_EQ(none.threshold, kInfinity);
  EXPECT_EQ(none.calibration_cases, 2u);
  EXPECT_EQ(none.rate, 0);
  EXPECT_EQ(none.rate_low, 0);
  EXPECT_EQ(none.rate_high, 0);

  // k = 1, n = 2: below, Beta(1, 2) has the distribution 1-(1-p)^2; above, Beta(2, 1) has p^2.
  const auto half = calibrate_threshold(std::vector<double>{0.3, 0.4}, 0.5, 0.9);
  EXPECT_EQ(half.rate, 0.5);
  EXPECT_NEAR(half.rate_low, 1 - std::sqrt(0.95), 1e-12);
  EXPECT_NEAR(half.rate_high, std::sqrt(0.95), 1e-12);

  EXPECT_THROW(calibrate_threshold(std::vector<double>{}, 0.5), Error);
  for (const double confidence : {0.0, 1.0, -0.5, kNaN}) {
    EXPECT_THROW(calibrate_threshold(std::vector<double>{0.3}, 0.5, confidence), Error);
  }
}

// The interval holds the true future rate as often as it says, less three standard errors.
// Uniform margins have the rate 1 - tau; on the grid {0, 1/g, ...} the rate is 1 - tau as well.
TEST(CalibrateThreshold, CoversTheFutureRate) {
  constexpr std::size_t kSets = 2000;
  for (const double grid : {0.0, 4.0, 16.0}) {
    for (const std::size_t cases : {10, 60, 200}) {
      for (const double budget : {0.1, 0.3, 0.8, 1.0}) {
        for (const double confidence : {0.8, 0.95}) {
          SCOPED_TRACE(testing::Message() << "grid " << grid << " cases " << cases << " budget "
                                          << budget << " confidence " << confidence);
          std::size_t covered = 0;
          for (std::size_t set = 0; set < kSets; ++set) {
            const Key key = Key(11).with(set);
            std::vector<double> margins(cases);
            for (std::size_t i = 0; i < cases; ++i) {
              margins[i] = key.uniform(i);
              if (grid > 0) margins[i] = std::floor(margins[i] * grid) / grid;
            }
            const auto calibrated = calibrate_threshold(margins, budget, confidence);
            const double rate = std::max(0.0, 1 - calibrated.threshold);
            covered += calibrated.rate_low <= rate && rate <= calibrated.rate_high ? 1 : 0;
          }
          EXPECT_GE(static_cast<double>(covered) / kSets,
                    confidence - 3 * std::sqrt(confidence * (1 - confidence) / kSets));
        }
      }
    }
  }
}

// A least margin binds in some sets and the budget in others; the interval holds in both.
TEST(CalibrateThreshold, CoversTheFutureRateWithALeastMargin) {
  constexpr std::size_t kSets = 2000;
  for (const double least : {0.5, 0.7, 0.95}) {
    for (const std::size_t cases : {10, 60}) {
      SCOPED_TRACE(testing::Message() << "least margin " << least << " cases " << cases);
      std::size_t covered = 0, bound = 0;
      for (std::size_t set = 0; set < kSets; ++set) {
        const Key key = Key(12).with(set);
        std::vector<double> margins(cases);
        for (std::size_t i = 0; i < cases; ++i) margins[i] = key.uniform(i);
        const auto calibrated = calibrate_threshold(margins, .3, .9, least);
        EXPECT_GE(calibrated.threshold, least);
        bound += calibrated.threshold == least ? 1 : 0;
        const double rate = std::max(0.0, 1 - calibrated.threshold);
        covered += calibrated.rate_low <= rate && rate <= calibrated.rate_high ? 1 : 0;
      }
      EXPECT_GT(bound, 0u);
      EXPECT_GE(static_cast<double>(covered) / kSets, .9 - 3 * std::sqrt(.09 / kSets));
    }
  }
}

// Nobody among two cases reaches the least margin: their rate may still be as high as 1-sqrt(.05).
TEST(CalibrateThreshold, NothingAboveTheLeastMarginIsNotNothingEver) {
  const auto none = calibrate_threshold(std::vector<double>{0.3, 0.4}, 1, 0.9, 0.5);
  EXPECT_EQ(none.threshold, 0.5);
  EXPECT_EQ(none.deferred_on_calibration, 0u);
  EXPECT_EQ(none.rate_low, 0);
  EXPECT_NEAR(none.rate_high, 1 - std::sqrt(0.05), 1e-12);
}

TEST(RouteByThreshold, DefersAtTheThresholdAndNeverWhereNobodyCan) {
  const MarginTable table{{0.5, 0.2, kNeverDefer}, {ExpertId{1}, ExpertId{0}, kNobody}};
  using Routes = std::vector<Route>;
  EXPECT_EQ(route_by_threshold(table, 0.5),
            (Routes{{ExpertId{1}, 0.5}, {kNobody, 0.2}, {kNobody, kNeverDefer}}));
  EXPECT_EQ(route_by_threshold(table, kNeverDefer),
            (Routes{{ExpertId{1}, 0.5}, {ExpertId{0}, 0.2}, {kNobody, kNeverDefer}}));
  EXPECT_EQ(route_by_threshold(table, kInfinity),
            (Routes{{kNobody, 0.5}, {kNobody, 0.2}, {kNobody, kNeverDefer}}));
  EXPECT_EQ(route_by_threshold(table, 0.5)[0].decision(), Decision::kExpert);
  EXPECT_EQ(route_by_threshold(table, 0.5)[1].decision(), Decision::kModel);
  EXPECT_THROW(route_by_threshold(table, kNaN), Error);
  EXPECT_THROW(route_by_threshold(MarginTable{{0.5, 0.2}, {ExpertId{0}}}, 0), Error);
}

}  // namespace
}  // namespace ifd
