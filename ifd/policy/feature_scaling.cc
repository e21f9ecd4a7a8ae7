#include "ifd/policy/feature_scaling.h"

#include <fmt/format.h>

#include <cmath>

#include "ifd/error.h"

namespace ifd {

FeatureScaling FeatureScaling::fit(const Predictions& training) {
  const std::size_t width = training.feature_width();
  if (width == 0 || training.size() == 0) {
    throw bad_input("the training predictions have no features; expected them for this method");
  }
  const auto n = static_cast<double>(training.size());
  FeatureScaling scaling;
  for (std::size_t d = 0; d < width; ++d) {
    double sum = 0;
    for (std::size_t i = 0; i < training.size(); ++i) sum += training.features(i)[d];
    const double mean = sum / n;
    double squares = 0;
    for (std::size_t i = 0; i < training.size(); ++i) {
      const double away = training.features(i)[d] - mean;
      squares += away * away;
    }
    const double deviation = std::sqrt(squares / n);
    if (!std::isfinite(deviation)) {
      throw bad_input(fmt::format("feature {} is not finite everywhere; expected numbers", d));
    }
    // Deviations below the rounding of the mean are no variation.
    const bool varies = deviation > 1e-7 * std::abs(mean);
    scaling.mean.push_back(static_cast<float>(mean));
    scaling.scale.push_back(varies ? static_cast<float>(1 / deviation) : 0);
  }
  return scaling;
}

void FeatureScaling::apply(std::span<const float> features, std::span<float> phi) const {
  for (std::size_t d = 0; d < width(); ++d) phi[d] = (features[d] - mean[d]) * scale[d];
}

std::vector<float> FeatureScaling::apply(const Predictions& predictions,
                                         const std::string& place) const {
  if (predictions.feature_width() != width()) {
    throw bad_input(fmt::format("{}: features of width {}; expected {}", place,
                                predictions.feature_width(), width()));
  }
  std::vector<float> phi(predictions.size() * width());
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    apply(predictions.features(i), std::span(phi).subspan(i * width(), width()));
  }
  return phi;
}

}  // namespace ifd
