#include "ifd/decision/expected_saving.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "ifd/decision/exact_sum.h"
#include "ifd/decision/value_of_information.h"

namespace ifd {
namespace {

// Costs that are nearer to each other differ by rounding alone; a part of the unit.
constexpr double kRounded = 0x1p-44;

// What labels cost after each answer: after m, label k costs if_missed[k] + extra(m) C[m][k], as a
// part of the unit. The belief is in the scratch.
class CostsAfterAnswers {
 public:
  CostsAfterAnswers(const ExpectedCosts& costs, std::span<const double> means,
                    SavingScratch& scratch)
      : costs_(costs), means_(means), scratch_(scratch) {
    const std::size_t classes = means.size();
    const double share = 1 / static_cast<double>(classes - 1);
    scratch.missed.resize(classes);
    for (std::size_t y = 0; y < classes; ++y) {
      scratch.missed[y] = scratch.belief[y] * ((1 - means[y]) * share);
    }
    const auto sums = costs.of_labels(scratch.missed, scratch.costs);
    scratch.if_missed.assign(sums.begin(), sums.end());
  }

  std::size_t classes() const { return means_.size(); }
  double of(std::size_t label, std::size_t answer) const {
    return scratch_.if_missed[label] + extra(answer) * costs_.row(answer)[label];
  }
  double least(std::size_t answer) const {
    const double more = extra(answer);
    const double* const row = costs_.row(answer);
    double found = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < classes(); ++k) {
      found = std::min(found, scratch_.if_missed[k] + more * row[k]);
    }
    return found;
  }
  // b_y l(m|y)
  double weight(std::size_t y, std::size_t answer) const {
    return y == answer ? scratch_.belief[y] * means_[y] : scratch_.missed[y];
  }

 private:
  // By how much more the truth is the answer than if the expert had named a third class.
  double extra(std::size_t answer) const {
    return scratch_.belief[answer] * means_[answer] - scratch_.missed[answer];
  }

  const ExpectedCosts& costs_;
  std::span<const double> means_;
  SavingScratch& scratch_;
};

template <typename Number>
double saving(const ExpectedCosts& costs, std::span<const Number> belief,
              std::span<const double> means, SavingScratch& scratch) {
  const std::size_t classes = belief.size();
  assert(means.size() == classes);
  if (classes < 2) return 0;
  if (const auto even = costs.costs().even_mistake()) {
    return *even * value_of_information(belief, means);
  }
  scratch.belief.assign(belief.begin(), belief.end());
  const auto now = costs.of_labels(scratch.belief, scratch.costs);
  const double cheapest = *std::min_element(now.begin(), now.end());
  scratch.standing.clear();
  for (std::size_t k = 0; k < classes; ++k) {
    if (now[k] == cheapest) scratch.standing.push_back(k);
  }
  const CostsAfterAnswers after(costs, means, scratch);
  scratch.least.resize(classes);
  for (std::size_t m = 0; m < classes; ++m) scratch.least[m] = after.least(m);
  // Labels that cost the same now save the same but for rounding, which no name may decide about.
  double found = std::numeric_limits<double>::infinity();
  for (const std::size_t label : scratch.standing) {
    ExactSum sum(classes);
    for (std::size_t m = 0; m < classes; ++m) sum.add(after.of(label, m) - scratch.least[m]);
    found = std::min(found, sum.value());
  }
  return found * costs.unit();
}

}  // namespace

double expected_saving(const ExpectedCosts& costs, std::span<const float> belief,
                       std::span<const double> means, SavingScratch& scratch) {
  return saving(costs, belief, means, scratch);
}

double expected_saving(const ExpectedCosts& costs, std::span<const double> belief,
                       std::span<const double> means, SavingScratch& scratch) {
  return saving(costs, belief, means, scratch);
}

double chance_of_right_label(const ExpectedCosts& costs, std::span<const float> belief,
                             std::span<const double> means, SavingScratch& scratch) {
  const std::size_t classes = belief.size();
  if (classes < 2 || costs.costs().even_mistake()) {
    return *std::max_element(belief.begin(), belief.end()) + value_of_information(belief, means);
  }
  scratch.belief.assign(belief.begin(), belief.end());
  const CostsAfterAnswers after(costs, means, scratch);
  ExactSum sum(classes);
  for (std::size_t m = 0; m < classes; ++m) {
    const double least = after.least(m);
    double right = 0;  // of labels that cost the same the most probable
    for (std::size_t k = 0; k < classes; ++k) {
      if (after.of(k, m) <= least + kRounded) right = std::max(right, after.weight(k, m));
    }
    sum.add(right);
  }
  return sum.value();
}

double saving_of_second_answer(const ExpectedCosts& costs, std::span<const double> belief,
                               std::span<const double> first, std::span<const double> second,
                               SavingScratch& scratch) {
  const std::size_t classes = belief.size();
  if (classes < 2) return 0;
  if (const auto even = costs.costs().even_mistake()) {
    return *even * value_of_second_answer(belief, first, second);
  }
  const double share = 1 / static_cast<double>(classes - 1);
  std::vector<double> after(classes);
  ExactSum sum(classes);
  for (std::size_t m = 0; m < classes; ++m) {
    for (std::size_t y = 0; y < classes; ++y) {
      after[y] = belief[y] * (y == m ? first[y] : (1 - first[y]) * share);
    }
    sum.add(saving(costs, std::span<const double>(after), second, scratch) / costs.unit());
  }
  return sum.value() * costs.unit();
}

}  // namespace ifd
