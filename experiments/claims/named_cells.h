// The cells that more than one part of the report reads.
#pragma once

#include <string>
#include <vector>

#include "experiments/claims/summary.h"

namespace ifd::experiments {

// Of Table 1, on the scale of probabilities.
Cell area(std::string data, std::string experts, std::string group, std::string method,
          std::string measure = "aursac");
// The data sets of Table 1 in the order of the report.
std::vector<std::string> table1_data(const Summary& summary);

// The noise levels of ImageNet-16H that the paper reports.
inline constexpr int kReportedNoises[] = {95, 110, 125};
// AURSAC with people on duty ("2 people"), and what was measured of the people themselves.
Cell people_area(std::string experts, std::string group, std::string method, int noise);
Cell people_cell(std::string measure, std::string setting = "");

}  // namespace ifd::experiments
