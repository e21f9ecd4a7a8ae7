#include "ifd/experts/prototypicality.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ifd/error.h"

namespace ifd {
namespace {

double distance(std::span<const float> features, std::span<const double> centroid) {
  double squares = 0;
  for (std::size_t i = 0; i < features.size(); ++i) {
    const double difference = features[i] - centroid[i];
    squares += difference * difference;
  }
  return std::sqrt(squares);
}

}  // namespace

FeatureSpace FeatureSpace::fit(const Predictions& training) {
  if (!training.has_labels() || training.feature_width() == 0) {
    throw bad_input("the training cases have no labels or no features; expected both");
  }
  const std::size_t classes = training.classes().size();
  std::vector<std::vector<std::size_t>> members(classes);
  for (std::size_t row = 0; row < training.size(); ++row) {
    members[index(training.label(row))].push_back(row);
  }
  FeatureSpace space;
  space.width_ = training.feature_width();
  space.centroids_.assign(classes * space.width_, 0);
  space.radii_.assign(classes, 0);
  for (std::size_t k = 0; k < classes; ++k) {
    if (members[k].empty()) {
      throw bad_input(fmt::format("class '{}' has no training case; expected at least one",
                                  training.classes().name(class_id(k))));
    }
    std::sort(members[k].begin(), members[k].end(), [&](std::size_t a, std::size_t b) {
      return training.case_name(a) < training.case_name(b);
    });
    const std::span<double> centroid(space.centroids_.data() + k * space.width_, space.width_);
    for (const std::size_t row : members[k]) {
      const auto features = training.features(row);
      for (std::size_t i = 0; i < space.width_; ++i) centroid[i] += features[i];
    }
    for (double& value : centroid) value /= static_cast<double>(members[k].size());
    for (const std::size_t row : members[k]) {
      space.radii_[k] = std::max(space.radii_[k], distance(training.features(row), centroid));
    }
  }
  return space;
}

std::vector<double> FeatureSpace::distances(std::span<const float> features) const {
  if (features.size() != width_) {
    throw bad_input(fmt::format("a case has {} features; expected {}", features.size(), width_));
  }
  std::vector<double> result(classes());
  for (std::size_t k = 0; k < classes(); ++k) {
    result[k] = distance(features, {centroids_.data() + k * width_, width_});
  }
  return result;
}

double FeatureSpace::prototypicality(std::span<const float> features, ClassId truth) const {
  return score(distances(features)[index(truth)], index(truth));
}

std::vector<double> FeatureSpace::prototypicalities(std::span<const double> distances) const {
  std::vector<double> result(classes());
  for (std::size_t k = 0; k < classes(); ++k) result[k] = score(distances[k], k);
  return result;
}

double FeatureSpace::score(double distance, std::size_t k) const {
  if (radii_[k] == 0) return distance == 0 ? 1 : 0;
  return 1 - std::min(1.0, distance / radii_[k]);
}

}  // namespace ifd
