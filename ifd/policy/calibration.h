// Recalibrating the classifier on the context, whose cases carry the truth anyway.
//
// The fit treats every class alike and sums over classes in the order of the values, so a coherent
// relabelling permutes its result bit for bit and the policies on top stay invariant.
#pragma once

#include <span>
#include <vector>

#include "ifd/data/predictions.h"

namespace ifd {

enum class CalibrationKind { kNone, kTemperature, kBias };

// rho' = softmax(scale * log rho + bias): scale is one over the temperature.
struct Calibration {
  double scale = 1;
  std::vector<double> bias;  // K, or empty for none

  friend bool operator==(const Calibration&, const Calibration&) = default;
};

// Minimises the log-loss on labelled predictions. kBias adds one offset per class with a ridge
// penalty of half its square, as if every offset were drawn from a standard normal; the problem is
// convex. kNone gives the identity; for the others Error(kBadInput) without a case or without
// labels.
Calibration fit_calibration(const Predictions& labelled, CalibrationKind kind);

// Error(kBadInput) for offsets of another number of classes.
Predictions calibrated(const Predictions& predictions, const Calibration& calibration);

struct CalibrationQuality {
  double log_loss;                    // mean, nats; a probability of zero counts as 1e-12
  double expected_calibration_error;  // of the top class, 15 bins of equal width
};
// Error(kBadInput) without labels.
CalibrationQuality calibration_quality(const Predictions& labelled);

}  // namespace ifd
