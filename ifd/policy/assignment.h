// Who takes which case where experts can take only so many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "ifd/data/predictions.h"
#include "ifd/long_work.h"
#include "ifd/policy/asking_gain.h"
#include "ifd/policy/availability.h"
#include "ifd/policy/deferral_policy.h"
#include "ifd/routing/budget.h"
#include "ifd/routing/capacity.h"

namespace ifd {

// The most cases of each expert by name; who is not named has no limit.
using MostCases = std::map<std::string, std::size_t>;

// For each expert the most of `cases` cases that they take. Error(kNotFound) where a name is none
// of theirs.
std::vector<std::size_t> capacities_of(const MostCases& most, std::span<const std::string> experts,
                                       std::size_t cases);

// What the experts on duty can take of `cases` cases, all together.
std::size_t total_capacity(const MostCases& most, std::span<const std::string> experts,
                           const Availability& on_duty, std::size_t cases);

// The assignments with the largest total margin, see capacity.h. `cases` are as the policy reads
// them. Among equal assignments the names of cases and experts decide, with the seed. Holds the
// margins of all cases and experts: Error(kBadInput) for more than 2^32. With `gain` nobody gets a
// case on which asking them is pointless.
class WithinCapacities {
 public:
  WithinCapacities(const DeferralPolicy& policy, const Predictions& cases,
                   std::span<const std::string> experts, const Availability& availability,
                   const MostCases& most, std::uint64_t seed, LongWork work = {},
                   const AskingGain* gain = nullptr);

  std::vector<Route> routes(DeferralLimit limit) const;

 private:
  std::vector<std::size_t> capacities_;
  std::vector<std::uint64_t> case_keys_;
  std::vector<std::uint64_t> expert_keys_;
  std::vector<double> margins_;
  LongWork work_;
};

}  // namespace ifd
