#include "experiments/claims/summary.h"

#include <fmt/format.h>

#include <cmath>

#include "ifd/error.h"
#include "ifd/profile/beta_posterior.h"
#include "ifd/random/keyed_random.h"

namespace ifd::experiments {

double student_factor(double coverage, std::size_t degrees) {
  // For T with v degrees, v / (v + T^2) is Beta(v / 2, 1 / 2), and |T| is large where it is small.
  const auto v = static_cast<double>(degrees);
  const double b = BetaPosterior({v / 2, 0.5}).quantile(1 - coverage);
  return std::sqrt(v * (1 - b) / b);
}

namespace {

double deviation_of(const std::vector<double>& values, double mean) {
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

void set_error(Mean& mean, double error, Covers covers) {
  mean.error = error;
  mean.covers = covers;
  mean.interval = interval_at(mean, .95);
}

double average(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// How many resamples all cohorts have; 0 where they differ.
std::size_t common_resamples(const std::vector<CohortValue>& cohorts) {
  const std::size_t count = cohorts.front().replicates.size();
  for (const CohortValue& cohort : cohorts) {
    if (cohort.replicates.size() != count) return 0;
  }
  return count;
}

}  // namespace

std::optional<Interval> interval_at(const Mean& mean, double coverage) {
  if (!mean.error) return std::nullopt;
  const double half = student_factor(coverage, mean.count - 1) * *mean.error;
  return Interval{mean.value - half, mean.value + half};
}

std::optional<Mean> mean_of(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  Mean mean{average(values), {}, {}, values.size()};
  if (values.size() == 1) return mean;
  mean.deviation = deviation_of(values, mean.value);
  set_error(mean, *mean.deviation / std::sqrt(static_cast<double>(values.size())),
            Covers::kCohorts);
  return mean;
}

std::optional<Mean> crossed_mean(const std::vector<CohortValue>& cohorts) {
  std::vector<double> values;
  for (const CohortValue& cohort : cohorts) values.push_back(cohort.value);
  auto mean = mean_of(values);
  if (!mean || cohorts.size() < 2) return mean;
  const std::size_t resamples = common_resamples(cohorts);
  if (resamples < 2) return mean;
  const std::size_t count = cohorts.size();
  std::vector<double> means(resamples, 0);
  for (std::size_t s = 0; s < resamples; ++s) {
    const Key key = Key(s).with("cohorts");
    for (std::size_t i = 0; i < count; ++i) {
      means[s] += cohorts[key.below(count, i)].replicates[s] / static_cast<double>(count);
    }
  }
  const auto c = static_cast<double>(count);
  set_error(*mean, deviation_of(means, average(means)) * std::sqrt(c / (c - 1)),
            Covers::kCohortsAndCases);
  return mean;
}

bool CellFilter::takes(const Cell& cell) const {
  const auto agrees = [](const auto& wanted, const auto& value) {
    return !wanted || *wanted == value;
  };
  return agrees(experiment, cell.experiment) && agrees(data, cell.data) &&
         agrees(experts, cell.experts) && agrees(group, cell.group) &&
         agrees(method, cell.method) && agrees(setting, cell.setting) &&
         agrees(scale, cell.scale) && agrees(measure, cell.measure) && agrees(x, cell.x);
}

Summary::Summary(const std::vector<ResultRow>& rows) {
  for (const ResultRow& r : rows) {
    const auto [entry, is_new] = cells_[r].emplace(r.cohort, r.value);
    if (is_new && !r.replicates.empty()) replicates_[r].emplace(r.cohort, r.replicates);
    if (is_new || entry->second == r.value) continue;
    throw Error(ErrorKind::kConflict,
                fmt::format("results: {}, cohort {}: {} and {}; expected one value", to_text(r),
                            r.cohort, entry->second, r.value));
  }
}

const std::map<int, double>& Summary::values(const Cell& cell) const {
  static const std::map<int, double> kNone;
  const auto found = cells_.find(cell);
  return found == cells_.end() ? kNone : found->second;
}

std::optional<Mean> Summary::mean(const Cell& cell) const {
  const auto found = sum({{cell}});
  return found ? std::optional(found->mean) : std::nullopt;
}

std::optional<PairedDifference> Summary::sum(const std::vector<Term>& terms) const {
  std::map<int, CohortValue> by_cohort;
  std::map<int, std::size_t> measured, resampled;
  for (const auto& [cell, weight] : terms) {
    for (const auto& [cohort, value] : values(cell)) {
      by_cohort[cohort].value += weight * value;
      ++measured[cohort];
    }
    const auto found = replicates_.find(cell);
    if (found == replicates_.end()) continue;
    for (const auto& [cohort, replicates] : found->second) {
      std::vector<double>& sums = by_cohort[cohort].replicates;
      sums.resize(replicates.size(), 0);
      for (std::size_t s = 0; s < replicates.size(); ++s) sums[s] += weight * replicates[s];
      ++resampled[cohort];
    }
  }
  std::vector<CohortValue> complete;
  PairedDifference result;
  for (auto& [cohort, value] : by_cohort) {
    if (measured[cohort] < terms.size()) continue;
    if (resampled[cohort] < terms.size()) value.replicates.clear();
    result.won += value.value > 0 ? 1 : 0;
    result.tied += value.value == 0 ? 1 : 0;
    complete.push_back(std::move(value));
  }
  const auto mean = crossed_mean(complete);
  if (!mean) return std::nullopt;
  result.mean = *mean;
  return result;
}

std::map<int, double> Summary::differences(const Cell& a, const Cell& b) const {
  const auto& subtracted = values(b);
  std::map<int, double> by_cohort;
  for (const auto& [cohort, value] : values(a)) {
    const auto other = subtracted.find(cohort);
    if (other != subtracted.end()) by_cohort.emplace(cohort, value - other->second);
  }
  return by_cohort;
}

std::optional<PairedDifference> Summary::difference(const Cell& a, const Cell& b) const {
  return sum({{a, 1}, {b, -1}});
}

std::optional<PairedDifference> Summary::mean_difference(const std::vector<CellPair>& pairs) const {
  std::vector<Term> terms;
  for (const auto& [upper, lower] : pairs) {
    if (!difference(upper, lower)) continue;
    terms.push_back({upper, 1});
    terms.push_back({lower, -1});
  }
  const double share = 2 / static_cast<double>(terms.size());
  for (Term& term : terms) term.weight *= share;
  return sum(terms);
}

std::optional<PairedDifference> Summary::difference_of_differences(const Cell& a, const Cell& b,
                                                                   const Cell& c,
                                                                   const Cell& d) const {
  return sum({{a, 1}, {b, -1}, {c, -1}, {d, 1}});
}

std::vector<Cell> Summary::cells(const CellFilter& filter) const {
  std::vector<Cell> taken;
  for (const auto& [cell, values] : cells_) {
    if (filter.takes(cell)) taken.push_back(cell);
  }
  return taken;
}

std::vector<double> Summary::pooled(const CellFilter& filter) const {
  std::vector<double> all;
  for (const auto& [cell, values] : cells_) {
    if (!filter.takes(cell)) continue;
    for (const auto& [cohort, value] : values) all.push_back(value);
  }
  return all;
}

}  // namespace ifd::experiments
