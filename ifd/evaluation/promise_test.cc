#include "ifd/evaluation/measured_promise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ifd/evaluation/replay.h"

namespace ifd {
namespace {

ClassNames two_classes() { return ClassNames({"a", "b"}); }

Predictions even_cases(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back("c" + std::to_string(i));
  return Predictions({.classes = two_classes(),
                      .cases = std::move(names),
                      .probabilities = std::vector<float>(2 * count, .5F),
                      .labels = std::vector<ClassId>(count, class_id(0)),
                      .features = {}});
}

// Means of 9/10 on a and 1/2 on b: an even case promises 7/10.
ExpertProfile profile() { return ExpertProfile(std::vector<BetaPrior>{{9, 1}, {1, 1}}); }

Replay deferred(std::size_t count, std::size_t right) {
  Replay replayed;
  for (std::size_t i = 0; i < count; ++i) {
    replayed.margins.margin.push_back(.1);
    replayed.margins.expert.push_back(expert_id(0));
    replayed.outcomes.push_back({credit_if(false), credit_if(i < right)});
    replayed.expert_right.push_back(i < right);
  }
  return replayed;
}

// By hand: 7/10 promised, 3 of 10 kept; the deviations of single cases have the variance
// p(1-p) * 10/9 of a sample with p = .3.
TEST(Promise, IsTheMeanOfExpectedAccuraciesAgainstWhatCame) {
  const std::vector<ExpertProfile> profiles = {profile()};
  const auto told = measured_promise(deferred(10, 3), even_cases(10), profiles);
  ASSERT_TRUE(told.has_value());
  EXPECT_EQ(told->cases, 10u);
  EXPECT_NEAR(told->promised, .7, 1e-9);
  EXPECT_NEAR(told->realised, .3, 1e-12);
  const double reach = kTwoSided95 * std::sqrt(.3 * .7 / 9);
  EXPECT_NEAR(told->shortfall.low, .4 - reach, 1e-9);
  EXPECT_NEAR(told->shortfall.high, .4 + reach, 1e-9);
  ASSERT_EQ(told->bins.size(), 1u);
  EXPECT_EQ(told->bins[0].cases, 10u);
}

// Every case twice in one group: the interval is that of the cases once.
TEST(Promise, GroupsEnterAsOne) {
  const std::vector<ExpertProfile> profiles = {profile()};
  const auto once = measured_promise(deferred(10, 3), even_cases(10), profiles);
  Replay twice = deferred(20, 6);
  std::vector<std::uint32_t> groups;
  for (std::uint32_t i = 0; i < 20; ++i) groups.push_back(i / 2);
  const auto grouped = measured_promise(twice, even_cases(20), profiles, groups);
  EXPECT_NEAR(once->shortfall.low, grouped->shortfall.low, 1e-9);
  EXPECT_NEAR(once->shortfall.high, grouped->shortfall.high, 1e-9);
}

TEST(Promise, NobodyPromisesAnythingWhereNothingIsDeferred) {
  const std::vector<ExpertProfile> profiles = {profile()};
  Replay kept = deferred(4, 2);
  for (double& margin : kept.margins.margin) margin = -.1;
  EXPECT_FALSE(measured_promise(kept, even_cases(4), profiles).has_value());
}

// 5 and 15 make 20, 30 stand alone, and the 3 left over join them: no case is lost, and the means
// are those of the cases.
TEST(Promise, JoinsBinsOfFewCasesWithTheirNeighbours) {
  const std::vector<Promise::Bin> bins = {{.1, 1, 5}, {.3, .2, 15}, {.5, .5, 30}, {.9, 1, 3}};
  const std::vector<Promise::Bin> joined = joined_bins(bins, 20);
  ASSERT_EQ(joined.size(), 2u);
  EXPECT_EQ(joined[0].cases, 20u);
  EXPECT_NEAR(joined[0].promised, .25, 1e-12);
  EXPECT_NEAR(joined[0].realised, .4, 1e-12);
  EXPECT_EQ(joined[1].cases, 33u);
  EXPECT_NEAR(joined[1].promised, (15 + 2.7) / 33, 1e-12);
  EXPECT_NEAR(joined[1].realised, 18. / 33, 1e-12);
  EXPECT_EQ(joined_bins(std::span(bins).first(1), 20).size(), 1u);  // few in all: one bin
  EXPECT_TRUE(joined_bins({}, 20).empty());
}

// The ends solve |p - q| = z sqrt(q (1 - q) / n), which defines Wilson's interval.
TEST(Promise, IntervalsOfBinsAreWilsons) {
  for (const std::size_t n : {1u, 20u, 500u}) {
    for (const double share : {0., .3, 1.}) {
      const Interval interval = realised_interval({.5, share, n});
      EXPECT_LE(interval.low, share);
      EXPECT_GE(interval.high, share);
      for (const double end : {interval.low, interval.high}) {
        EXPECT_NEAR(std::abs(share - end),
                    kTwoSided95 * std::sqrt(end * (1 - end) / static_cast<double>(n)), 1e-9);
      }
    }
  }
}

}  // namespace
}  // namespace ifd
