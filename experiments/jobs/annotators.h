// The people of ImageNet-16H.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "ifd/data/annotation_set.h"
#include "ifd/data/predictions.h"
#include "ifd/data/read_limits.h"

namespace ifd::experiments {

inline constexpr int kNoiseLevels[] = {80, 95, 110, 125};

// ImageNet-16H: the people who passed the low-skill filter, and a model's predictions. The
// predictions' features are their log-probabilities, for the methods that need features.
struct RealAnnotators {
  AnnotationSet annotations;
  std::vector<Predictions> predictions = {};  // by noise level, on the same images
  double correlation = 0;                     // mean over pairs of people, before the filter
  std::vector<double> accuracy_by_noise = {};
  std::size_t kept = 0;
  std::size_t dropped = 0;
  std::string hash = {};
};
// The same with the logarithms of its probabilities as features.
Predictions with_log_features(const Predictions& predictions);

// From the two CSV files of ImageNet-16H. kPart keeps half of the images: for --quick.
enum class Portion { kWhole, kPart };
RealAnnotators read_annotators(const std::filesystem::path& folder, Portion portion,
                               const ReadLimits& limits = {});

}  // namespace ifd::experiments
