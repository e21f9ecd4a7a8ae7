// What comes of a training: plain numbers, so that whoever writes or uses them needs no LibTorch.
#pragma once

#include <cstddef>
#include <vector>

#include "ifd/policy/policy_file.h"
#include "train/schedule.h"

namespace ifd::train {

// As a trainer hands it over.
struct TrainedPolicy {
  std::vector<Tensor> tensors;
  TrainingSummary summary;
  std::size_t annotations = 0;  // answers of experts that were used
};

// As a policy that decides, and how it was learnt.
struct LearntPolicy {
  PolicyFile file;
  TrainingSummary summary;
  std::size_t annotations = 0;  // as above
};

}  // namespace ifd::train
