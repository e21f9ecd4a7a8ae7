#include "experiments/claims/summary.h"

#include <gtest/gtest.h>

#include <cmath>

#include "experiments/claims/named_cells.h"
#include "ifd/error.h"
#include "ifd/random/keyed_random.h"

namespace ifd::experiments {
namespace {

Cell cell_of(std::string method, GroupName group = kOod) {
  return area(DataName("blood"), kVariable, std::move(group), MethodName(std::move(method)));
}

ResultRow row_in(const Cell& cell, int cohort, double value) { return {cell, cohort, value}; }

// Tables of Student's distribution.
TEST(Summary, StudentFactorsAreThoseOfTheTables) {
  EXPECT_NEAR(student_factor(.95, 1), 12.706, 5e-4);
  EXPECT_NEAR(student_factor(.95, 2), 4.303, 5e-4);
  EXPECT_NEAR(student_factor(.95, 4), 2.776, 5e-4);
  EXPECT_NEAR(student_factor(.95, 9), 2.262, 5e-4);
  EXPECT_NEAR(student_factor(.99, 9), 3.250, 5e-4);
  EXPECT_NEAR(student_factor(.95, 120), 1.980, 5e-4);
}

// By hand: mean of 1, 2, 6 is 3; squares 4 + 1 + 9 = 14, so s = sqrt(7), half = 4.303 s / sqrt 3.
TEST(Summary, MeanDeviationAndIntervalByHand) {
  const auto mean = mean_of({1, 2, 6});
  ASSERT_TRUE(mean);
  EXPECT_DOUBLE_EQ(mean->value, 3);
  EXPECT_DOUBLE_EQ(*mean->deviation, std::sqrt(7.0));
  EXPECT_NEAR(mean->interval->high - 3, 4.3027 * std::sqrt(7.0 / 3), 1e-3);
  EXPECT_NEAR(3 - mean->interval->low, 4.3027 * std::sqrt(7.0 / 3), 1e-3);
  EXPECT_EQ(mean->count, 3u);
}

TEST(Summary, OneValueHasNoSpreadAndNoneHasNoMean) {
  EXPECT_FALSE(mean_of({}));
  const auto one = mean_of({.5});
  ASSERT_TRUE(one);
  EXPECT_EQ(one->value, .5);
  EXPECT_FALSE(one->deviation);
  EXPECT_FALSE(one->interval);
}

// Cohort 3 is missing in one method and cohort 4 in the other: only 0, 1 and 2 are pairs.
TEST(Summary, DifferencesPairCohorts) {
  std::vector<ResultRow> rows;
  for (const auto& [cohort, value] : {std::pair{0, .8}, {1, .7}, {2, .5}, {3, 99.0}}) {
    rows.push_back(row_in(cell_of("a"), cohort, value));
  }
  for (const auto& [cohort, value] : {std::pair{2, .5}, {1, .4}, {0, .9}, {4, -99.0}}) {
    rows.push_back(row_in(cell_of("b"), cohort, value));
  }
  const Summary summary(rows);
  const auto difference = summary.difference(cell_of("a"), cell_of("b"));
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->mean.count, 3u);
  EXPECT_NEAR(difference->mean.value, (-.1 + .3 + 0) / 3, 1e-12);
  EXPECT_EQ(difference->won, 1u);
  EXPECT_EQ(difference->tied, 1u);
  EXPECT_FALSE(summary.difference(cell_of("a"), cell_of("c")));
  EXPECT_FALSE(summary.mean(cell_of("c")));
}

// A shift common to a cohort cancels in a paired difference: its interval is that of the noise.
TEST(Summary, PairingCancelsWhatACohortHasInCommon) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::vector<ResultRow> plain, shifted;
    for (int cohort = 0; cohort < 6; ++cohort) {
      const Key key = Key(seed).with("cohort").with(static_cast<std::uint64_t>(cohort));
      const double a = key.uniform(0), b = key.uniform(1), shift = 10 * key.uniform(2);
      plain.push_back(row_in(cell_of("a"), cohort, a));
      plain.push_back(row_in(cell_of("b"), cohort, b));
      shifted.push_back(row_in(cell_of("a"), cohort, a + shift));
      shifted.push_back(row_in(cell_of("b"), cohort, b + shift));
    }
    const auto before = Summary(plain).difference(cell_of("a"), cell_of("b"));
    const auto after = Summary(shifted).difference(cell_of("a"), cell_of("b"));
    EXPECT_NEAR(before->mean.value, after->mean.value, 1e-12);
    EXPECT_NEAR(before->mean.interval->low, after->mean.interval->low, 1e-12);
    EXPECT_EQ(before->won, after->won);
  }
}

TEST(Summary, DifferenceOfDifferencesByHand) {
  std::vector<ResultRow> rows = {
      row_in(cell_of("a", kId), 0, .9), row_in(cell_of("a", kOod), 0, .6),
      row_in(cell_of("b", kId), 0, .8), row_in(cell_of("b", kOod), 0, .7)};
  const auto fall = Summary(rows).difference_of_differences(cell_of("a", kId), cell_of("a", kOod),
                                                            cell_of("b", kId), cell_of("b", kOod));
  ASSERT_TRUE(fall);
  EXPECT_NEAR(fall->mean.value, .3 - .1, 1e-12);
}

// Where cohorts meet the same cases: value(c) = truth + case effect + cohort effect + noise, and a
// resample of the cases moves all cohorts alike.
struct Coverage {
  double crossed = 0;
  double cohorts_only = 0;
};

Coverage simulate_coverage(std::size_t draws, double of_cases, double of_cohorts, double of_noise) {
  constexpr std::size_t kCohorts = 8, kResamples = 200, kCases = 60;
  Coverage covered;
  for (std::size_t draw = 0; draw < draws; ++draw) {
    const Key key = Key(draw).with("coverage");
    std::vector<double> cases(kCases);
    for (std::size_t i = 0; i < kCases; ++i) cases[i] = of_cases * key.with("case").normal(i);
    // How often a case was drawn, for every cohort alike: kCases draws from kCases.
    std::vector<std::vector<double>> weights_of(kResamples, std::vector<double>(kCases, 0));
    for (std::size_t s = 0; s < kResamples; ++s) {
      for (std::size_t i = 0; i < kCases; ++i) {
        ++weights_of[s][key.with("resample").with(s).below(kCases, i)];
      }
    }
    std::vector<CohortValue> cohorts(kCohorts);
    std::vector<double> plain;
    for (std::size_t c = 0; c < kCohorts; ++c) {
      const Key own = key.with("cohort").with(c);
      const double shift = of_cohorts * own.normal();
      std::vector<double> seen(kCases);
      for (std::size_t i = 0; i < kCases; ++i) {
        seen[i] = shift + cases[i] + of_noise * own.with("noise").normal(i);
        cohorts[c].value += seen[i] / kCases;
      }
      for (std::size_t s = 0; s < kResamples; ++s) {
        double sum = 0, weights = 0;
        for (std::size_t i = 0; i < kCases; ++i) {
          const double w = weights_of[s][i];
          sum += w * seen[i];
          weights += w;
        }
        cohorts[c].replicates.push_back(sum / weights);
      }
      plain.push_back(cohorts[c].value);
    }
    const auto covers = [](const Interval& interval) {
      return interval.low <= 0 && 0 <= interval.high ? 1.0 : 0.0;
    };
    covered.crossed += covers(*crossed_mean(cohorts)->interval) / static_cast<double>(draws);
    covered.cohorts_only += covers(*mean_of(plain)->interval) / static_cast<double>(draws);
  }
  return covered;
}

// A thousand studies with known truth 0. An interval that covers 95 % is seen to cover at least
// four standard errors of the binomial less: .95 - 4 sqrt(.95 * .05 / 1000) = .922.
TEST(Summary, CrossedIntervalsCoverWhatCasesAndCohortsMove) {
  constexpr std::size_t kDraws = 1000;
  const double tolerance = 4 * std::sqrt(.95 * .05 / kDraws);
  // The cases' effect on a mean (1.5 / sqrt(60) = .19) is several times that of the cohorts.
  const Coverage cases = simulate_coverage(kDraws, 1.5, .1, .3);
  RecordProperty("crossed_where_cases_matter", std::to_string(cases.crossed));
  EXPECT_GE(cases.crossed, .95 - tolerance);
  EXPECT_LE(cases.cohorts_only, .6) << "cohorts alone do not see what all of them share";
  // Only cohorts differ: both are right.
  const Coverage cohorts = simulate_coverage(kDraws, .1, .5, .3);
  RecordProperty("crossed_where_cohorts_matter", std::to_string(cohorts.crossed));
  EXPECT_GE(cohorts.crossed, .95 - tolerance);
  EXPECT_GE(cohorts.cohorts_only, .95 - tolerance);
}

// By hand: two cohorts with the same replicates, so that it does not matter who is drawn. The
// replicates 1 and 3 deviate by sqrt(2); times sqrt(2 / 1) that is 2, and t is 12.706.
TEST(Summary, CrossedIntervalByHand) {
  const auto mean = crossed_mean({{2, {1, 3}}, {2, {1, 3}}});
  ASSERT_TRUE(mean);
  EXPECT_DOUBLE_EQ(mean->value, 2);
  EXPECT_DOUBLE_EQ(*mean->error, 2);
  EXPECT_EQ(mean->covers, Covers::kCohortsAndCases);
  EXPECT_NEAR(mean->interval->high, 2 + 12.706 * 2, 2e-3);
  EXPECT_NEAR(interval_at(*mean, .99)->high, 2 + 63.657 * 2, 2e-2);
  // Without resamples of one of them the interval is over cohorts.
  EXPECT_EQ(crossed_mean({{2, {1, 3}}, {4, {}}})->covers, Covers::kCohorts);
}

// What a resample does to both cells cancels in their difference.
TEST(Summary, DifferencesPairResamples) {
  std::vector<ResultRow> rows;
  for (int cohort = 0; cohort < 3; ++cohort) {
    for (const auto& [name, level] : {std::pair{"a", .8}, std::pair{"b", .7}}) {
      ResultRow row = row_in(cell_of(name), cohort, level);
      for (int s = 0; s < 10; ++s) row.replicates.push_back(level + .01 * s);
      rows.push_back(row);
    }
  }
  const Summary summary(rows);
  EXPECT_GT(*summary.mean(cell_of("a"))->error, .01);
  const auto difference = summary.difference(cell_of("a"), cell_of("b"));
  EXPECT_NEAR(difference->mean.value, .1, 1e-12);
  EXPECT_NEAR(*difference->mean.error, 0, 1e-12);
  EXPECT_EQ(difference->mean.covers, Covers::kCohortsAndCases);
}

TEST(Summary, SelectsByColumns) {
  std::vector<ResultRow> rows = {row_in(cell_of("a", kId), 0, 1), row_in(cell_of("a", kOod), 0, 2),
                                 row_in(cell_of("b", kId), 0, 3), row_in(cell_of("b", kId), 1, 5)};
  const Summary summary(rows);
  CellFilter filter{.group = kId};
  EXPECT_EQ(summary.cells(filter).size(), 2u);
  EXPECT_EQ(summary.distinct(filter, &Cell::method),
            (std::vector{MethodName("a"), MethodName("b")}));
  EXPECT_EQ(summary.pooled(filter), (std::vector<double>{1, 3, 5}));
  filter.method = MethodName("c");
  EXPECT_FALSE(summary.has(filter));
}

TEST(Summary, TwoValuesOfOneNumberAreAConflict) {
  const ResultRow row = row_in(cell_of("a"), 0, 1);
  ResultRow other = row;
  EXPECT_EQ(Summary({row, other}).mean(cell_of("a"))->count, 1u);
  other.value = 2;
  EXPECT_THROW(Summary({row, other}), Error);
}

}  // namespace
}  // namespace ifd::experiments
