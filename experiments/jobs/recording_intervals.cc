#include "experiments/jobs/recording_intervals.h"

#include <algorithm>

#include "experiments/jobs/measure.h"
#include "experiments/result/labels.h"
#include "ifd/evaluation/budget_curve.h"

namespace ifd::experiments {
namespace {

// The pairs of a method, each ranked once for all resamples.
using RankedPairs = std::vector<RankedCases>;
// How often each case of each pair counts; empty: once.
using PairWeights = std::vector<std::vector<std::uint32_t>>;
// One value for each range of budgets, then one for each small budget.
using Told = std::vector<double>;

Told told_of_pair(const BudgetCurve& curve) {
  Told told;
  for (const AreaRange& range : area_ranges()) told.push_back(curve.aursac(0, range.d_max));
  for (const double budget : kSmallBudgets) told.push_back(curve.system_accuracy(budget));
  return told;
}

// `where` with the measure of the value at `t`.
ResultRow row_told(const ResultRow& where, std::size_t t) {
  const auto ranges = area_ranges();
  if (t < ranges.size()) return row_of(where, ranges[t].measure, 0);
  ResultRow row = row_of(where, kSystemAccuracy, 0);
  row.x = kSmallBudgets[t - ranges.size()];
  return row;
}

Told mean_told(const RankedPairs& pairs, const PairWeights& weights) {
  Told means;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const Told told =
        told_of_pair(weights.empty() ? BudgetCurve(pairs[p]) : BudgetCurve(pairs[p], weights[p]));
    means.resize(told.size(), 0);
    for (std::size_t t = 0; t < told.size(); ++t) {
      means[t] += told[t] / static_cast<double>(pairs.size());
    }
  }
  return means;
}

PairWeights draw(const Recordings& recordings, const Key& key) {
  const std::size_t count = recordings.last - recordings.first;
  std::vector<std::uint32_t> drawn(count, 0);
  for (std::size_t i = 0; i < count; ++i) ++drawn[key.below(count, i)];
  PairWeights weights;
  for (const auto& of_cases : recordings.of_cases) {
    weights.emplace_back();
    for (const std::uint32_t recording : of_cases) {
      weights.back().push_back(drawn[recording - recordings.first]);
    }
  }
  return weights;
}

// A draw that leaves a pair without a case says nothing, and is left out.
bool has_cases(const PairWeights& weights) {
  return std::all_of(weights.begin(), weights.end(), [](const auto& of_pair) {
    return std::any_of(of_pair.begin(), of_pair.end(), [](std::uint32_t w) { return w > 0; });
  });
}

// `row` with this value, and the ends of its interval from the resamples'.
void add_with_interval(std::vector<ResultRow>& rows, ResultRow row, double value,
                       std::vector<double> values) {
  const MeasureName measure = row.measure;
  rows.push_back(row_of(row, measure, value));
  if (values.empty()) return;
  std::sort(values.begin(), values.end());
  const auto at = [&](double level) {
    return values[static_cast<std::size_t>(level * static_cast<double>(values.size() - 1) + .5)];
  };
  rows.push_back(row_of(row, low_end(measure), at(.025)));
  rows.push_back(row_of(row, high_end(measure), at(.975)));
}

}  // namespace

std::vector<ResultRow> recording_rows(std::span<const MethodOnPairs> methods,
                                      const Recordings& recordings, std::size_t resamples,
                                      const Key& key) {
  std::vector<RankedPairs> ranked(methods.size());
  std::vector<Told> whole;
  for (std::size_t m = 0; m < methods.size(); ++m) {
    for (const Replay& replay : methods[m].replays) {
      ranked[m].emplace_back(replay.margins.margin, replay.outcomes);
    }
    whole.push_back(mean_told(ranked[m], {}));
  }
  // By method, over the resamples.
  std::vector<std::vector<Told>> again(methods.size());
  for (std::size_t s = 0; s < resamples; ++s) {
    const PairWeights weights = draw(recordings, key.with("recordings").with(s));
    if (!has_cases(weights)) continue;
    for (std::size_t m = 0; m < methods.size(); ++m) {
      again[m].push_back(mean_told(ranked[m], weights));
    }
  }
  std::vector<ResultRow> rows;
  for (std::size_t m = 0; m < methods.size(); ++m) {
    for (std::size_t t = 0; t < whole[m].size(); ++t) {
      const ResultRow row = row_told(methods[m].where, t);
      std::vector<double> values;
      for (const Told& told : again[m]) values.push_back(told[t]);
      add_with_interval(rows, row, whole[m][t], values);
      for (std::size_t b = 0; b < m; ++b) {
        if (methods[b].minus == nullptr) continue;
        std::vector<double> differences = values;
        for (std::size_t s = 0; s < differences.size(); ++s) differences[s] -= again[b][s][t];
        add_with_interval(rows, row_of(row, methods[b].minus(row.measure), 0),
                          whole[m][t] - whole[b][t], std::move(differences));
      }
    }
  }
  return rows;
}

}  // namespace ifd::experiments
