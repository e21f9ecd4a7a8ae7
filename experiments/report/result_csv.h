// Reads results.csv back, for reports and checks of a run that is over.
#pragma once

#include <string>
#include <vector>

#include "experiments/result/result.h"

namespace ifd::experiments {

// What to_csv wrote; `name` is the file in messages. Error(kBadInput) names file and line.
std::vector<ResultRow> rows_from_csv(std::string bytes, const std::string& name);

}  // namespace ifd::experiments
