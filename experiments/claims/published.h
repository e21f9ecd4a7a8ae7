// The paper's published numbers, to stand beside ours.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/claims/summary.h"

namespace ifd::experiments {

struct PublishedValue {
  double mean = 0;
  double deviation = 0;  // over cohorts or seeds, as printed

  bool operator==(const PublishedValue&) const = default;
};

// Table 1. `condition` is "stable", "variable" or, for ImageNet-16H, "noise=95". Nothing where the
// paper prints no number, as for methods and data that are not its own.
std::optional<PublishedValue> published_table1(const DataName& data, const std::string& condition,
                                               const GroupName& group, const MethodName& method,
                                               const MeasureName& measure);

// The number to stand beside a cell of the experiments table1 and imagenet16h. The published ones
// were made with margins on the scale of probabilities and, on ImageNet-16H, with two people and
// a low target accuracy of .40, so there is none beside other cells. There the published ID
// numbers, of the people of the training, stand beside seen people, too.
std::optional<PublishedValue> published(const Cell& cell);

// The ablation of the trust signal: "ifd-peak-lcb", "ifd-peak-mean", "ifd-peak-binary" or "model".
// On another scale than Table 1: its variants compare with each other only.
std::optional<PublishedValue> published_ablation(const DataName& data, const MethodName& method,
                                                 const MeasureName& measure);

// From so many answers per class on, a wrong prior of this strength (10, 30, 100) is overcome.
std::optional<double> published_prior_threshold(double strength);

// The mean correlation of two people's fingerprints on ImageNet-16H.
inline constexpr double kPublishedFingerprintCorrelation = 0.926;
// On how many of the pictures the people of ImageNet-16H are right, and its ResNet-152, by noise
// level (80, 95, 110, 125).
std::optional<double> published_people_accuracy(int noise);
std::optional<double> published_model_accuracy(int noise);

// From how many answers per class on a wrong prior of this strength was said to be overcome.
struct PublishedOvercoming {
  double strength;
  double answers;
};
inline constexpr PublishedOvercoming kPublishedOvercomings[] = {{10, 30}, {30, 320}, {100, 640}};

}  // namespace ifd::experiments
