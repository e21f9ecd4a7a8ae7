// Features with mean 0 and deviation 1 on the training cases: what policies that read features
// call phi(x). The scaling is part of the policy.
#pragma once

#include <span>
#include <vector>

#include "ifd/data/predictions.h"

namespace ifd {

struct FeatureScaling {
  std::vector<float> mean;
  std::vector<float> scale;  // one over the deviation; 0 for a feature that never varied

  // Error(kBadInput) where the predictions have no features or a feature is not finite.
  static FeatureScaling fit(const Predictions& training);

  std::size_t width() const { return mean.size(); }
  // phi = (x - mean) * scale; both spans have width() numbers.
  void apply(std::span<const float> features, std::span<float> phi) const;
  // Row by row for all cases. Error(kBadInput) for features of another width; `place` names them.
  std::vector<float> apply(const Predictions& predictions, const std::string& place) const;
};

}  // namespace ifd
