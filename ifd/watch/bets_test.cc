#include "ifd/watch/bets.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "ifd/random/keyed_random.h"

namespace ifd {
namespace {

// The formula in the header, term by term.
double capital_by_hand(const std::vector<std::array<double, 2>>& payoffs, double before,
                       const std::array<double, 2>& settled) {
  const auto idle = [&](double t) { return (1 - before) * std::log(2) / std::log(2 + t); };
  const auto steps = static_cast<double>(payoffs.size());
  double capital = idle(steps);
  for (std::size_t way = 0; way < 2; ++way) {
    double product = before * settled[way];
    for (const auto& step : payoffs) product *= step[way];
    capital += product / 2;
    for (std::size_t start = 0; start < payoffs.size(); ++start) {
      double earned = idle(static_cast<double>(start)) - idle(static_cast<double>(start) + 1);
      for (std::size_t t = start; t < payoffs.size(); ++t) earned *= payoffs[t][way];
      capital += earned / 2;
    }
  }
  return capital;
}

TEST(Bets, AreTheMixtureOfAllStartsAndWays) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key(seed);
    const double before = seed % 2 == 0 ? 0 : .5;
    const std::array<double, 2> settled = {.5 + key.uniform(1), 2 * key.uniform(2) + .1};
    Bets bets(2, before);
    bets.settle_before(std::array{std::log(settled[0]), std::log(settled[1])});
    std::vector<std::array<double, 2>> payoffs;
    for (std::uint64_t t = 0; t < seed % 17; ++t) {
      payoffs.push_back({.2 + 2 * key.uniform(10 + 2 * t), .2 + 2 * key.uniform(11 + 2 * t)});
      bets.step(std::array{std::log(payoffs.back()[0]), std::log(payoffs.back()[1])}, {t, t, 0});
    }
    EXPECT_NEAR(std::exp(bets.log_capital()), capital_by_hand(payoffs, before, settled), 1e-9);
  }
}

// Fair payoffs leave the mean at 1: after three tosses of a coin, over all eight outcomes.
TEST(Bets, AreFair) {
  double mean = 0;
  for (int outcome = 0; outcome < 8; ++outcome) {
    Bets bets(1);
    for (int t = 0; t < 3; ++t) {
      bets.step(std::array{std::log(outcome >> t & 1 ? 1.8 : .2)}, {});
    }
    mean += std::exp(bets.log_capital()) / 8;
  }
  EXPECT_NEAR(mean, 1, 1e-12);
}

TEST(Bets, NeitherOverflowNorVanish) {
  Bets bets(1);
  for (std::uint64_t t = 0; t < 100000; ++t) bets.step(std::array{-3.0}, {t, t, 0});
  EXPECT_TRUE(std::isfinite(bets.log_capital()));
  EXPECT_GT(bets.log_capital(), -4);  // the idle part: 1 / log2(100002) = .06
  for (std::uint64_t t = 0; t < 100000; ++t) bets.step(std::array{3.0}, {100000 + t, t, 0});
  EXPECT_NEAR(bets.log_capital() / 300000, 1, .001);
  EXPECT_EQ(bets.since(0).answers, 100000u);
}

}  // namespace
}  // namespace ifd
