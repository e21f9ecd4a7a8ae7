#include "ifd/decision/combined_answer.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

#include "ifd/data/predictions.h"

namespace ifd {
namespace {

// A number that no product of many likelihoods makes too small: mantissa * 2^exponent, the mantissa
// in [1/2, 1), or 0.
struct Scaled {
  double mantissa = 0.5;
  long exponent = 1;

  void multiply(double factor) {
    int shift = 0;
    mantissa = std::frexp(mantissa * factor, &shift);
    exponent += shift;
  }
};

// The order of their values, so that neither the experts' nor the classes' decides about rounding.
Scaled product(std::vector<double>& factors) {
  std::sort(factors.begin(), factors.end());
  Scaled made;
  for (const double factor : factors) made.multiply(factor);
  return made;
}

double sum_by_value(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return std::accumulate(values.begin(), values.end(), 0.0);
}

// The mean and the variance (negative) of everybody who answered, at one class.
std::vector<std::pair<double, double>> readings_at(ClassId id,
                                                   std::span<const GivenAnswer> answers) {
  std::vector<std::pair<double, double>> readings;
  for (const GivenAnswer& given : answers) {
    readings.emplace_back(given.profile->means()[index(id)],
                          -given.profile->variances()[index(id)]);
  }
  std::sort(readings.begin(), readings.end(), std::greater<>());
  return readings;
}

// Keeps those for whom `value` is largest.
template <typename ValueOf>
void keep_largest(std::vector<ClassId>& classes, ValueOf value_of) {
  if (classes.size() < 2) return;
  auto best = value_of(classes.front());
  for (const ClassId id : classes) best = std::max(best, value_of(id));
  std::erase_if(classes, [&](ClassId id) { return value_of(id) != best; });
}

// rho_y * prod_j l_j(m_j | y)^w, all multiplied by one power of two.
std::vector<double> weights_of(std::span<const float> probabilities,
                               std::span<const GivenAnswer> answers, double weight) {
  const std::size_t classes = probabilities.size();
  std::vector<Scaled> products(classes);
  std::vector<double> factors;
  long largest = 0;
  bool possible = false;
  for (std::size_t y = 0; y < classes; ++y) {
    factors.assign(1, static_cast<double>(probabilities[y]));
    for (const GivenAnswer& given : answers) {
      const double mean = given.profile->means()[y];
      const double likelihood =
          given.answer.is(class_id(y)) ? mean : (1 - mean) / static_cast<double>(classes - 1);
      factors.push_back(weight == 1 ? likelihood : std::pow(likelihood, weight));
    }
    products[y] = product(factors);
    if (products[y].mantissa == 0) continue;
    largest = possible ? std::max(largest, products[y].exponent) : products[y].exponent;
    possible = true;
  }
  std::vector<double> weights(probabilities.begin(), probabilities.end());
  for (std::size_t y = 0; y < classes && possible; ++y) {
    const long shift = std::max(products[y].exponent - largest, -2000L);
    weights[y] = std::ldexp(products[y].mantissa, static_cast<int>(shift));
  }
  return weights;
}

double expected_cost(const CombinedAnswer& made, const ExpectedCosts& costs,
                     ExpectedCosts::Scratch& scratch) {
  if (const auto even = costs.costs().even_mistake()) return *even * (1 - made.probability());
  return costs.of_labels(made.posterior, scratch)[index(made.label)] * costs.unit();
}

}  // namespace

CombinedAnswer combine(std::span<const float> probabilities, std::span<const GivenAnswer> answers,
                       double weight, const ExpectedCosts* costs) {
  assert(weight > 0 && weight <= 1);
  std::vector<GivenAnswer> heard;
  for (const GivenAnswer& given : answers) {
    assert(given.profile->classes() == probabilities.size());
    if (!given.answer.is_missing() && !given.answer.is_outside()) heard.push_back(given);
  }
  CombinedAnswer made{top_class(probabilities), {}, {}};
  made.posterior = weights_of(probabilities, heard, weight);
  const double total = sum_by_value(made.posterior);
  ExpectedCosts::Scratch scratch;
  if (heard.empty()) {
    if (costs != nullptr) made.label = costs->label(probabilities, scratch);
    made.tied = {made.label};
  } else {
    for (std::size_t y = 0; y < probabilities.size(); ++y) made.tied.push_back(class_id(y));
    if (costs != nullptr && !costs->costs().even_mistake()) {
      const auto of_labels = costs->of_labels(made.posterior, scratch);
      keep_largest(made.tied, [&](ClassId id) { return -of_labels[index(id)]; });
    }
    keep_largest(made.tied, [&](ClassId id) { return made.posterior[index(id)]; });
    keep_largest(made.tied, [&](ClassId id) { return probabilities[index(id)]; });
    keep_largest(made.tied, [&](ClassId id) { return readings_at(id, heard); });
    made.label = made.tied.front();
  }
  for (double& value : made.posterior) value /= total;
  if (costs != nullptr) made.cost = expected_cost(made, *costs, scratch);
  return made;
}

}  // namespace ifd
