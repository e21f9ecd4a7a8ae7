// Whether experts do as well as their profiles say.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "ifd/evaluation/curve_estimates.h"

namespace ifd {

// What the profiles led to expect of the experts, and what came of it, on the cases that a policy
// defers at threshold 0.
struct Promise {
  struct Bin {
    double promised;
    double realised;
    std::size_t cases;
  };
  std::size_t cases;
  double promised;        // the mean of sum_y rho_y mu_y, for the expert who takes the case
  double realised;        // how often they were right
  Interval shortfall;     // promised - realised: 95 %, normal, over groups where there are any
  std::vector<Bin> bins;  // by what was promised, tenths, without the empty ones
};

// Neighbouring bins joined until each has at least `least` cases, from the lowest promise up; what
// is left over joins the last.
std::vector<Promise::Bin> joined_bins(std::span<const Promise::Bin> bins, std::size_t least);

// The 95 % interval of Wilson (1927) for what was realised, as if the cases were independent: it
// holds the share itself, also where all or none were right.
Interval realised_interval(const Promise::Bin& bin);

}  // namespace ifd
