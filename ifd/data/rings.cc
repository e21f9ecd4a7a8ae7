#include "ifd/data/rings.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/special_functions/bessel.hpp>
#include <cmath>
#include <numbers>

#include "ifd/error.h"
#include "ifd/random/keyed_random.h"

namespace ifd {
namespace {

void check(const RingsOptions& options) {
  if (!(options.base_noise >= 0 && options.base_noise <= 1)) {
    throw bad_input(
        fmt::format("rings: base noise {} leaves no ring; expected 0..1", options.base_noise));
  }
  if (!(std::isfinite(options.gaussian_sigma) && options.gaussian_sigma >= 0)) {
    throw bad_input(fmt::format("rings: {} is not a standard deviation; expected a number >= 0",
                                options.gaussian_sigma));
  }
}

// exp(-z) I0(z), z >= 0. I0 itself overflows where exp does, so large z use the asymptotic series
// (Abramowitz and Stegun 9.7.1), whose first dropped term is below 1e-12 there.
double scaled_bessel_i0(double z) {
  if (z < 500) return boost::math::cyl_bessel_i(0, z) * std::exp(-z);
  const double t = 1 / (8 * z);
  const double series = 1 + t * (1 + t * (9.0 / 2 + t * (225.0 / 6 + t * (11025.0 / 24))));
  return series / std::sqrt(2 * std::numbers::pi * z);
}

// log p(x | class) up to a constant shared by the classes, from the distance of x to the origin.
//
// Given a radius r the density at distance d is exp(-(d - r)^2 / 2s^2) I0e(d r / s^2) / (2 pi s^2).
// The exponential is taken relative to its value at the nearest possible radius, and the integral
// runs only as far from there as it stays above e^-40 of that value.
double log_ring_density(double distance, double middle, const RingsOptions& options) {
  const double s2 = options.gaussian_sigma * options.gaussian_sigma;
  const double low = middle - options.base_noise;
  const double high = middle + options.base_noise;
  const double nearest = std::clamp(distance, low, high);
  const double gap = std::abs(distance - nearest);
  const auto relative_density = [&](double r) {
    const double exponent = ((distance - r) * (distance - r) - gap * gap) / (2 * s2);
    return std::exp(-exponent) * scaled_bessel_i0(distance * r / s2);
  };
  if (options.base_noise == 0) {
    return -gap * gap / (2 * s2) + std::log(relative_density(middle));
  }
  const double reach = std::sqrt(gap * gap + 80 * s2) - gap;
  const double from = std::max(low, nearest - reach);
  const double to = std::min(high, nearest + reach);
  constexpr int kPanels = 4;
  double integral = 0;
  for (int panel = 0; panel < kPanels; ++panel) {
    integral += boost::math::quadrature::gauss<double, 15>::integrate(
        relative_density, from + (to - from) * panel / kPanels,
        from + (to - from) * (panel + 1) / kPanels);
  }
  return -gap * gap / (2 * s2) + std::log(integral);
}

}  // namespace

Rings make_rings(const RingsOptions& options) {
  check(options);
  Rings rings;
  const Key split = Key(options.seed).with("rings").with(options.split);
  for (std::size_t i = 0; i < options.cases; ++i) {
    rings.cases.push_back(std::to_string(i));
    rings.labels.push_back(class_id(i % kRingClasses));
    const Key key = split.with(rings.cases.back());
    const double radius =
        static_cast<double>(i % kRingClasses) + 1 + options.base_noise * (2 * key.uniform(0) - 1);
    const double angle = 2 * std::numbers::pi * key.uniform(1);
    rings.x.push_back(
        static_cast<float>(radius * std::cos(angle) + options.gaussian_sigma * key.normal(0)));
    rings.y.push_back(
        static_cast<float>(radius * std::sin(angle) + options.gaussian_sigma * key.normal(1)));
  }
  return rings;
}

std::array<double, kRingClasses> ring_posterior(double x, double y, const RingsOptions& options) {
  check(options);
  if (options.gaussian_sigma == 0) {
    throw bad_input("rings: the posterior needs a Gaussian noise; expected gaussian_sigma > 0");
  }
  const double distance = std::hypot(x, y);
  std::array<double, kRingClasses> posterior;
  for (std::size_t c = 0; c < kRingClasses; ++c) {
    posterior[c] = log_ring_density(distance, static_cast<double>(c) + 1, options);
  }
  const double top = *std::max_element(posterior.begin(), posterior.end());
  double sum = 0;
  for (double& p : posterior) sum += p = std::exp(p - top);
  for (double& p : posterior) p /= sum;
  return posterior;
}

Predictions ring_predictions(const RingsOptions& options) {
  const Rings rings = make_rings(options);
  Predictions::Parts parts{ClassNames({"inner", "middle", "outer"}), {}, {}, rings.labels, {}, 2};
  for (std::size_t i = 0; i < rings.cases.size(); ++i) {
    for (const double p : ring_posterior(rings.x[i], rings.y[i], options)) {
      parts.probabilities.push_back(static_cast<float>(p));
    }
    parts.features.insert(parts.features.end(), {rings.x[i], rings.y[i]});
    parts.cases.push_back(fmt::format("{}-{}", options.split, rings.cases[i]));
  }
  return Predictions(std::move(parts));
}

}  // namespace ifd
