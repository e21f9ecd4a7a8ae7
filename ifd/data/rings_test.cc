#include "ifd/data/rings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "ifd/error.h"

namespace ifd {
namespace {

TEST(Rings, ThousandCasesOfThreeClassesByDefault) {
  const Rings rings = make_rings({});
  EXPECT_EQ(rings.x.size(), 1000u);
  EXPECT_EQ(rings.cases.back(), "999");
  EXPECT_EQ(rings.labels[5], ClassId{2});
}

// Without the Gaussian noise a case lies on a circle of its class's annulus.
TEST(Rings, RadiusStaysInTheAnnulusOfTheClass) {
  const Rings rings = make_rings({.gaussian_sigma = 0});
  for (std::size_t i = 0; i < rings.x.size(); ++i) {
    const double radius = std::hypot(rings.x[i], rings.y[i]);
    EXPECT_NEAR(radius, 1 + static_cast<double>(i % 3), 0.7 + 1e-6);
  }
}

TEST(Rings, SplitsAndSeedsDrawDifferentlyAndSizesDoNot) {
  const Rings train = make_rings({});
  const Rings test = make_rings({.split = "test"});
  const Rings other = make_rings({.seed = 1});
  const Rings larger = make_rings({.cases = 2000});
  for (std::size_t i = 0; i < train.x.size(); ++i) {
    EXPECT_NE(train.x[i], test.x[i]);
    EXPECT_NE(train.x[i], other.x[i]);
    EXPECT_EQ(train.x[i], larger.x[i]);
  }
}

// E|x|^2 = r^2 averaged over the annulus + 2 sigma^2 = (c+1)^2 + b^2/3 + 2 sigma^2.
TEST(Rings, MeanSquaredDistanceIsTheOneOfTheDefinition) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Rings rings = make_rings({.cases = 30000, .seed = seed});
    double sum[3] = {}, sum_squares[3] = {};
    for (std::size_t i = 0; i < rings.x.size(); ++i) {
      const double square = std::pow(rings.x[i], 2) + std::pow(rings.y[i], 2);
      sum[i % 3] += square;
      sum_squares[i % 3] += square * square;
    }
    for (int c = 0; c < 3; ++c) {
      const double mean = sum[c] / 10000;
      const double error = std::sqrt((sum_squares[c] / 10000 - mean * mean) / 10000);
      EXPECT_NEAR(mean, (c + 1) * (c + 1) + 0.49 / 3 + 0.5, 5 * error);
    }
  }
}

TEST(RingPosterior, SumsToOneAndDoesNotDependOnTheAngle) {
  const RingsOptions options;
  for (const double radius : {0.0, 1e-9, 0.5, 1.0, 2.2, 3.7, 10.0, 1e3, 1e6}) {
    const auto reference = ring_posterior(radius, 0, options);
    EXPECT_NEAR(reference[0] + reference[1] + reference[2], 1, 1e-12);
    for (double angle = 0.1; angle < 6; angle += 0.7) {
      const auto turned =
          ring_posterior(radius * std::cos(angle), radius * std::sin(angle), options);
      for (int c = 0; c < 3; ++c) {
        EXPECT_NEAR(turned[c], reference[c], 1e-9) << radius << " " << angle;
      }
    }
  }
  EXPECT_NEAR(ring_posterior(50, 0, options)[2], 1, 1e-12);
}

// Oracle: the two-dimensional density by brute force, a midpoint sum over radius and angle.
TEST(RingPosterior, AgreesWithABruteForceMixtureOfGaussians) {
  const RingsOptions options;
  for (const double x : {0.0, 0.4, 1.3, 2.0, 2.9, 4.5}) {
    double density[3], sum = 0;
    for (int c = 0; c < 3; ++c) {
      density[c] = 0;
      for (int i = 0; i < 1000; ++i) {
        const double r = c + 1 + options.base_noise * (2 * (i + 0.5) / 1000 - 1);
        for (int j = 0; j < 200; ++j) {
          const double angle = 2 * std::numbers::pi * j / 200;
          const double square =
              std::pow(x - r * std::cos(angle), 2) + std::pow(r * std::sin(angle), 2);
          density[c] += std::exp(-square / (2 * options.gaussian_sigma * options.gaussian_sigma));
        }
      }
      sum += density[c];
    }
    const auto posterior = ring_posterior(x, 0, options);
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(posterior[c], density[c] / sum, 1e-6) << x;
  }
}

// With little Gaussian noise and no base noise only the nearest circle is possible.
TEST(RingPosterior, SharpensToTheNearestCircle) {
  const RingsOptions options{.base_noise = 0, .gaussian_sigma = 1e-4};
  EXPECT_NEAR(ring_posterior(1.49, 0, options)[0], 1, 1e-12);
  EXPECT_NEAR(ring_posterior(0, 1.51, options)[1], 1, 1e-12);
}

// Averaged over x, P(Y) is the prior; within bins of P(Y = c | x) the frequency of c is the mean
// posterior of the bin, within five binomial standard errors.
TEST(RingPosterior, IsCalibratedOnGeneratedCases) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const RingsOptions options{.cases = 12000, .seed = seed, .split = "calibration"};
    const Rings rings = make_rings(options);
    std::vector<std::array<double, 3>> posteriors;
    for (std::size_t i = 0; i < rings.x.size(); ++i) {
      posteriors.push_back(ring_posterior(rings.x[i], rings.y[i], options));
    }
    for (std::size_t c = 0; c < 3; ++c) {
      double expected[10] = {}, variance[10] = {}, observed[10] = {}, total = 0;
      for (std::size_t i = 0; i < rings.x.size(); ++i) {
        const double p = posteriors[i][c];
        const auto bin = std::min<std::size_t>(9, static_cast<std::size_t>(p * 10));
        expected[bin] += p;
        variance[bin] += p * (1 - p);
        observed[bin] += index(rings.labels[i]) == c;
        total += p;
      }
      for (int bin = 0; bin < 10; ++bin) {
        EXPECT_NEAR(observed[bin], expected[bin], 5 * std::sqrt(variance[bin]) + 1e-9)
            << "class " << c << " bin " << bin;
      }
      EXPECT_NEAR(total / 12000, 1.0 / 3, 0.02);
    }
  }
}

TEST(RingPredictions, AreThePosteriorsOfTheRings) {
  RingsOptions options;
  options.cases = 30;
  options.split = "test";
  const Rings rings = make_rings(options);
  const Predictions cases = ring_predictions(options);
  ASSERT_EQ(cases.size(), 30u);
  EXPECT_EQ(cases.case_name(7), "test-7");
  for (std::size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(cases.label(i), rings.labels[i]);
    EXPECT_EQ(cases.features(i)[0], rings.x[i]);
    EXPECT_EQ(cases.features(i)[1], rings.y[i]);
    const auto posterior = ring_posterior(rings.x[i], rings.y[i], options);
    for (std::size_t k = 0; k < kRingClasses; ++k) {
      EXPECT_EQ(cases.probabilities(i)[k], static_cast<float>(posterior[k]));
    }
  }
}

TEST(Rings, RefusesNoisesThatAreNone) {
  EXPECT_THROW(make_rings({.base_noise = 1.5}), Error);
  EXPECT_THROW(make_rings({.gaussian_sigma = -1}), Error);
  EXPECT_THROW(make_rings({.gaussian_sigma = NAN}), Error);
  EXPECT_THROW(ring_posterior(1, 1, {.gaussian_sigma = 0}), Error);
}

}  // namespace
}  // namespace ifd
