// A roster as one call sees it: immutable, and shared by all calls until something changes.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ifd/policy/availability.h"
#include "ifd/policy/calibration_in_use.h"
#include "ifd/policy/deferral_policy.h"
#include "ifd/policy/roster.h"
#include "ifd/role/role_reader.h"

namespace ifd {

// A roster that changes is kept in pages of at most so many experts: a change makes one page anew
// and shares the others, so that it costs the same whatever the size of the roster. Until the first
// change all experts are on one page, which is scored a little faster.
inline constexpr std::size_t kExpertsPerPage = 64;

// A part of the roster with the policy bound to it.
class RosterPage {
 public:
  RosterPage(Roster roster, std::shared_ptr<const DeferralPolicy> policy, TieRule ties)
      : roster_(std::move(roster)), policy_(std::move(policy)), ties_(ties) {}

  std::size_t size() const { return roster_.size(); }
  const Roster& roster() const { return roster_; }
  const std::shared_ptr<const DeferralPolicy>& policy() const { return policy_; }
  // For explanations; made when first asked for.
  const RosterReadings& readings() const;

 private:
  Roster roster_;
  std::shared_ptr<const DeferralPolicy> policy_;
  TieRule ties_;
  mutable std::mutex reading_;
  mutable std::optional<RosterReadings> readings_;
};

using PagePointer = std::shared_ptr<const RosterPage>;

struct RosterSnapshot {
  std::shared_ptr<const std::vector<std::string>> names;
  // Of `names`, whose texts it refers to.
  std::shared_ptr<const std::unordered_map<std::string_view, ExpertId>> number_of;
  std::vector<PagePointer> pages;
  std::shared_ptr<const DeferralPolicy> policy;  // of all pages
  Availability on_duty{0};
  std::optional<CalibrationInUse> options_calibration = {};
  std::optional<CalibrationInUse> own_calibration = {};  // of the policy

  const std::optional<CalibrationInUse>& calibration() const {
    return own_calibration ? own_calibration : options_calibration;
  }
  Predictions as_read(const Predictions& cases) const {
    return calibration() ? calibrated(cases, calibration()->calibration) : cases;
  }

  // Error(kNotFound) that lists who is there.
  ExpertId expert_named(std::string_view name) const;

  // Where an expert is.
  struct Place {
    std::size_t page;
    std::size_t row;  // in the page
  };
  Place place_of(ExpertId expert) const;
  const ExpertProfile& profile(ExpertId expert) const;
  // All pages in one.
  Roster roster() const;
};

using SnapshotPointer = std::shared_ptr<const RosterSnapshot>;

}  // namespace ifd
