#include "ifd/certificate/budget_confidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "ifd/error.h"
#include "ifd/routing/budget.h"

namespace ifd {
namespace {

// Without a batch, P(Beta(k, n+1-k) <= budget).
double probability_within(double budget, std::size_t k, std::size_t n,
                          std::optional<std::size_t> batch) {
  if (batch) return beta_binomial_below(budget_cases(budget, *batch), *batch, k, n);
  return boost::math::ibeta(static_cast<double>(k), static_cast<double>(n + 1 - k), budget);
}

}  // namespace

double beta_binomial_below(std::size_t most, std::size_t batch, std::size_t k, std::size_t n) {
  if (most >= batch) return 1;
  // P(X = x) = C(x+k-1, x) C(batch-x+n-k, batch-x) / C(batch+n, batch), from one x to the next.
  const auto cases = static_cast<double>(batch);
  const auto rank = static_cast<double>(k);
  const auto below = static_cast<double>(n - k);
  double log_term = std::lgamma(cases + below + 1) - std::lgamma(below + 1) -
                    std::lgamma(cases + below + rank + 1) + std::lgamma(below + rank + 1);
  double sum = std::exp(log_term);
  for (std::size_t x = 0; x < most; ++x) {
    const auto before = static_cast<double>(x);
    log_term +=
        std::log((before + rank) / (before + 1) * ((cases - before) / (cases - before + below)));
    sum += std::exp(log_term);
  }
  return std::min(1., sum);
}

ConfidentThreshold confident_threshold(std::span<const double> margins, double budget,
                                       double confidence, std::optional<std::size_t> batch) {
  if (margins.empty()) {
    throw bad_input("calibration set: there are no cases; expected at least one");
  }
  if (!(confidence > 0 && confidence < 1)) {
    throw bad_input(fmt::format(
        "confidence: {} is not a level; expected a number between 0 and 1, both out", confidence));
  }
  budget_cases(budget, 1);  // throws unless it is a share
  check_margins(margins);
  const std::size_t n = margins.size();
  if (budget == 1) return {kNeverDefer, n, 1};
  std::size_t rank = 0;  // the largest so far that is within the budget
  for (std::size_t too_large = n + 1; too_large - rank > 1;) {
    const std::size_t middle = rank + (too_large - rank) / 2;
    (probability_within(budget, middle, n, batch) >= confidence ? rank : too_large) = middle;
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (rank == 0) return {kInfinity, 0, 0};
  std::vector<double> sorted(margins.begin(), margins.end());
  const auto place = sorted.begin() + static_cast<std::ptrdiff_t>(rank - 1);
  std::nth_element(sorted.begin(), place, sorted.end(), std::greater<>());
  return {std::nextafter(*place, kInfinity), rank,
          static_cast<double>(rank) / static_cast<double>(n)};
}

}  // namespace ifd
