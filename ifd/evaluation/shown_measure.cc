#include "ifd/evaluation/shown_measure.h"

#include <utility>

namespace ifd {

Estimate ShownMeasure::value(const Estimate& estimate) const {
  const Interval ends{value(estimate.interval.low), value(estimate.interval.high)};
  return {value(estimate.value), is_cost() ? Interval{ends.high, ends.low} : ends};
}

Estimate ShownMeasure::difference(const Estimate& estimate) const {
  const Interval ends{difference(estimate.interval.low), difference(estimate.interval.high)};
  return {difference(estimate.value), is_cost() ? Interval{ends.high, ends.low} : ends};
}

Estimate ShownMeasure::gain(const Estimate& estimate) const {
  return {gain(estimate.value), {gain(estimate.interval.low), gain(estimate.interval.high)}};
}

std::string ShownMeasure::key(std::string_view of_accuracy) const {
  std::string key(of_accuracy);
  if (!is_cost()) return key;
  for (const auto& [from, to] : {std::pair<std::string_view, std::string_view>("accuracy", "cost"),
                                 {"gain", "saving"},
                                 {"aursac", "mean_cost"},
                                 {"aurdac", "mean_expert_cost"}}) {
    if (const std::size_t at = key.find(from); at != std::string::npos) {
      key.replace(at, from.size(), to);
    }
  }
  return key;
}

double model_share(const Evaluation& evaluation, const PolicyEvaluation& policy) {
  return evaluation.cost_unit ? policy.curve.model_accuracy() : evaluation.model_accuracy;
}

}  // namespace ifd
