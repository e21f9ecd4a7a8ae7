#include "ifd/routing/budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <functional>
#include <limits>

#include "ifd/error.h"

namespace ifd {

void check_margins(std::span<const double> margins) {
  for (std::size_t row = 0; row < margins.size(); ++row) {
    if (!std::isfinite(margins[row]) && margins[row] != kNeverDefer) {
      throw bad_input(fmt::format("row {}: {} is not a margin; expected a finite number or -inf",
                                  row, margins[row]));
    }
  }
}

std::size_t budget_cases(double budget, std::size_t cases) {
  if (!(budget >= 0 && budget <= 1)) {
    throw bad_input(fmt::format("budget: {} is not a share of the cases; expected 0..1", budget));
  }
  const auto total = static_cast<double>(cases);
  auto count = static_cast<std::size_t>(budget * total);
  while (count > 0 && static_cast<double>(count) / total > budget) --count;
  while (count < cases && static_cast<double>(count + 1) / total <= budget) ++count;
  return count;
}

double threshold_for_budget(std::span<const double> margins, double budget) {
  check_margins(margins);
  const std::size_t allowed = budget_cases(budget, margins.size());
  std::vector<double> deferrable;
  deferrable.reserve(margins.size());
  std::copy_if(margins.begin(), margins.end(), std::back_inserter(deferrable),
               [](double margin) { return margin != kNeverDefer; });

  double threshold = std::numeric_limits<double>::infinity();
  if (allowed >= deferrable.size()) {
    for (const double margin : deferrable) threshold = std::min(threshold, margin);
    return threshold;
  }
  // The first margin that must stay out takes its whole block with it.
  const auto first_out = deferrable.begin() + static_cast<std::ptrdiff_t>(allowed);
  std::nth_element(deferrable.begin(), first_out, deferrable.end(), std::greater<>());
  for (auto margin = deferrable.begin(); margin != first_out; ++margin) {
    if (*margin > *first_out) threshold = std::min(threshold, *margin);
  }
  return threshold;
}

std::optional<BlockLeftOut> block_left_out(std::span<const double> margins, double budget) {
  const double threshold = threshold_for_budget(margins, budget);
  BlockLeftOut block{kNeverDefer, 0, 0};
  for (const double margin : margins) {
    if (margin >= threshold) {
      ++block.before;
    } else if (margin > block.margin) {
      block.margin = margin;
      block.cases = 1;
    } else if (margin == block.margin && margin != kNeverDefer) {
      ++block.cases;
    }
  }
  if (block.cases == 0 || block.before == budget_cases(budget, margins.size())) return {};
  return block;
}

CalibratedThreshold calibrate_threshold(std::span<const double> margins, double budget,
                                        double confidence, double least_margin) {
  if (margins.empty()) {
    throw bad_input("calibration set: there are no cases; expected at least one");
  }
  if (!(confidence > 0 && confidence < 1)) {
    throw bad_input(fmt::format(
        "confidence: {} is not a level; expected a number between 0 and 1, both out", confidence));
  }
  const double threshold = std::max(threshold_for_budget(margins, budget), least_margin);
  const auto deferred = static_cast<std::size_t>(std::count_if(
      margins.begin(), margins.end(), [&](double margin) { return margin >= threshold; }));

  const auto n = static_cast<double>(margins.size());
  const auto k = static_cast<double>(deferred);
  const double tail = (1 - confidence) / 2;
  double low = 0;
  double high = 0;
  if (deferred > 0) low = boost::math::ibeta_inv(k, n - k + 1, tail);
  if (threshold < std::numeric_limits<double>::infinity()) {
    high = deferred == margins.size() ? 1 : boost::math::ibetac_inv(k + 1, n - k, tail);
  }
  return {threshold, margins.size(), deferred, k / n, low, high, confidence};
}

std::vector<Route> route_by_threshold(const MarginTable& table, double threshold) {
  if (table.margin.size() != table.expert.size()) {
    throw bad_input(
        fmt::format("margin table: {} margins and {} experts; expected one of each for "
                    "every case",
                    table.margin.size(), table.expert.size()));
  }
  check_margins(table.margin);
  if (std::isnan(threshold)) {
    throw bad_input("threshold: nan is not a threshold; expected a number");
  }
  std::vector<Route> routes;
  routes.reserve(table.size());
  for (std::size_t row = 0; row < table.size(); ++row) {
    const double margin = table.margin[row];
    const bool defer = margin != kNeverDefer && margin >= threshold;
    routes.push_back({defer ? table.expert[row] : kNobody, margin});
  }
  return routes;
}

}  // namespace ifd
