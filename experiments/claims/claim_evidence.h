// What claims are checked with: differences between cells.
#pragma once

#include <optional>
#include <string>

#include "experiments/claims/claims.h"
#include "experiments/claims/summary.h"

namespace ifd::experiments {

enum class Side { kAtLeast, kAtMost };

// What an interval says of a bound; open where there is none.
Outcome beyond(const std::optional<Interval>& interval, Side side, double bound);
// What it says of the band from -width to width.
Outcome inside(const std::optional<Interval>& interval, double width);

// A finding, if there is such a difference: whether its interval lies on this side of the bound.
void add(Claim& claim, std::string where, const std::optional<PairedDifference>& difference,
         Side side, double bound, const std::string& more = {});

// Whether its interval lies within -width and width.
void add_level(Claim& claim, std::string where, const std::optional<PairedDifference>& difference,
               double width, const std::string& more = {});
// What is exact: no interval decides.
void add_exact(Claim& claim, std::string where, std::string numbers, bool holds);

// "; published +0.02", or nothing.
std::string published_difference(const Cell& a, const Cell& b);

}  // namespace ifd::experiments
