#include "ifd/certificate/tail_bounds.h"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cassert>
#include <cmath>
#include <numbers>

namespace ifd {
namespace {

// a log(a/b) + (1-a) log((1-a)/(1-b)) with 0 log 0 = 0.
double bernoulli_divergence(double a, double b) {
  const double first = a > 0 ? a * std::log(a / b) : 0;
  const double second = a < 1 ? (1 - a) * std::log((1 - a) / (1 - b)) : 0;
  return first + second;
}

}  // namespace

double binomial_p_value(std::size_t losses, std::size_t units, double limit) {
  assert(limit > 0 && limit < 1 && losses <= units);
  if (losses >= units) return 1;
  return boost::math::ibetac(static_cast<double>(losses) + 1, static_cast<double>(units - losses),
                             limit);
}

double hoeffding_bentkus_p_value(double mean_loss, std::size_t units, double limit) {
  assert(limit > 0 && limit < 1 && mean_loss >= 0);
  if (units == 0) return 1;
  const auto n = static_cast<double>(units);
  const double hoeffding = std::exp(-n * bernoulli_divergence(std::min(mean_loss, limit), limit));
  const auto losses = static_cast<std::size_t>(std::ceil(std::min(n * mean_loss, n)));
  const double bentkus = std::numbers::e * binomial_p_value(losses, units, limit);
  return std::min({1., hoeffding, bentkus});
}

}  // namespace ifd
