#include "ifd/policy/assignment.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "ifd/data/utf8.h"
#include "ifd/error.h"
#include "ifd/policy/scoring.h"
#include "ifd/random/keyed_random.h"

namespace ifd {
namespace {

void check_table_size(std::size_t cases, std::size_t experts) {
  constexpr std::size_t kMostMargins = std::size_t{1} << 32;
  if (experts == 0 || cases <= kMostMargins / experts) return;
  throw bad_input(
      fmt::format("{} cases and {} experts; with capacities, expected at most {} margins", cases,
                  experts, kMostMargins));
}

}  // namespace

std::vector<std::size_t> capacities_of(const MostCases& most, std::span<const std::string> experts,
                                       std::size_t cases) {
  std::vector<std::size_t> capacities(experts.size(), cases);
  std::size_t found = 0;
  for (std::size_t j = 0; j < experts.size(); ++j) {
    const auto limit = most.find(experts[j]);
    if (limit == most.end()) continue;
    capacities[j] = std::min(limit->second, cases);
    ++found;
  }
  if (found == most.size()) return capacities;
  for (const auto& [name, unused] : most) {
    if (std::find(experts.begin(), experts.end(), name) == experts.end()) {
      throw Error(ErrorKind::kNotFound,
                  fmt::format("a capacity for '{}', who is not on the roster; expected its names",
                              excerpt(name)));
    }
  }
  return capacities;
}

std::size_t total_capacity(const MostCases& most, std::span<const std::string> experts,
                           const Availability& on_duty, std::size_t cases) {
  const std::vector<std::size_t> capacities = capacities_of(most, experts, cases);
  std::size_t total = 0;
  for (std::size_t j = 0; j < capacities.size() && total < cases; ++j) {
    if (on_duty.is_on_duty(expert_id(j))) total += capacities[j];
  }
  return std::min(total, cases);
}

WithinCapacities::WithinCapacities(const DeferralPolicy& policy, const Predictions& cases,
                                   std::span<const std::string> experts,
                                   const Availability& availability, const MostCases& most,
                                   std::uint64_t seed, LongWork work, const AskingGain* gain)
    : capacities_(capacities_of(most, experts, cases.size())), work_(std::move(work)) {
  check_table_size(cases.size(), experts.size());
  const Key key = Key(seed).with("equal assignments");
  for (std::size_t row = 0; row < cases.size(); ++row) {
    case_keys_.push_back(key.with("case").with(cases.case_name(row)).bits());
  }
  for (const std::string& name : experts) {
    expert_keys_.push_back(key.with("expert").with(name).bits());
  }
  margins_ = all_margins(policy, cases, availability, {work_.cancellation, {}});
  if (gain != nullptr) gain->drop_pointless(cases, margins_);
}

std::vector<Route> WithinCapacities::routes(DeferralLimit limit) const {
  // Nothing reaches a threshold of +infinity, and no sum of margins can be compared with it.
  if (limit.min_margin == std::numeric_limits<double>::infinity()) {
    return std::vector<Route>(case_keys_.size(), Route{kNobody, kNeverDefer});
  }
  return assign_within_capacity(margins_, capacities_, limit, case_keys_, expert_keys_, work_);
}

}  // namespace ifd
