// The one door between class-indexed data and the identity-free part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ifd/profile/expert_profile.h"
#include "ifd/role/expected_accuracy.h"
#include "ifd/role/role_state.h"
#include "ifd/role/tie_rule.h"

namespace ifd {

// What is read of a roster, laid out for reading it case by case. Immutable; copies what it needs.
class RosterReadings {
 public:
  // All profiles have the same number of classes, at least two.
  RosterReadings(std::span<const ExpertProfile> profiles, TieRule ties);

  std::size_t experts() const { return experts_; }
  std::size_t classes() const { return classes_; }

 private:
  friend class RosterReader;

  struct Reading {
    double mean;
    double variance;
  };

  std::size_t experts_;
  std::size_t classes_;
  TieRule ties_;
  std::vector<Reading> readings_;            // distinct ones, the better the later
  std::vector<std::uint32_t> reading_;       // K x J places in readings_
  std::vector<std::uint32_t> best_;          // the classes that compete for k_best, by expert
  std::vector<std::size_t> best_end_;        // J ends in best_
  std::vector<std::uint32_t> best_reading_;  // J places in readings_
  std::vector<double> mean_gap_;             // J
  ClassValues means_;
  ClassValues variances_;
};

// Reads one case after another, reusing its memory. One object per thread; the readings must
// outlive it.
class RosterReader {
 public:
  explicit RosterReader(const RosterReadings& roster);
  explicit RosterReader(const RosterReadings&&) = delete;

  // From now on, of another roster.
  void turn_to(const RosterReadings& roster) { roster_ = &roster; }

  // The states of a case, one for each expert.
  void states(std::span<const float> probabilities, std::span<RoleState> states);
  void extended_states(std::span<const float> probabilities, std::span<ExtendedRoleState> states);

  // Appends the states of a case, equal ones once, and tells where everyone's is: the state of
  // expert j is states[place[j]]. Experts who read the same numbers share a place.
  void shared_states(std::span<const float> probabilities, std::vector<RoleState>& states,
                     std::span<std::uint32_t> place);

  // log sum_y rho_y mu_y for each expert.
  void log_expected_accuracies(std::span<const float> probabilities, std::span<double> logs);

 private:
  // Where the numbers of one expert come from on the case at hand.
  struct Roles {
    std::uint32_t top;
    std::uint32_t best;
    std::uint32_t top_reading;
    std::uint32_t best_reading;
  };
  // Open addressing; a slot is taken if its case is the current one.
  struct Slot {
    std::uint64_t case_number = 0;
    std::uint64_t readings = 0;  // at k_top and k_best
    float model_at_best = 0;
    std::uint32_t place = 0;
  };

  void begin(std::span<const float> probabilities);
  Roles roles(std::span<const float> probabilities, std::size_t expert) const;
  RoleState state(std::span<const float> probabilities, const Roles& roles) const;

  const RosterReadings* roster_;
  std::vector<std::uint32_t> tied_;  // the classes that share the largest probability
  std::vector<float> ordered_;       // the probabilities, increasing
  ExpectedAccuracy expected_;
  std::vector<double> sums_;
  std::vector<Slot> slots_;
  std::uint64_t case_number_ = 0;
};

// The states of one case, without keeping anything.
RoleState role_state(std::span<const float> probabilities, const ExpertProfile& profile,
                     TieRule ties = TieRule::kByReadings);
void role_states(std::span<const float> probabilities, std::span<const ExpertProfile> profiles,
                 std::span<RoleState> states, TieRule ties = TieRule::kByReadings);
ExtendedRoleState extended_role_state(std::span<const float> probabilities,
                                      const ExpertProfile& profile,
                                      TieRule ties = TieRule::kByReadings);

}  // namespace ifd
