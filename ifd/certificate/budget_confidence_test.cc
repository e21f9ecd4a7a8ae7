#include "ifd/certificate/budget_confidence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "ifd/error.h"

namespace ifd {
namespace {

std::vector<double> distinct_margins(std::size_t count) {
  std::vector<double> margins;
  for (std::size_t i = 0; i < count; ++i) margins.push_back(static_cast<double>(i));
  return margins;
}

// For at most 20 % with 95 % confidence one aims at 17.0 % with 500 cases, 18.5 % with 2,000 and
// 19.3 % with 10,000.
TEST(BudgetConfidence, AimsLowerTheFewerCasesThereAre) {
  EXPECT_NEAR(confident_threshold(distinct_margins(500), .2, .95).aim, .170, .0015);
  EXPECT_NEAR(confident_threshold(distinct_margins(2000), .2, .95).aim, .185, .0010);
  EXPECT_NEAR(confident_threshold(distinct_margins(10000), .2, .95).aim, .193, .0005);
}

// The k-th largest itself is not deferred, nor is any that ties with it.
TEST(BudgetConfidence, DefersStrictlyAboveTheRank) {
  const std::vector<double> margins = distinct_margins(500);
  const ConfidentThreshold found = confident_threshold(margins, .2, .95);
  const double rank_margin = static_cast<double>(500 - found.rank);
  EXPECT_GT(found.threshold, rank_margin);
  EXPECT_EQ(found.threshold, std::nextafter(rank_margin, 1e9));
}

TEST(BudgetConfidence, TooFewCasesDeferNothing) {
  const ConfidentThreshold found = confident_threshold(distinct_margins(5), .2, .95);
  EXPECT_EQ(found.rank, 0u);
  EXPECT_EQ(found.threshold, std::numeric_limits<double>::infinity());
}

TEST(BudgetConfidence, AWholeBudgetDefersEverything) {
  EXPECT_EQ(confident_threshold(distinct_margins(5), 1, .95).threshold,
            -std::numeric_limits<double>::infinity());
}

// By hand for n = 2, k = 1 and a batch of 2: of the 6 orders of two old and two new ones, both new
// are above the largest old in one, one in two, none in three.
TEST(BudgetConfidence, BetaBinomialByHand) {
  EXPECT_NEAR(beta_binomial_below(0, 2, 1, 2), 3. / 6, 1e-12);
  EXPECT_NEAR(beta_binomial_below(1, 2, 1, 2), 5. / 6, 1e-12);
  EXPECT_EQ(beta_binomial_below(2, 2, 1, 2), 1);
}

// A batch varies more than the long run, the more the smaller it is, and with 10^6 cases hardly.
TEST(BudgetConfidence, ABatchNeedsMoreCaution) {
  const std::vector<double> margins = distinct_margins(2000);
  const std::size_t long_run = confident_threshold(margins, .2, .95).rank;
  const std::size_t large = confident_threshold(margins, .2, .95, 1'000'000).rank;
  const std::size_t small = confident_threshold(margins, .2, .95, 200).rank;
  EXPECT_LE(large, long_run);
  EXPECT_GE(large + 3, long_run);
  EXPECT_LT(small, large);
}

TEST(BudgetConfidence, RefusesWhatIsNoLevel) {
  const std::vector<double> margins = distinct_margins(10);
  EXPECT_THROW(confident_threshold(margins, .2, 1), Error);
  EXPECT_THROW(confident_threshold(margins, .2, 0), Error);
  EXPECT_THROW(confident_threshold(margins, 1.5, .95), Error);
  EXPECT_THROW(confident_threshold({}, .2, .95), Error);
}

}  // namespace
}  // namespace ifd
