// What is written down of a training: in its policy file, in checkpoints and in caches.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "train/training_inputs.h"
#include "train/training_method.h"

namespace ifd::train {

// What the trained numbers depend on beside the plan and the code.
struct Circumstances {
  CalibrationChoice calibration = {};
  std::size_t processes = 1;
  std::optional<double> classifier_rate = {};  // of a joint training
  Fingerprints data = {};
};

// The plan and its circumstances as a JSON object, with the versions of ifd and LibTorch. What
// remembers a training, or shares it, must agree with it.
std::string training_settings(const TrainingPlan& plan, const Circumstances& circumstances);

// The metadata of a policy file, a JSON object. No clock: the same training gives the same bytes.
std::string policy_metadata(const TrainingPlan& plan, const Lesson& lesson,
                            const TrainedPolicy& trained);

}  // namespace ifd::train
