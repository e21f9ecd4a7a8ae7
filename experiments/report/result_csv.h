// results.csv: every measured number, a line each.
#pragma once

#include <string>
#include <vector>

#include "experiments/result/job_result.h"

namespace ifd::experiments {

// With a header; numbers round-trip.
std::string to_csv(const std::vector<ResultRow>& rows);

}  // namespace ifd::experiments
