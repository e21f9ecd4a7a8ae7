#include "ifd/profile/sample_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <vector>

#include "ifd/error.h"

namespace ifd {
namespace {

void require_open_unit(double value, const char* what) {
  if (!(value > 0 && value < 1)) {
    throw bad_input(fmt::format("{} is not {}; expected more than 0, less than 1", value, what));
  }
}

void require_unit(double value) {
  if (!(value >= 0 && value <= 1)) {
    throw bad_input(fmt::format("{} is not an accuracy; expected 0..1", value));
  }
}

// P(T = t) for T ~ Binomial(n, p), t = 0..n.
std::vector<double> binomial(std::uint64_t n, double p) {
  std::vector<double> mass(n + 1, 0.0);
  if (p == 0 || p == 1) {
    mass[p == 0 ? 0 : n] = 1;
    return mass;
  }
  const double log_p = std::log(p);
  const double log_q = std::log1p(-p);
  const auto nd = static_cast<double>(n);
  for (std::uint64_t t = 0; t <= n; ++t) {
    const auto td = static_cast<double>(t);
    mass[t] = std::exp(boost::math::lgamma(nd + 1) - boost::math::lgamma(td + 1) -
                       boost::math::lgamma(nd - td + 1) + td * log_p + (nd - td) * log_q);
  }
  return mass;
}

// The largest number of answers per class that anybody would plan for; keeps the search finite.
constexpr std::uint64_t kMostAnswers = 100000;
constexpr std::uint64_t kRun = 25;

// Chances grow with n but for the lumps of the binomial: gallop to a size that succeeds, halve back
// to the first that does, then go on until `kRun` sizes in a row succeed.
template <class Chance>
std::uint64_t least_lasting(std::uint64_t bound, double delta, const Chance& chance) {
  const auto succeeds = [&](std::uint64_t n) { return chance(n) >= 1 - delta; };
  std::uint64_t fails = 0;
  std::uint64_t found = 1;
  while (found < bound && !succeeds(found)) {
    fails = found;
    found = std::min(bound, found + found / 4 + 1);
  }
  while (found - fails > 1) {
    const std::uint64_t middle = fails + (found - fails) / 2;
    (succeeds(middle) ? found : fails) = middle;
  }
  for (std::uint64_t n = found; n < found + kRun && n < bound; ++n) {
    if (!succeeds(n)) found = n + 1;
  }
  return found;
}

std::uint64_t checked_size(double n) {
  if (!(n <= static_cast<double>(kMostAnswers))) {
    throw bad_input(
        fmt::format("the bound is {:.3g} answers per class; expected at most {} (ask for a larger "
                    "gap, tolerance "
                    "or delta)",
                    n, kMostAnswers));
  }
  return static_cast<std::uint64_t>(std::ceil(std::max(n, 1.0)));
}

double gap_of(std::span<const double> accuracies, std::size_t* best_class) {
  if (accuracies.size() < 2) throw bad_input("one accuracy; expected two or more, one per class");
  for (const double accuracy : accuracies) require_unit(accuracy);
  const auto best = std::max_element(accuracies.begin(), accuracies.end());
  *best_class = static_cast<std::size_t>(best - accuracies.begin());
  double second = -1;
  for (std::size_t k = 0; k < accuracies.size(); ++k) {
    if (k != *best_class) second = std::max(second, accuracies[k]);
  }
  if (*best == second) {
    throw bad_input(
        fmt::format("two classes share the best accuracy {}; expected one best class", *best));
  }
  return *best - second;
}

}  // namespace

std::uint64_t peak_class_bound(std::size_t classes, double gap, double delta) {
  require_open_unit(delta, "a failure probability");
  if (!(gap > 0 && gap <= 1)) {
    throw bad_input(fmt::format("{} is not a gap; expected more than 0, at most 1", gap));
  }
  return checked_size(std::log(2 * static_cast<double>(classes) / delta) /
                      (2 * (gap / 2) * (gap / 2)));
}

double peak_class_chance(std::span<const double> accuracies, std::uint64_t answers) {
  std::size_t best = 0;
  gap_of(accuracies, &best);
  // With equal n the posterior means are ordered as the counts: P(T_best > every other T).
  std::vector<double> others_below(answers + 1, 1.0);
  for (std::size_t k = 0; k < accuracies.size(); ++k) {
    if (k == best) continue;
    const auto mass = binomial(answers, accuracies[k]);
    double below = 0;
    for (std::uint64_t t = 0; t <= answers; ++t) {
      others_below[t] *= below;
      below += mass[t];
    }
  }
  const auto mass = binomial(answers, accuracies[best]);
  double chance = 0;
  for (std::uint64_t t = 0; t <= answers; ++t) chance += mass[t] * others_below[t];
  return std::min(chance, 1.0);
}

std::uint64_t prior_recovery_bound(const BetaPrior& prior, double accuracy, double tolerance,
                                   double delta) {
  require_unit(accuracy);
  require_open_unit(tolerance, "a tolerance");
  require_open_unit(delta, "a failure probability");
  const double strength = prior.alpha + prior.beta;
  const double miss = std::abs(prior.alpha / strength - accuracy);
  const double bias = strength * (miss - tolerance / 2) / (tolerance / 2);
  const double noise = 2 * std::log(2 / delta) / (tolerance * tolerance);
  return checked_size(std::max(bias, noise));
}

double prior_recovery_chance(const BetaPrior& prior, double accuracy, double tolerance,
                             std::uint64_t answers) {
  const auto mass = binomial(answers, accuracy);
  double chance = 0;
  for (std::uint64_t t = 0; t <= answers; ++t) {
    if (std::abs(BetaPosterior(prior, answers, t).mean() - accuracy) < tolerance) chance += mass[t];
  }
  return std::min(chance, 1.0);
}

std::uint64_t peak_class_answers(std::span<const double> accuracies, double delta) {
  std::size_t best = 0;
  const double gap = gap_of(accuracies, &best);
  return least_lasting(peak_class_bound(accuracies.size(), gap, delta), delta,
                       [&](std::uint64_t n) { return peak_class_chance(accuracies, n); });
}

std::uint64_t prior_recovery_answers(const BetaPrior& prior, double accuracy, double tolerance,
                                     double delta) {
  return least_lasting(
      prior_recovery_bound(prior, accuracy, tolerance, delta), delta,
      [&](std::uint64_t n) { return prior_recovery_chance(prior, accuracy, tolerance, n); });
}

}  // namespace ifd
