// How far the training of a classifier is, and how a checkpoint says so. Nothing here needs
// LibTorch.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ifd/data/safetensors.h"

namespace ifd::train {

struct ClassifierEpoch {
  std::size_t epoch = 0;  // from 1
  double loss = 0;        // mean over the epoch's cases
  double accuracy = 0;    // on the validation cases
  double log_loss = 0;    // alike, in nats
  bool best = false;      // the best accuracy so far; among equals, the smallest log loss
};

// The epochs so far, from the first.
class ClassifierProgress {
 public:
  // The next epoch; `best` follows from the scores.
  const ClassifierEpoch& add(double loss, double accuracy, double log_loss);

  const std::vector<ClassifierEpoch>& epochs() const { return epochs_; }
  // The last that was best; one that counts as epoch 0 before there is any.
  ClassifierEpoch best() const { return best_ == 0 ? ClassifierEpoch{} : epochs_[best_ - 1]; }

 private:
  std::vector<ClassifierEpoch> epochs_;
  std::size_t best_ = 0;
};

// Into a checkpoint's metadata. `settings_json` tells one training from another.
void add_progress(SafetensorsWriter& checkpoint, const ClassifierProgress& progress,
                  const std::string& settings_json);

// What a checkpoint says. Error(kCorruptFile) where it is no checkpoint of a classifier, or holds
// what no training gives: scores that cannot be, a best epoch that is not, numbers that are not
// finite, as many epochs as the training has, `epochs`, or more. Error(kConflict), naming what
// differs, where it belongs to another training than that of `settings_json`.
ClassifierProgress classifier_progress(const SafetensorsFile& checkpoint,
                                       const std::string& settings_json, std::size_t epochs);

}  // namespace ifd::train
