// results.csv: every measured number, a line each.
#pragma once

#include <string>
#include <vector>

#include "experiments/result/job_result.h"

namespace ifd::experiments {

// With a header; numbers round-trip.
std::string to_csv(const std::vector<ResultRow>& rows);

// What to_csv wrote, for checks of a run that is over; `name` is the file in messages.
// Error(kBadInput) names file and line.
std::vector<ResultRow> rows_from_csv(std::string bytes, const std::string& name);

}  // namespace ifd::experiments
