// What a trainer hands over: plain numbers, so that whoever writes or uses them needs no LibTorch.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "train/schedule.h"

namespace ifd::train {

struct NamedTensor {
  std::string name;
  std::vector<std::size_t> shape;
  std::vector<float> values;
};

struct TrainedPolicy {
  std::vector<NamedTensor> tensors;
  TrainingSummary summary;
  std::size_t annotations = 0;  // answers of experts that were used
};

}  // namespace ifd::train
