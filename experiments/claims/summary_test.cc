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
