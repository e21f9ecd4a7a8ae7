// What may stand behind a training: a disk that remembers it, processes that share its work.
#pragma once

#include <functional>

#include "train/checkpoint.h"

namespace ifd::train {

class GradientExchange;

struct BatchCount {
  std::size_t done, all;  // of an epoch
};

struct Support {
  const Checkpoint* resume = nullptr;  // go on from here instead of from the start
  // After every epoch: whether it is time to keep a checkpoint. One is kept without asking where
  // the observer ends the training.
  std::function<bool()> checkpoint_due = {};
  std::function<void(const Checkpoint&)> keep_checkpoint = {};  // by the leading process only
  bool keep_last = false;  // one more where the training ends by itself, for longer ones to go on
  // After every batch, with the epochs before: a sign of life where an epoch takes long.
  std::function<void(const TrainingSummary&, BatchCount)> heard_batch = {};
  GradientExchange* team = nullptr;  // none: a single process
};

}  // namespace ifd::train
