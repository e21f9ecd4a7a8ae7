// What a trainer hands over: plain numbers, so that whoever writes or uses them needs no LibTorch.
#pragma once

#include <cstddef>
#include <vector>

#include "ifd/policy/policy_file.h"
#include "train/schedule.h"

namespace ifd::train {

struct TrainedPolicy {
  std::vector<Tensor> tensors;
  TrainingSummary summary;
  std::size_t annotations = 0;  // answers of experts that were used
};

}  // namespace ifd::train
