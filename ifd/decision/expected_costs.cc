#include "ifd/decision/expected_costs.h"

#include <cmath>

namespace ifd {
namespace {

// The smallest power of two that is at least this.
double power_of_two_above(double value) {
  int exponent = 0;
  const double part = std::frexp(value, &exponent);
  return std::ldexp(1.0, part == .5 ? exponent - 1 : exponent);
}

ClassValues laid_out(const std::vector<std::vector<double>>& rows) {
  return ClassValues(std::vector<std::span<const double>>(rows.begin(), rows.end()));
}

ClassValues costs_of_labels(const Costs& costs, double unit) {
  const std::size_t k = costs.classes().size();
  std::vector<std::vector<double>> rows(k, std::vector<double>(k));
  for (std::size_t truth = 0; truth < k; ++truth) {
    for (std::size_t label = 0; label < k; ++label) {
      rows[label][truth] = costs.at(class_id(truth), class_id(label)) / unit;
    }
  }
  return laid_out(rows);
}

}  // namespace

ExpectedCosts::ExpectedCosts(std::shared_ptr<const Costs> costs)
    : costs_(std::move(costs)),
      unit_(power_of_two_above(costs_->largest_cost())),
      labels_(costs_of_labels(*costs_, unit_)) {}

ExpectedCosts::ModelAnswer ExpectedCosts::model_answer(std::span<const float> probabilities,
                                                       Scratch& scratch) const {
  if (const auto even = costs_->even_cost()) {
    const ClassId top = top_class(probabilities);
    return {top, *even * (1 - static_cast<double>(probabilities[index(top)]))};
  }
  std::vector<double>& sums = scratch.of_labels;
  sums.resize(probabilities.size());
  scratch.sums(labels_, probabilities, sums);
  std::size_t best = 0;
  for (std::size_t k = 1; k < sums.size(); ++k) {
    const bool cheaper = sums[k] < sums[best];
    if (cheaper || (sums[k] == sums[best] && probabilities[k] > probabilities[best])) best = k;
  }
  return {class_id(best), sums[best] * unit_};
}

std::span<const double> ExpectedCosts::of_labels(std::span<const double> belief,
                                                 Scratch& scratch) const {
  scratch.of_labels.resize(belief.size());
  scratch.sums.begin(belief);
  scratch.sums.add(labels_, scratch.of_labels);
  return scratch.of_labels;
}

ClassValues ExpectedCosts::of_experts(std::span<const ExpertProfile> profiles) const {
  std::vector<std::vector<double>> rows;
  for (const ExpertProfile& profile : profiles) {
    std::vector<double> row;
    for (std::size_t y = 0; y < costs_->classes().size(); ++y) {
      row.push_back((1 - profile.means()[y]) * (costs_->mean_mistake(class_id(y)) / unit_));
    }
    rows.push_back(std::move(row));
  }
  return laid_out(rows);
}

std::vector<ClassId> answers_of_model(const Predictions& cases, const ExpectedCosts* costs) {
  std::vector<ClassId> answers;
  answers.reserve(cases.size());
  ExpectedCosts::Scratch scratch;
  for (std::size_t row = 0; row < cases.size(); ++row) {
    const auto probabilities = cases.probabilities(row);
    answers.push_back(costs == nullptr ? top_class(probabilities)
                                       : costs->label(probabilities, scratch));
  }
  return answers;
}

}  // namespace ifd
