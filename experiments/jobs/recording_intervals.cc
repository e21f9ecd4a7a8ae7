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
// The mean over the pairs, for each range.
using Areas = std::vector<double>;

Areas mean_areas(const RankedPairs& pairs, const PairWeights& weights) {
  const auto ranges = area_ranges();
  Areas means(ranges.size(), 0);
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const BudgetCurve curve =
        weights.empty() ? BudgetCurve(pairs[p]) : BudgetCurve(pairs[p], weights[p]);
    for (std::size_t r = 0; r < ranges.size(); ++r) {
      means[r] += curve.aursac(0, ranges[r].d_max) / static_cast<double>(pairs.size());
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

void add_interval(std::vector<ResultRow>& rows, const ResultRow& where, const MeasureName& measure,
                  std::vector<double> values) {
  if (values.empty()) return;
  std::sort(values.begin(), values.end());
  const auto at = [&](double level) {
    return values[static_cast<std::size_t>(level * static_cast<double>(values.size() - 1) + .5)];
  };
  rows.push_back(row_of(where, low_end(measure), at(.025)));
  rows.push_back(row_of(where, high_end(measure), at(.975)));
}

}  // namespace

std::vector<ResultRow> recording_rows(std::span<const MethodOnPairs> methods,
                                      const Recordings& recordings, std::size_t resamples,
                                      const Key& key) {
  std::vector<RankedPairs> ranked(methods.size());
  std::vector<Areas> whole;
  for (std::size_t m = 0; m < methods.size(); ++m) {
    for (const Replay& replay : methods[m].replays) {
      ranked[m].emplace_back(replay.margins.margin, replay.outcomes);
    }
    whole.push_back(mean_areas(ranked[m], {}));
  }
  // By method and range, over the resamples.
  const auto ranges = area_ranges();
  using Samples = std::vector<std::vector<double>>;
  std::vector<Samples> areas(methods.size(), Samples(ranges.size()));
  for (std::size_t s = 0; s < resamples; ++s) {
    const PairWeights weights = draw(recordings, key.with("recordings").with(s));
    if (!has_cases(weights)) continue;
    for (std::size_t m = 0; m < methods.size(); ++m) {
      const Areas means = mean_areas(ranked[m], weights);
      for (std::size_t r = 0; r < ranges.size(); ++r) areas[m][r].push_back(means[r]);
    }
  }
  std::vector<ResultRow> rows;
  for (std::size_t m = 0; m < methods.size(); ++m) {
    for (std::size_t r = 0; r < ranges.size(); ++r) {
      const ResultRow& where = methods[m].where;
      rows.push_back(row_of(where, ranges[r].measure, whole[m][r]));
      add_interval(rows, where, ranges[r].measure, areas[m][r]);
      if (m == 0) continue;
      const MeasureName difference = minus_plug_in(ranges[r].measure);
      rows.push_back(row_of(where, difference, whole[m][r] - whole[0][r]));
      std::vector<double> differences = areas[m][r];
      for (std::size_t s = 0; s < differences.size(); ++s) differences[s] -= areas[0][r][s];
      add_interval(rows, where, difference, std::move(differences));
    }
  }
  return rows;
}

}  // namespace ifd::experiments
