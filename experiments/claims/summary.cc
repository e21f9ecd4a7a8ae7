#include "experiments/claims/summary.h"

#include <fmt/format.h>

#include <cmath>

#include "ifd/error.h"
#include "ifd/profile/beta_posterior.h"

namespace ifd::experiments {

double student_factor(double coverage, std::size_t degrees) {
  // For T with v degrees, v / (v + T^2) is Beta(v / 2, 1 / 2), and |T| is large where it is small.
  const auto v = static_cast<double>(degrees);
  const double b = BetaPosterior({v / 2, 0.5}).quantile(1 - coverage);
  return std::sqrt(v * (1 - b) / b);
}

std::optional<Mean> mean_of(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  const auto n = static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += value;
  Mean mean{sum / n, {}, {}, values.size()};
  if (values.size() == 1) return mean;
  double squares = 0;
  for (const double value : values) squares += (value - mean.value) * (value - mean.value);
  mean.deviation = std::sqrt(squares / (n - 1));
  const double half = student_factor(0.95, values.size() - 1) * *mean.deviation / std::sqrt(n);
  mean.interval = Interval{mean.value - half, mean.value + half};
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
  std::vector<double> all;
  for (const auto& [cohort, value] : values(cell)) all.push_back(value);
  return mean_of(all);
}

namespace {

std::optional<PairedDifference> paired(const std::vector<double>& differences) {
  const auto mean = mean_of(differences);
  if (!mean) return std::nullopt;
  PairedDifference result{*mean};
  for (const double difference : differences) {
    result.won += difference > 0 ? 1 : 0;
    result.tied += difference == 0 ? 1 : 0;
  }
  return result;
}

}  // namespace

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
  std::vector<double> of_cohorts;
  for (const auto& [cohort, value] : differences(a, b)) of_cohorts.push_back(value);
  return paired(of_cohorts);
}

std::optional<PairedDifference> Summary::difference_of_differences(const Cell& a, const Cell& b,
                                                                   const Cell& c,
                                                                   const Cell& d) const {
  const auto &of_b = values(b), &of_c = values(c), &of_d = values(d);
  std::vector<double> differences;
  for (const auto& [cohort, value] : values(a)) {
    if (!of_b.contains(cohort) || !of_c.contains(cohort) || !of_d.contains(cohort)) continue;
    differences.push_back((value - of_b.at(cohort)) - (of_c.at(cohort) - of_d.at(cohort)));
  }
  return paired(differences);
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
