// Whether experts do as well as their profiles say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ifd/data/predictions.h"
#include "ifd/evaluation/curve_estimates.h"
#include "ifd/profile/expert_profile.h"

namespace ifd {

class AskingGain;
struct Replay;

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

// `cases` are as the policy reads them, with labels; `profiles` has one for each expert, `groups`
// is empty or has one number for each case. Nothing where no case is deferred. With `combined`,
// what asking gains where answers are combined, the promise is that the combined label is right, on
// every case where that gain is positive.
std::optional<Promise> promise(const Replay& replayed, const Predictions& cases,
                               std::span<const ExpertProfile> profiles,
                               std::span<const std::uint32_t> groups = {},
                               const AskingGain* combined = nullptr);

// Neighbouring bins joined until each has at least `least` cases, from the lowest promise up; what
// is left over joins the last.
std::vector<Promise::Bin> joined_bins(std::span<const Promise::Bin> bins, std::size_t least);

// The 95 % interval of Wilson (1927) for what was realised, as if the cases were independent: it
// holds the share itself, also where all or none were right.
Interval realised_interval(const Promise::Bin& bin);

}  // namespace ifd
