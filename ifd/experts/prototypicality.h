// How typical a case is of a class: its distance to the class's centre in the classifier's
// features.
#pragma once

#include <span>
#include <vector>

#include "ifd/data/predictions.h"
#include "ifd/ids.h"

namespace ifd {

// The centroids c_k and the radii d_max,k of the training split.
class FeatureSpace {
 public:
  // Needs features and labels; a class without a training case is an Error that names it. Sums
  // run in the order of the case names, so the order of the rows changes no bit.
  static FeatureSpace fit(const Predictions& training);

  std::size_t classes() const { return radii_.size(); }
  std::size_t feature_width() const { return width_; }

  // ||F(x) - c_k|| for every class. Features of another width are an Error.
  std::vector<double> distances(std::span<const float> features) const;

  // p(x) = 1 - min(1, d / d_max) for a case of class `truth`. Where all training cases of a class
  // are one point (d_max = 0), p is 1 at that point and 0 elsewhere.
  double prototypicality(std::span<const float> features, ClassId truth) const;
  // The same from distances(): p as if the truth were each class in turn.
  std::vector<double> prototypicalities(std::span<const double> distances) const;

 private:
  FeatureSpace() = default;
  double score(double distance, std::size_t k) const;

  std::size_t width_ = 0;
  std::vector<double> centroids_;  // K x width
  std::vector<double> radii_;      // d_max per class
};

}  // namespace ifd
