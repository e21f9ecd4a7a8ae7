// Data that needs no file: for --quick, which must not wait for a classifier.
#pragma once

#include <cstdint>

#include "experiments/jobs/data_set.h"

namespace ifd::experiments {

// Six clouds of points in eight dimensions and a nearest-mean classifier that saw few of them.
DataSet generated_data_set(std::uint64_t seed);

}  // namespace ifd::experiments
