#include "ifd/evaluation/bootstrap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ifd/error.h"

namespace ifd {
namespace {

// The numbers of one curve, in one row: the areas, the model alone, and for each budget the
// accuracy and the gain.
struct Summary {
  double aursac;
  std::optional<double> aurdac;
  double model_accuracy;
  std::vector<double> at_budgets;

  Summary operator-(const Summary& other) const {
    std::optional<double> aurdac_difference;
    if (aurdac && other.aurdac) aurdac_difference = *aurdac - *other.aurdac;
    std::vector<double> differences = at_budgets;
    for (std::size_t i = 0; i < differences.size(); ++i) differences[i] -= other.at_budgets[i];
    return {aursac - other.aursac, aurdac_difference, model_accuracy - other.model_accuracy,
            std::move(differences)};
  }
};

// The share of right answers where case i counts weights[i] times; once without weights.
double share_right(std::span<const Credit> credits, std::span<const std::uint32_t> weights) {
  CreditTotal sum;
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < credits.size(); ++i) {
    const std::uint64_t weight = weights.empty() ? 1 : weights[i];
    all += weight;
    sum.add(credits[i], weight);
  }
  return sum.right_answers() / static_cast<double>(all);
}

// The cases of a policy, ranked once for all resamples.
struct RankedPolicy {
  explicit RankedPolicy(const PolicyResult& policy) : all(policy.margins, policy.outcomes) {
    if (!policy.capped_budgets.empty()) capped.emplace(policy.capped_margins, policy.outcomes);
  }
  RankedCases all;
  std::optional<RankedCases> capped;
};

BudgetCurve curve_of(const RankedCases& cases, std::span<const std::uint32_t> weights) {
  return weights.empty() ? BudgetCurve(cases) : BudgetCurve(cases, weights);
}

Summary summarise(const RankedPolicy& ranked, const PolicyResult& policy,
                  std::span<const std::uint32_t> weights, const BootstrapOptions& options) {
  const BudgetCurve curve = curve_of(ranked.all, weights);
  Summary summary{curve.aursac(options.d_min, options.d_max),
                  curve.aurdac(options.d_min, options.d_max),
                  curve.model_accuracy(),
                  {}};
  summary.at_budgets.reserve(policy.fixed.size() + policy.capped_budgets.size() +
                             policy.budgets.size());
  for (const std::vector<Credit>& credits : policy.fixed) {
    summary.at_budgets.push_back(share_right(credits, weights));
  }
  if (ranked.capped) {
    const BudgetCurve capped = curve_of(*ranked.capped, weights);
    for (const CappedBudget& budget : policy.capped_budgets) {
      summary.at_budgets.push_back(capped.system_accuracy(budget.share, budget.least_margin));
    }
  }
  for (const CappedBudget& budget : policy.budgets) {
    summary.at_budgets.push_back(curve.system_accuracy(budget.share, budget.least_margin));
  }
  return summary;
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

void check(const BootstrapOptions& options, std::size_t cases) {
  if (options.replicates == 0) {
    throw bad_input("bootstrap: 0 replicates give no interval; expected at least one");
  }
  if (!(options.confidence > 0 && options.confidence < 1)) {
    throw bad_input(
        fmt::format("confidence: {} is not a level; expected a number between 0 and 1, both out",
                    options.confidence));
  }
  if (!options.groups.empty() && options.groups.size() != cases) {
    throw bad_input(fmt::format("bootstrap: {} cases have a group; expected all {}",
                                options.groups.size(), cases));
  }
}

// How often each case counts in a resample: cases drawn one by one, or by groups.
class Resampling {
 public:
  Resampling(std::span<const std::uint32_t> groups, std::size_t cases)
      : groups_(dense_groups(groups)),
        draws_(groups.empty() ? cases : groups_.count),
        drawn_(draws_),
        weights_(groups.empty() ? 0 : cases) {}

  std::span<const std::uint32_t> weights(const Key& key) {
    std::fill(drawn_.begin(), drawn_.end(), 0);
    for (std::size_t i = 0; i < draws_; ++i) ++drawn_[key.below(draws_, i)];
    if (weights_.empty()) return drawn_;
    for (std::size_t i = 0; i < weights_.size(); ++i) weights_[i] = drawn_[groups_.of_case[i]];
    return weights_;
  }

 private:
  DenseGroups groups_;
  std::size_t draws_;
  std::vector<std::uint32_t> drawn_;
  std::vector<std::uint32_t> weights_;
};

// `summary_of(weights)` for `replicates` resamples of `cases` cases around `value`.
template <typename SummaryOf>
CurveEstimates resample(const Summary& value, std::size_t cases, const Key& key,
                        const BootstrapOptions& options, SummaryOf summary_of) {
  check(options, cases);
  const std::size_t budgets = value.at_budgets.size();
  std::vector<double> aursac, aurdac, model_accuracy;
  std::vector<std::vector<double>> accuracy(budgets), gain(budgets);
  Resampling resampling(options.groups, cases);
  for (std::size_t replicate = 0; replicate < options.replicates; ++replicate) {
    if (options.cancellation != nullptr) options.cancellation->check();
    const Summary summary = summary_of(resampling.weights(key.with("bootstrap").with(replicate)));
    aursac.push_back(summary.aursac);
    if (summary.aurdac) aurdac.push_back(*summary.aurdac);
    model_accuracy.push_back(summary.model_accuracy);
    for (std::size_t b = 0; b < budgets; ++b) {
      accuracy[b].push_back(summary.at_budgets[b]);
      gain[b].push_back(summary.at_budgets[b] - summary.model_accuracy);
    }
  }
  const auto estimate = [&](double at, std::vector<double>& replicates) {
    return percentile_estimate(at, std::move(replicates), options.confidence);
  };
  CurveEstimates estimates{estimate(value.aursac, aursac), std::nullopt,
                           estimate(value.model_accuracy, model_accuracy)};
  if (value.aurdac && !aurdac.empty()) estimates.aurdac = estimate(*value.aurdac, aurdac);
  for (std::size_t b = 0; b < budgets; ++b) {
    estimates.at_budgets.push_back({estimate(value.at_budgets[b], accuracy[b]),
                                    estimate(value.at_budgets[b] - value.model_accuracy, gain[b])});
  }
  return estimates;
}

}  // namespace

DenseGroups dense_groups(std::span<const std::uint32_t> groups) {
  std::vector<std::uint32_t> numbers(groups.begin(), groups.end());
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  DenseGroups dense{{}, numbers.size()};
  dense.of_case.reserve(groups.size());
  for (const std::uint32_t group : groups) {
    const auto at = std::lower_bound(numbers.begin(), numbers.end(), group);
    dense.of_case.push_back(static_cast<std::uint32_t>(at - numbers.begin()));
  }
  return dense;
}

CurveEstimates bootstrap(const PolicyResult& policy, const Key& key,
                         const BootstrapOptions& options) {
  const RankedPolicy cases(policy);
  return resample(summarise(cases, policy, {}, options), cases.all.size(), key, options,
                  [&](std::span<const std::uint32_t> weights) {
                    return summarise(cases, policy, weights, options);
                  });
}

CurveEstimates bootstrap_difference(const PolicyResult& first, const PolicyResult& second,
                                    const Key& key, const BootstrapOptions& options) {
  const auto told = [](const PolicyResult& policy) {
    return policy.fixed.size() + policy.capped_budgets.size() + policy.budgets.size();
  };
  if (first.margins.size() != second.margins.size() || told(first) != told(second)) {
    throw Error(
        ErrorKind::kConflict,
        fmt::format("paired difference: {} cases at {} budgets and {} at {}; expected the "
                    "same cases and budgets",
                    first.margins.size(), told(first), second.margins.size(), told(second)));
  }
  const RankedPolicy a(first), b(second);
  return resample(summarise(a, first, {}, options) - summarise(b, second, {}, options),
                  a.all.size(), key, options, [&](std::span<const std::uint32_t> weights) {
                    return summarise(a, first, weights, options) -
                           summarise(b, second, weights, options);
                  });
}

}  // namespace ifd
