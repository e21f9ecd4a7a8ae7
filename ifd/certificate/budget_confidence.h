// A threshold whose deferral rate stays under a budget with a stated confidence. No labels needed.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace ifd {

// Who may be deferred are the margins strictly above the k-th largest of n calibration margins. The
// long-run rate is then stochastically at most Beta(k, n+1-k), and the number among N cases to come
// at most beta-binomial, whether margins tie or not: deferring the k-th itself would defer its
// whole block.
struct ConfidentThreshold {
  double threshold;  // the next number above the k-th largest; +infinity for k = 0
  std::size_t rank;  // k
  double aim;        // k/n: where the rate would lie without the caution
};

// The largest k that keeps the rate under `budget` with `confidence`, for a stream without end or
// for a batch of so many cases. Error(kBadInput) for a budget outside [0, 1], a confidence outside
// (0, 1) or no margins.
ConfidentThreshold confident_threshold(std::span<const double> margins, double budget,
                                       double confidence, std::optional<std::size_t> batch = {});

// P(at most `most` of `batch` cases to come are above the k-th largest of n), 1 <= k <= n.
double beta_binomial_below(std::size_t most, std::size_t batch, std::size_t k, std::size_t n);

}  // namespace ifd
