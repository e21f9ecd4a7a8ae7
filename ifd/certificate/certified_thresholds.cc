#include "ifd/certificate/certified_thresholds.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <numeric>
#include <unordered_map>

#include "ifd/certificate/tail_bounds.h"

namespace ifd {
namespace {

constexpr std::size_t kSequences = 3;

// Adds up what a case of the units contributes to the thresholds that leave it with the model and
// to those that defer it. `thresholds` may be in any order.
template <typename ModelPart, typename ExpertPart>
std::vector<double> totals_at(std::span<const LossCase> cases, const RiskUnits& units,
                              std::span<const double> thresholds, ModelPart model_part,
                              ExpertPart expert_part) {
  std::vector<double> ascending(thresholds.begin(), thresholds.end());
  std::sort(ascending.begin(), ascending.end());
  // changes[k]: what the cases that exactly the k lowest thresholds defer change by it.
  std::vector<double> changes(ascending.size() + 1, 0);
  double total = 0;
  for (std::size_t place = 0; place < units.rows().size(); ++place) {
    const LossCase& one = cases[units.rows()[place]];
    const double weight = units.weight(place);
    total += weight * model_part(one);
    if (one.margin == kDeferAll) continue;  // nobody may take it
    const auto above = std::upper_bound(ascending.begin(), ascending.end(), one.margin);
    changes[static_cast<std::size_t>(above - ascending.begin())] +=
        weight * expert_part(one) - weight * model_part(one);
  }
  std::vector<double> at(ascending.size());
  for (std::size_t k = ascending.size(); k-- > 0;) {
    total += changes[k + 1];
    at[k] = total;
  }
  std::vector<double> totals;
  totals.reserve(thresholds.size());
  for (const double threshold : thresholds) {
    const auto place = std::lower_bound(ascending.begin(), ascending.end(), threshold);
    totals.push_back(at[static_cast<std::size_t>(place - ascending.begin())]);
  }
  return totals;
}

std::vector<double> as_means(std::vector<double> totals, const RiskUnits& units) {
  for (double& total : totals) {
    total = units.count() == 0 ? 0 : total / static_cast<double>(units.count());
  }
  return totals;
}

// The p-value of a mean loss over so many units.
double p_value(double mean_loss, std::size_t units, const RiskLimit& limit) {
  if (limit.losses == LossKind::kRightOrWrong && limit.units.are_cases()) {
    const double losses = std::round(mean_loss * static_cast<double>(units));
    return binomial_p_value(static_cast<std::size_t>(losses), units, limit.limit);
  }
  return hoeffding_bentkus_p_value(std::max(0., mean_loss), units, limit.limit);
}

// From the one that defers most to the one that defers least.
std::vector<double> grid_of(std::span<const LossCase> outside, std::size_t steps) {
  std::vector<double> margins;
  for (const LossCase& one : outside) {
    if (one.margin != kDeferAll) margins.push_back(one.margin);
  }
  std::sort(margins.begin(), margins.end(), std::greater<>());
  std::vector<double> grid = {kDeferAll};
  for (std::size_t step = steps - 1; step > 0; --step) {
    const std::size_t deferred = (step * outside.size() + steps - 1) / steps;
    if (deferred == 0 || deferred > margins.size()) continue;
    if (margins[deferred - 1] > grid.back()) grid.push_back(margins[deferred - 1]);
  }
  grid.push_back(kDeferNone);
  return grid;
}

}  // namespace

RiskUnits RiskUnits::of_cases(std::size_t cases) {
  std::vector<std::size_t> all(cases);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return of_some(all);
}

RiskUnits RiskUnits::of_some(std::span<const std::size_t> rows) {
  RiskUnits units;
  units.rows_.assign(rows.begin(), rows.end());
  units.unit_of_.resize(rows.size());
  std::iota(units.unit_of_.begin(), units.unit_of_.end(), 0U);
  units.sizes_.assign(rows.size(), 1);
  return units;
}

RiskUnits RiskUnits::of_groups(std::span<const std::uint32_t> groups,
                               std::span<const std::size_t> rows) {
  RiskUnits units;
  units.are_cases_ = false;
  units.rows_.assign(rows.begin(), rows.end());
  std::unordered_map<std::uint32_t, std::uint32_t> number_of;
  for (const std::size_t row : rows) {
    assert(row < groups.size());
    const auto next = static_cast<std::uint32_t>(units.sizes_.size());
    const auto [found, is_new] = number_of.emplace(groups[row], next);
    if (is_new) units.sizes_.push_back(0);
    ++units.sizes_[found->second];
    units.unit_of_.push_back(found->second);
  }
  return units;
}

std::vector<double> risks_at(std::span<const LossCase> cases, const RiskUnits& units,
                             std::span<const double> thresholds) {
  return as_means(totals_at(
                      cases, units, thresholds, [](const LossCase& one) { return one.model_loss; },
                      [](const LossCase& one) { return one.expert_loss; }),
                  units);
}

std::vector<double> deferral_at(std::span<const LossCase> cases, const RiskUnits& units,
                                std::span<const double> thresholds) {
  return as_means(totals_at(
                      cases, units, thresholds, [](const LossCase&) { return 0.; },
                      [](const LossCase&) { return 1.; }),
                  units);
}

TestPlan plan_tests(std::span<const LossCase> outside, std::span<const RiskLimit> limits,
                    std::size_t steps) {
  const std::vector<double> grid = grid_of(outside, steps);
  std::vector<double> worst(grid.size(), 0);
  for (const RiskLimit& limit : limits) {
    const std::vector<double> risks = risks_at(outside, limit.units, grid);
    for (std::size_t k = 0; k < grid.size(); ++k) {
      worst[k] = std::max(worst[k], risks[k] / limit.limit);
    }
  }
  // Among equal minima the one that defers least.
  std::size_t safest = 0;
  for (std::size_t k = 1; k < grid.size(); ++k) {
    if (worst[k] <= worst[safest]) safest = k;
  }
  TestPlan plan;
  std::vector<std::size_t> safe;
  for (std::size_t k = safest; k < grid.size(); ++k) {
    if (worst[k] < 1) safe.push_back(plan.thresholds.size());
    plan.thresholds.push_back(grid[k]);
  }
  if (safe.empty()) safe.push_back(0);
  for (std::size_t sequence = 0; sequence < kSequences; ++sequence) {
    const std::size_t start = safe[safe.size() * sequence / kSequences];
    if (plan.starts.empty() || start > plan.starts.back()) plan.starts.push_back(start);
  }
  return plan;
}

std::vector<TestedThreshold> run_tests(const TestPlan& plan, std::span<const LossCase> calibration,
                                       std::span<const RiskLimit> limits, double error_rate) {
  std::vector<TestedThreshold> tested;
  for (const double threshold : plan.thresholds) tested.push_back({threshold, 0, false});
  for (const RiskLimit& limit : limits) {
    const std::vector<double> risks = risks_at(calibration, limit.units, plan.thresholds);
    for (std::size_t k = 0; k < tested.size(); ++k) {
      tested[k].p_value =
          std::max(tested[k].p_value, p_value(risks[k], limit.units.count(), limit));
    }
  }
  const double part = error_rate / static_cast<double>(plan.starts.size());
  double level = 0;
  for (std::size_t sequence = 0; sequence < plan.starts.size(); ++sequence) {
    const bool last = sequence + 1 == plan.starts.size();
    const std::size_t end = last ? tested.size() : plan.starts[sequence + 1];
    level += part;
    std::size_t k = plan.starts[sequence];
    while (k < end && tested[k].p_value <= level) tested[k++].certified = true;
    if (k < end) level = 0;
  }
  return tested;
}

std::size_t units_needed(double mean_loss, const RiskLimit& limit, double error_rate) {
  if (mean_loss >= limit.limit) return 0;
  constexpr std::size_t kMost = 1'000'000'000;
  const auto passes = [&](std::size_t units) {
    return p_value(mean_loss, units, limit) <= error_rate;
  };
  std::size_t enough = 1;
  while (!passes(enough)) {
    if (enough > kMost) return 0;
    enough *= 2;
  }
  std::size_t too_few = enough / 2;
  while (enough - too_few > 1) {
    const std::size_t middle = too_few + (enough - too_few) / 2;
    (passes(middle) ? enough : too_few) = middle;
  }
  return enough;
}

double deferral_half_width(const RiskUnits& units, std::size_t thresholds, double error_rate) {
  if (units.count() == 0) return 1;
  const double asked = units.are_cases() ? 1 : static_cast<double>(thresholds);
  return std::min(
      1., std::sqrt(std::log(2 * asked / error_rate) / (2 * static_cast<double>(units.count()))));
}

}  // namespace ifd
