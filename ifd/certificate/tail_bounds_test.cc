#include "ifd/certificate/tail_bounds.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ifd {
namespace {

// P(Bin(n, p) <= k), term by term.
double summed_tail(std::size_t k, std::size_t n, double p) {
  double term = std::pow(1 - p, static_cast<double>(n));
  double sum = term;
  for (std::size_t x = 0; x < k; ++x) {
    term *= static_cast<double>(n - x) / static_cast<double>(x + 1) * p / (1 - p);
    sum += term;
  }
  return sum;
}

TEST(TailBounds, BinomialIsTheSumOfItsTerms) {
  for (const std::size_t n : {1U, 7U, 100U, 500U}) {
    for (const double limit : {.01, .08, .5}) {
      for (std::size_t k = 0; k < n; k += 1 + n / 9) {
        EXPECT_NEAR(binomial_p_value(k, n, limit), summed_tail(k, n, limit), 1e-12)
            << k << " of " << n << " at " << limit;
      }
      EXPECT_EQ(binomial_p_value(n, n, limit), 1);
    }
  }
  EXPECT_EQ(binomial_p_value(0, 0, .1), 1);
}

// Both bounds are bounds on the exact tail, so that losses of 0 and 1 are never judged more boldly
// by Hoeffding and Bentkus than by the exact test.
TEST(TailBounds, HoeffdingBentkusIsNeverBelowTheExactTail) {
  for (const std::size_t n : {1U, 12U, 100U, 1000U}) {
    for (const double limit : {.02, .15, .6}) {
      for (std::size_t k = 0; k <= n; k += 1 + n / 50) {
        const double mean = static_cast<double>(k) / static_cast<double>(n);
        EXPECT_GE(hoeffding_bentkus_p_value(mean, n, limit) * (1 + 1e-9),
                  binomial_p_value(k, n, limit))
            << k << " of " << n << " at " << limit;
      }
    }
  }
  EXPECT_EQ(hoeffding_bentkus_p_value(.3, 50, .2), 1);
  EXPECT_EQ(hoeffding_bentkus_p_value(0, 0, .2), 1);
}

// By hand: twelve groups without a loss at a limit of .3 have Hoeffding's exp(12 log .7) = .7^12,
// which is below Bentkus' e .7^12.
TEST(TailBounds, TwelveGroupsWithoutALoss) {
  EXPECT_NEAR(hoeffding_bentkus_p_value(0, 12, .3), std::pow(.7, 12), 1e-15);
}

}  // namespace
}  // namespace ifd
