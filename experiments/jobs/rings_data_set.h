// Three rings, a small network trained on them, and its last layer as features.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "experiments/jobs/data_set.h"

namespace ifd::experiments {

struct RingsDataSet {
  DataSet data_set;
  std::vector<std::array<double, 2>> test_points;  // where the test cases lie in the plane
};
RingsDataSet rings_data_set(std::uint64_t seed);

}  // namespace ifd::experiments
