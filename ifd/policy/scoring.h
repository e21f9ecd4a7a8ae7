// Running a policy over many cases, block by block.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ifd/data/predictions.h"
#include "ifd/long_work.h"
#include "ifd/policy/asking_gain.h"
#include "ifd/policy/availability.h"
#include "ifd/policy/deferral_policy.h"
#include "ifd/routing/margin_table.h"

namespace ifd {

struct ScoringOptions {
  std::uint64_t seed = 0;  // of the draws between experts with equal margins
  unsigned threads = 1;    // changes nothing but the time
  LongWork work = {};
  // Where the winner's answer is pointless, the margin becomes kNeverDefer.
  const AskingGain* gain = nullptr;
};

// The winner of each case. Never holds more than a block of margins per thread. Experts with equal
// margins are drawn by (seed, case name, expert name), so no order of rows or files decides.
MarginTable winning_margins(const DeferralPolicy& policy, const Predictions& predictions,
                            std::span<const std::string> expert_names,
                            const Availability& availability, const ScoringOptions& options = {});

// All N x J margins, for what needs them all (capacities); kNeverDefer where an expert may not take
// a case.
std::vector<double> all_margins(const DeferralPolicy& policy, const Predictions& predictions,
                                const Availability& availability, const LongWork& work = {});

}  // namespace ifd
