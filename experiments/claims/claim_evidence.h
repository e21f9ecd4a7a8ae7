// What claims are checked with: differences between cells.
#pragma once

#include <optional>
#include <string>

#include "experiments/claims/claims.h"
#include "experiments/claims/summary.h"

namespace ifd::experiments {

enum class Side { kAtLeast, kAtMost };

// A finding: whether the mean difference, if there is one, lies on this side of the bound.
void add(Claim& claim, std::string where, const std::optional<PairedDifference>& difference,
         Side side, double bound, const std::string& more = {});

// "; published +0.02", or nothing.
std::string published_difference(const Cell& a, const Cell& b);

}  // namespace ifd::experiments
