#include "ifd/evaluation/budget_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ifd/error.h"
#include "ifd/routing/budget.h"

namespace ifd {

RankedCases::RankedCases(std::span<const double> margins, std::span<const CaseOutcome> outcomes) {
  if (margins.size() != outcomes.size() || margins.size() > UINT32_MAX) {
    throw bad_input(
        fmt::format("budget curve: {} margins and {} outcomes; expected one of each for "
                    "every case, at most {}",
                    margins.size(), outcomes.size(), UINT32_MAX));
  }
  if (margins.empty()) throw bad_input("budget curve: there are no cases; expected at least one");
  check_margins(margins);
  ranked_.reserve(margins.size());
  for (std::size_t row = 0; row < margins.size(); ++row) {
    ranked_.push_back({margins[row], static_cast<std::uint32_t>(row), outcomes[row]});
  }
  std::sort(ranked_.begin(), ranked_.end(),
            [](const Case& a, const Case& b) { return a.margin > b.margin; });
}

template <typename WeightOf>
void BudgetCurve::accumulate(const RankedCases& cases, WeightOf weight_of) {
  blocks_.reserve(cases.size());
  Block total;
  for (const RankedCases::Case& c : cases.ranked_) {
    const std::uint32_t weight = weight_of(c.row);
    if (weight == 0) continue;
    cases_ += weight;
    model_.add(c.outcome.model, weight);
    if (c.margin == kNeverDefer) continue;
    total.margin = c.margin;
    total.end += weight;
    total.model.add(c.outcome.model, weight);
    total.expert.add(c.outcome.expert, weight);
    if (!blocks_.empty() && blocks_.back().margin == c.margin) {
      blocks_.back() = total;
    } else {
      blocks_.push_back(total);
    }
  }
  if (cases_ == 0) throw bad_input("budget curve: no case counts; expected a positive weight");
}

BudgetCurve::BudgetCurve(std::span<const double> margins, std::span<const CaseOutcome> outcomes)
    : BudgetCurve(RankedCases(margins, outcomes)) {}

BudgetCurve::BudgetCurve(const RankedCases& cases) {
  accumulate(cases, [](std::uint32_t) { return std::uint32_t{1}; });
}

BudgetCurve::BudgetCurve(const RankedCases& cases, std::span<const std::uint32_t> weights) {
  if (weights.size() != cases.size()) {
    throw bad_input(fmt::format("budget curve: {} weights; expected one for each of the {} cases",
                                weights.size(), cases.size()));
  }
  accumulate(cases, [&](std::uint32_t row) { return weights[row]; });
}

std::size_t BudgetCurve::deferred_at(double threshold) const {
  const auto below = std::partition_point(blocks_.begin(), blocks_.end(), [&](const Block& block) {
    return block.margin >= threshold;
  });
  return below == blocks_.begin() ? 0 : std::prev(below)->end;
}

double BudgetCurve::model_accuracy() const {
  return model_.right_answers() / static_cast<double>(cases_);
}

double BudgetCurve::system_accuracy(double budget) const {
  const double at = position(budget);
  const auto block = std::partition_point(blocks_.begin(), blocks_.end(),
                                          [&](const Block& b) { return b.end < at; });
  const Block before = block == blocks_.begin() ? Block{} : *std::prev(block);
  const double right =
      block == blocks_.end() ? right_at_end(before) : right_within(before, *block, at);
  return right / static_cast<double>(cases_);
}

double BudgetCurve::system_accuracy(double budget, double least_margin) const {
  const auto most = static_cast<double>(deferred_at(least_margin)) / static_cast<double>(cases_);
  return system_accuracy(std::min(budget, most));
}

std::optional<double> BudgetCurve::expert_accuracy(double budget) const {
  const double at = position(budget);
  if (blocks_.empty()) return std::nullopt;
  return expert_accuracy_between(at);
}

double BudgetCurve::aursac(double d_min, double d_max) const {
  const Range cut = range(d_min, d_max);
  if (cut.low == cut.high) return system_accuracy(d_min);  // the range is narrower than rounding
  double area = 0;
  Block before;
  for (const Block& block : blocks_) {
    const double low = std::max(cut.low, static_cast<double>(before.end));
    const double high = std::min(cut.high, static_cast<double>(block.end));
    if (low < high) {
      area += (high - low) * 0.5 *
              (right_within(before, block, low) + right_within(before, block, high));
    }
    before = block;
  }
  const double low = std::max(cut.low, static_cast<double>(before.end));
  if (low < cut.high) area += (cut.high - low) * right_at_end(before);
  return area / (cut.high - cut.low) / static_cast<double>(cases_);
}

std::optional<double> BudgetCurve::aurdac(double d_min, double d_max) const {
  const Range cut = range(d_min, d_max);
  if (blocks_.empty()) return std::nullopt;
  if (cut.low == cut.high) return expert_accuracy(d_min);
  const double at_low = expert_accuracy_between(cut.low);
  const double at_high = expert_accuracy_between(cut.high);
  const double first = std::ceil(cut.low);
  const double last = std::floor(cut.high);
  if (first > last) return 0.5 * (at_low + at_high);

  const double at_first = expert_accuracy_between(first);
  const double at_last = expert_accuracy_between(last);
  const double inner =
      sum_of_expert_accuracies(static_cast<std::size_t>(first), static_cast<std::size_t>(last)) -
      0.5 * (at_first + at_last);
  const double edges =
      (first - cut.low) * 0.5 * (at_low + at_first) + (cut.high - last) * 0.5 * (at_last + at_high);
  return (inner + edges) / (cut.high - cut.low);
}

std::vector<CurvePoint> BudgetCurve::points(std::size_t count) const {
  if (count < 2) {
    throw bad_input(
        fmt::format("budget curve: {} points make no curve; expected 2 or more", count));
  }
  std::vector<CurvePoint> points;
  points.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double budget = static_cast<double>(i) / static_cast<double>(count - 1);
    points.push_back({budget, system_accuracy(budget), expert_accuracy(budget)});
  }
  return points;
}

// dN, and exactly i where d is the floating-point number i/N.
double BudgetCurve::position(double budget) const {
  if (!(budget >= 0 && budget <= 1)) {
    throw bad_input(fmt::format("budget: {} is not a share of the cases; expected 0..1", budget));
  }
  const auto n = static_cast<double>(cases_);
  const double nearest = std::round(budget * n);
  return nearest / n == budget ? nearest : budget * n;
}

BudgetCurve::Range BudgetCurve::range(double d_min, double d_max) const {
  if (!(d_min >= 0 && d_min < d_max && d_max <= 1)) {
    throw bad_input(fmt::format(
        "budget range: [{}, {}] is not a range; expected 0 <= d_min < d_max <= 1", d_min, d_max));
  }
  return {position(d_min), position(d_max)};
}

// Right answers of the system when everything up to the end of `block` is deferred.
double BudgetCurve::right_at_end(const Block& block) const {
  return (model_ - block.model + block.expert).right_answers();
}

double BudgetCurve::right_within(const Block& before, const Block& block, double position) const {
  const double start = right_at_end(before);
  const double width = block.end - before.end;
  return start + (position - before.end) * (right_at_end(block) - start) / width;
}

double BudgetCurve::expert_accuracy_at(std::size_t deferred) const {
  return sum_of_expert_accuracies(deferred, deferred);
}

double BudgetCurve::expert_accuracy_between(double position) const {
  const double below = std::floor(position);
  const double value = expert_accuracy_at(static_cast<std::size_t>(below));
  if (below == position) return value;
  const double next = expert_accuracy_at(static_cast<std::size_t>(below) + 1);
  return value + (position - below) * (next - value);
}

// ExpAcc(i/N) summed over first <= i <= last; only where something can be deferred.
double BudgetCurve::sum_of_expert_accuracies(std::size_t first, std::size_t last) const {
  const Block& front = blocks_.front();
  double sum = 0;
  if (first == 0) {
    sum = front.expert.right_answers() / front.end;
    first = 1;
  }
  auto block = std::partition_point(blocks_.begin(), blocks_.end(),
                                    [&](const Block& b) { return b.end < first; });
  Block before = block == blocks_.begin() ? Block{} : *std::prev(block);
  for (; block != blocks_.end() && first <= last; ++block) {
    const double width = block->end - before.end;
    const double right_before = before.expert.right_answers();
    const double right = (block->expert - before.expert).right_answers();
    for (; first <= std::min<std::size_t>(last, block->end); ++first) {
      const double into_block = static_cast<double>(first - before.end);
      sum += (right_before + into_block * right / width) / static_cast<double>(first);
    }
    before = *block;
  }
  if (first <= last) {
    const Block& back = blocks_.back();
    sum += static_cast<double>(last - first + 1) * back.expert.right_answers() / back.end;
  }
  return sum;
}

}  // namespace ifd
