#include "ifd/evaluation/bootstrap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ifd/error.h"

namespace ifd {
namespace {

struct Summary {
  double aursac;
  std::optional<double> aurdac;
  double model_accuracy;

  Summary operator-(const Summary& other) const {
    std::optional<double> aurdac_difference;
    if (aurdac && other.aurdac) aurdac_difference = *aurdac - *other.aurdac;
    return {aursac - other.aursac, aurdac_difference, model_accuracy - other.model_accuracy};
  }
};

Summary summarise(const BudgetCurve& curve, const BootstrapOptions& options) {
  return {curve.aursac(options.d_min, options.d_max), curve.aurdac(options.d_min, options.d_max),
          curve.model_accuracy()};
}

// The quantile of sorted values, linear between order statistics.
double quantile(const std::vector<double>& sorted, double level) {
  const double at = level * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  if (below + 1 == sorted.size()) return sorted.back();
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[below + 1] - sorted[below]);
}

Estimate percentile_estimate(double value, std::vector<double> replicates, double confidence) {
  std::sort(replicates.begin(), replicates.end());
  const double tail = (1 - confidence) / 2;
  return {value, {quantile(replicates, tail), quantile(replicates, 1 - tail)}};
}

// `summary_of(weights)` for `replicates` resamples of `cases` cases around `value`.
template <typename SummaryOf>
CurveEstimates resample(const Summary& value, std::size_t cases, const Key& key,
                        const BootstrapOptions& options, SummaryOf summary_of) {
  if (options.replicates == 0) {
    throw bad_input("bootstrap: 0 replicates give no interval; expected at least one");
  }
  if (!(options.confidence > 0 && options.confidence < 1)) {
    throw bad_input(
        fmt::format("confidence: {} is not a level; expected a number between 0 and 1, both out",
                    options.confidence));
  }
  std::vector<double> aursac;
  std::vector<double> aurdac;
  std::vector<double> model_accuracy;
  std::vector<std::uint32_t> weights(cases);
  for (std::size_t replicate = 0; replicate < options.replicates; ++replicate) {
    if (options.cancellation != nullptr) options.cancellation->check();
    const Key draws = key.with("bootstrap").with(replicate);
    std::fill(weights.begin(), weights.end(), 0);
    for (std::size_t i = 0; i < cases; ++i) ++weights[draws.below(cases, i)];
    const Summary summary = summary_of(weights);
    aursac.push_back(summary.aursac);
    if (summary.aurdac) aurdac.push_back(*summary.aurdac);
    model_accuracy.push_back(summary.model_accuracy);
  }
  CurveEstimates estimates{
      percentile_estimate(value.aursac, std::move(aursac), options.confidence), std::nullopt,
      percentile_estimate(value.model_accuracy, std::move(model_accuracy), options.confidence)};
  if (value.aurdac && !aurdac.empty()) {
    estimates.aurdac = percentile_estimate(*value.aurdac, std::move(aurdac), options.confidence);
  }
  return estimates;
}

}  // namespace

CurveEstimates bootstrap(const PolicyResult& policy, const Key& key,
                         const BootstrapOptions& options) {
  const RankedCases cases(policy.margins, policy.outcomes);
  return resample(summarise(BudgetCurve(cases), options), cases.size(), key, options,
                  [&](std::span<const std::uint32_t> weights) {
                    return summarise(BudgetCurve(cases, weights), options);
                  });
}

CurveEstimates bootstrap_difference(const PolicyResult& first, const PolicyResult& second,
                                    const Key& key, const BootstrapOptions& options) {
  if (first.margins.size() != second.margins.size()) {
    throw Error(ErrorKind::kConflict,
                fmt::format("paired difference: {} and {} cases; expected the same cases",
                            first.margins.size(), second.margins.size()));
  }
  const RankedCases a(first.margins, first.outcomes);
  const RankedCases b(second.margins, second.outcomes);
  const Summary value = summarise(BudgetCurve(a), options) - summarise(BudgetCurve(b), options);
  return resample(value, a.size(), key, options, [&](std::span<const std::uint32_t> weights) {
    return summarise(BudgetCurve(a, weights), options) -
           summarise(BudgetCurve(b, weights), options);
  });
}

}  // namespace ifd
