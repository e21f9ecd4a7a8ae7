#include "ifd/profile/beta_posterior.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ifd/error.h"
#include "ifd/profile/prior.h"
#include "ifd/random/keyed_random.h"

namespace ifd {
namespace {

// The densities' moments by the midpoint rule, for any alpha, beta > 1.
struct Moments {
  double mean, variance, log_odds;
};
Moments integrate(double alpha, double beta) {
  constexpr int kSteps = 200000;
  double mass = 0, first = 0, second = 0, odds = 0;
  for (int i = 0; i < kSteps; ++i) {
    const double theta = (i + 0.5) / kSteps;
    const double density =
        std::exp((alpha - 1) * std::log(theta) + (beta - 1) * std::log1p(-theta));
    mass += density;
    first += density * theta;
    second += density * theta * theta;
    odds += density * (std::log(theta) - std::log1p(-theta));
  }
  const double mean = first / mass;
  return {mean, second / mass - mean * mean, odds / mass};
}

TEST(BetaPosterior, MomentsAreThoseOfTheDensity) {
  for (const auto& [n, t] : {std::pair{15, 14}, {15, 0}, {3, 2}, {40, 20}}) {
    const BetaPosterior posterior({1, 1}, n, t);
    const Moments expected = integrate(posterior.alpha(), posterior.beta());
    EXPECT_NEAR(posterior.mean(), expected.mean, 1e-6);
    EXPECT_NEAR(posterior.variance(), expected.variance, 1e-6);
    EXPECT_NEAR(posterior.log_odds(), expected.log_odds, 1e-3);
  }
}

// Hand calculation: 15 answers, 14 right, uniform prior: mean 15/17, sd sqrt(30/(289*18)).
TEST(BetaPosterior, LowerConfidenceBoundOfFourteenOutOfFifteen) {
  const BetaPosterior posterior({}, 15, 14);
  EXPECT_DOUBLE_EQ(posterior.mean(), 15.0 / 17);
  EXPECT_NEAR(posterior.lower_confidence_bound(), .8064, 5e-5);
  EXPECT_EQ(posterior.lower_confidence_bound(0), posterior.mean());
  EXPECT_EQ(posterior.lower_confidence_bound(100), 0);
}

// L approaches theta as one over the root of n: sqrt(n) (L - theta) is about normal with mean -s
// and deviation s = sqrt(theta (1 - theta)), so that its root mean square is s sqrt(2).
TEST(BetaPosterior, LowerConfidenceBoundApproachesTheAccuracyAtTheRateOfTheRoot) {
  constexpr int kDraws = 2000;
  for (const double theta : {.6, .8, .9}) {
    const double limit = std::sqrt(2 * theta * (1 - theta));
    for (const std::uint64_t n : {400, 1600, 3600}) {
      double squares = 0;
      for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
        const Key key = Key(draw).with("lower bound").with(n);
        std::uint64_t right = 0;
        for (std::uint64_t i = 0; i < n; ++i) right += key.uniform(i) < theta ? 1 : 0;
        const double error = BetaPosterior({}, n, right).lower_confidence_bound() - theta;
        squares += error * error / kDraws;
      }
      EXPECT_NEAR(std::sqrt(squares * static_cast<double>(n)) / limit, 1, .08)
          << "theta " << theta << ", n " << n;
    }
  }
}

// A class nobody was asked about keeps its prior: mean .5 and variance 1/12 by default.
TEST(BetaPosterior, WithoutAnswersIsThePrior) {
  EXPECT_EQ(BetaPosterior().mean(), .5);
  EXPECT_DOUBLE_EQ(BetaPosterior().variance(), 1.0 / 12);
}

TEST(BetaPosterior, MapIsTheModeOrTheEndWhereTheMassPilesUp) {
  EXPECT_DOUBLE_EQ(BetaPosterior({}, 10, 7).map(), .7);
  EXPECT_EQ(BetaPosterior({}, 5, 5).map(), 1);
  EXPECT_EQ(BetaPosterior({}, 5, 0).map(), 0);
  EXPECT_EQ(BetaPosterior().map(), .5);
  EXPECT_EQ(BetaPosterior(BetaPrior{.5, .5}).map(), .5);
}

TEST(BetaPosterior, QuantilesInvertTheDistribution) {
  EXPECT_DOUBLE_EQ(BetaPosterior().quantile(.3), .3);
  // Beta(n + 1, 1) has distribution theta^(n + 1).
  EXPECT_NEAR(BetaPosterior({}, 9, 9).quantile(.05), std::pow(.05, .1), 1e-12);
  EXPECT_THROW(BetaPosterior().quantile(1.5), Error);
}

// So many answers leave a normal distribution; what is left of the skew falls with their root.
TEST(BetaPosterior, QuantilesOfTheStrongestPriorsAreNearlyNormal) {
  constexpr double kZ = 1.959963984540054;
  for (const double strength : {1e8, 1.9e8, 2.1e8, kMostPriorStrength, 1e12, kMostPriorParameter}) {
    for (const double mean : {.5, .1, .9, .999}) {
      SCOPED_TRACE(testing::Message() << "strength " << strength << ", mean " << mean);
      const BetaPosterior known(BetaPrior{mean * strength, (1 - mean) * strength});
      const double deviation = std::sqrt(known.variance());
      // The first term of the skew, which Cornish and Fisher's correction is made of.
      const double skew = 2 * (1 - 2 * mean) / std::sqrt(strength * mean * (1 - mean));
      const auto [low, high] = known.central_interval(.95);
      const double shift = skew * (kZ * kZ - 1) / 6;
      // A mean near 1/2 has few digits beside so small a deviation.
      const double rounding = 1e-15 / deviation;
      EXPECT_NEAR((low - mean) / deviation, -kZ + shift, 1e-4 + rounding);
      EXPECT_NEAR((high - mean) / deviation, kZ + shift, 1e-4 + rounding);
      EXPECT_EQ(known.quantile(0), 0);
      EXPECT_EQ(known.quantile(1), 1);
    }
  }
}

// Where one way to compute them ends and the next begins, both say the same.
TEST(BetaPosterior, QuantilesDoNotJump) {
  for (const double ratio : {1.0, 3.0, 1000.0}) {
    SCOPED_TRACE(testing::Message() << "ratio " << ratio);
    const BetaPosterior below(BetaPrior{ratio * 1e8, 1e8});
    const BetaPosterior above(BetaPrior{ratio * 1e8 * (1 + 1e-9), 1e8 * (1 + 1e-9)});
    for (const double p : {1e-9, .01, .3, .5, .9, 1 - 1e-6}) {
      EXPECT_NEAR((below.quantile(p) - above.quantile(p)) / std::sqrt(below.variance()), 0, 1e-6);
    }
  }
}

TEST(BetaPosterior, PriorsWithoutQuantilesAreRefused) {
  for (const double wrong : {0.0, -1.0, kLeastPriorParameter / 2, 2 * kMostPriorParameter, 1e25,
                             HUGE_VAL, std::nan("")}) {
    EXPECT_THROW(BetaPosterior(BetaPrior{wrong, 1}), Error) << wrong;
    EXPECT_THROW(BetaPosterior(BetaPrior{1, wrong}), Error) << wrong;
  }
}

TEST(BetaPosterior, IntervalsOfAlmostEverythingAreRefused) {
  for (const double mass : {0.0, 1.0, .9999999999999999, std::nan("")}) {
    EXPECT_THROW(BetaPosterior().central_interval(mass), Error) << mass;
  }
  const auto [low, high] = BetaPosterior().central_interval(kMostIntervalMass);
  EXPECT_NEAR(low, 5e-10, 1e-15);
  EXPECT_NEAR(1 - high, 5e-10, 1e-15);
}

// Any order and any split of the same answers gives the same bits.
TEST(BetaPosterior, ObservingIsOrderFreeAndExact) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key(seed);
    const BetaPrior prior{key.uniform(0) * 10 + .1, key.uniform(1) * 10 + .1};
    const std::size_t answers = key.below(50, 2);
    BetaPosterior whole(prior), left(prior), right(prior);
    std::uint64_t correct = 0;
    for (std::size_t i = 0; i < answers; ++i) {
      const bool is_correct = key.uniform(10 + i) < .7;
      correct += is_correct;
      whole.observe(is_correct);
      (key.uniform(1000 + i) < .5 ? left : right).observe(is_correct);
    }
    right.merge(left);
    EXPECT_EQ(whole, right);
    EXPECT_EQ(whole, BetaPosterior(prior, answers, correct));
    EXPECT_EQ(whole.mean(), right.mean());
    EXPECT_EQ(whole.variance(), right.variance());
  }
}

TEST(BetaPosterior, CountsThatCannotBeAreRefused) {
  EXPECT_THROW(BetaPosterior({}, 3, 4), Error);
  BetaPosterior one({}, 1, 1);
  EXPECT_THROW(one.forget(false), Error);
  one.forget(true);
  EXPECT_THROW(one.forget(true), Error);
  EXPECT_EQ(one, BetaPosterior());
}

TEST(BetaPosterior, MergingDifferentPriorsIsRefused) {
  BetaPosterior uniform;
  EXPECT_THROW(uniform.merge(BetaPosterior(BetaPrior{2, 1})), Error);
}

// Eq. prior-param by hand: a = .9, c = .5, s = 12 gives 1 + .45 * 10 and 1 + .05 * 10.
TEST(Prior, SelfAssessment) {
  const BetaPrior prior = self_assessed_prior(.9, .5, 12);
  EXPECT_DOUBLE_EQ(prior.alpha, 5.5);
  EXPECT_DOUBLE_EQ(prior.beta, 1.5);
  EXPECT_EQ(self_assessed_prior(.9, 0, 100), uniform_prior());
  EXPECT_EQ(self_assessed_prior(.9, 1, 2), uniform_prior());
}

TEST(Prior, MeanAndStrength) {
  const BetaPrior prior = prior_with_mean(.9, 30);
  EXPECT_DOUBLE_EQ(prior.alpha, 27);
  EXPECT_NEAR(prior.beta, 3, 1e-12);
  EXPECT_DOUBLE_EQ(BetaPosterior(prior).mean(), .9);
}

TEST(Prior, ValuesOutsideTheirRangeAreRefused) {
  EXPECT_THROW(self_assessed_prior(1.1, .5, 10), Error);
  EXPECT_THROW(self_assessed_prior(.5, .5, 2 * kMostPriorStrength), Error);
  EXPECT_THROW(prior_with_mean(.5, 2 * kMostPriorStrength), Error);
  EXPECT_THROW(prior_with_mean(1e-300, 1), Error);
  EXPECT_THROW(self_assessed_prior(.5, -.1, 10), Error);
  EXPECT_THROW(self_assessed_prior(.5, .5, 1.9), Error);
  EXPECT_THROW(self_assessed_prior(std::nan(""), .5, 10), Error);
  EXPECT_THROW(prior_with_mean(0, 10), Error);
  EXPECT_THROW(prior_with_mean(1, 10), Error);
  EXPECT_THROW(prior_with_mean(.5, 0), Error);
  EXPECT_THROW(prior_with_mean(.5, INFINITY), Error);
}

}  // namespace
}  // namespace ifd
