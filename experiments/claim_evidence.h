// What claims are checked with: cells of the tables and differences between them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/claims.h"
#include "experiments/summary.h"

namespace ifd::experiments {

// AURSAC in Table 1, and of two people on duty in ImageNet-16H.
Cell area(std::string data, std::string experts, std::string group, std::string method);
Cell people_area(std::string setting, std::string group, std::string method);

// The data sets of Table 1 in the order of the report.
std::vector<std::string> table1_data(const Summary& summary);

enum class Side { kAtLeast, kAtMost };

// A finding: whether the mean difference, if there is one, lies on this side of the bound.
void add(Claim& claim, std::string where, const std::optional<PairedDifference>& difference,
         Side side, double bound, const std::string& more = {});

// "; published +0.02", or nothing.
std::string published_difference(const Cell& a, const Cell& b);

}  // namespace ifd::experiments
