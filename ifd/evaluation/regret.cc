#include "ifd/evaluation/regret.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "ifd/data/predictions.h"
#include "ifd/error.h"

namespace ifd {
namespace {

double ordered_sum(std::vector<double> terms) {
  std::sort(terms.begin(), terms.end());
  double sum = 0;
  for (const double term : terms) sum += term;
  return sum;
}

void check(const TrueCase& truth) {
  if (truth.classes() == 0) throw bad_input("true case: there are no classes; expected some");
  assert(truth.expert_accuracies.size() == truth.experts() * truth.classes());
  for (const auto values : {truth.class_probabilities, truth.expert_accuracies}) {
    for (const double value : values) {
      if (!(value >= 0 && value <= 1)) {
        throw bad_input(fmt::format("true case: {} is not a probability; expected 0..1", value));
      }
    }
  }
  const double sum =
      ordered_sum({truth.class_probabilities.begin(), truth.class_probabilities.end()});
  if (std::abs(sum - 1) > kProbabilitySumTolerance) {
    throw bad_input(fmt::format("true case: the probabilities sum to {:.6g}; expected 1 within {}",
                                sum, kProbabilitySumTolerance));
  }
}

double value_of(const TrueCase& truth, ClassId answer) {
  assert(index(answer) < truth.classes());
  return truth.class_probabilities[index(answer)];
}

double value_of(const TrueCase& truth, ExpertId expert) {
  assert(index(expert) < truth.experts());
  const auto accuracies =
      truth.expert_accuracies.subspan(index(expert) * truth.classes(), truth.classes());
  std::vector<double> terms(truth.classes());
  std::transform(accuracies.begin(), accuracies.end(), truth.class_probabilities.begin(),
                 terms.begin(), std::multiplies<>());
  return ordered_sum(std::move(terms));
}

struct ValuedAction {
  Action action;
  double value;
};

ValuedAction best_action(const TrueCase& truth) {
  ValuedAction answer{ClassId{0}, value_of(truth, ClassId{0})};
  for (std::size_t y = 1; y < truth.classes(); ++y) {
    const double value = value_of(truth, class_id(y));
    if (value > answer.value) answer = {class_id(y), value};
  }
  if (truth.experts() == 0) return answer;
  ValuedAction deferral{ExpertId{0}, value_of(truth, ExpertId{0})};
  for (std::size_t j = 1; j < truth.experts(); ++j) {
    const double value = value_of(truth, expert_id(j));
    if (value > deferral.value) deferral = {expert_id(j), value};
  }
  return deferral.value >= answer.value ? deferral : answer;
}

double checked_value(const TrueCase& truth, Action action) {
  return std::visit([&](auto id) { return value_of(truth, id); }, action);
}

}  // namespace

double action_value(const TrueCase& truth, Action action) {
  check(truth);
  return checked_value(truth, action);
}

double bayes_value(const TrueCase& truth) {
  check(truth);
  return best_action(truth).value;
}

Action bayes_action(const TrueCase& truth) {
  check(truth);
  return best_action(truth).action;
}

double regret(const TrueCase& truth, Action action) {
  check(truth);
  return best_action(truth).value - checked_value(truth, action);
}

double mean_regret(std::span<const TrueCase> truths, std::span<const Action> actions) {
  assert(truths.size() == actions.size());
  if (truths.empty()) throw bad_input("mean regret: there are no cases; expected at least one");
  double sum = 0;
  for (std::size_t row = 0; row < truths.size(); ++row) sum += regret(truths[row], actions[row]);
  return sum / static_cast<double>(truths.size());
}

}  // namespace ifd
