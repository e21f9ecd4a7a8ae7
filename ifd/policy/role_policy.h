// The identity-free policies: a rule on states, fed through the one door.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "ifd/policy/deferral_policy.h"
#include "ifd/policy/policy_method.h"
#include "ifd/policy/roster.h"
#include "ifd/rejector/role_rejector.h"
#include "ifd/role/role_reader.h"

namespace ifd {

// kExact: experts who read the same numbers on a case share one evaluation of the rule. With few
// answers per class a large roster falls into few states, and no bit of a margin changes.
// kNone: every pair of case and expert is evaluated.
enum class Sharing { kExact, kNone };

struct SharingCounts {
  std::uint64_t pairs;        // of cases and experts that were scored
  std::uint64_t evaluations;  // of the rule
};

class RolePolicy final : public DeferralPolicy {
 public:
  // The policy keeps the roster's readings as they are now.
  RolePolicy(const Roster& roster, std::shared_ptr<const RoleRejector> rejector,
             TieRule ties = TieRule::kByReadings, Sharing sharing = Sharing::kExact);

  std::size_t experts() const override { return kind_.size(); }
  void score(const Predictions& predictions, CaseRange rows,
             std::span<double> margins) const override;

  // Policies of one rule over the parts of a roster, as one: margins has a column for each expert
  // of the parts, in order. Experts who read the same numbers share an evaluation across parts.
  static void score_together(std::span<const RolePolicy* const> parts,
                             const Predictions& predictions, CaseRange rows,
                             std::span<double> margins);

  // Since the policy was made, over all threads.
  SharingCounts sharing_counts() const { return {pairs_, evaluations_}; }

 private:
  template <class State>
  friend class RoleScoring;

  std::shared_ptr<const RoleRejector> rejector_;
  Sharing sharing_;
  std::vector<std::uint32_t> kind_;  // expert -> place in readings_
  RosterReadings readings_;          // of every kind of expert: under kExact, distinct profiles
  mutable std::atomic<std::uint64_t> pairs_{0};
  mutable std::atomic<std::uint64_t> evaluations_{0};
};

std::unique_ptr<RolePolicy> role_policy(const Roster& roster,
                                        std::shared_ptr<const RoleRejector> rejector,
                                        TieRule ties = TieRule::kByReadings,
                                        Sharing sharing = Sharing::kExact);

// A rule on states as a method of the catalogue.
PreparedMethod role_method(std::shared_ptr<const RoleRejector> rejector, TieRule ties);

}  // namespace ifd
