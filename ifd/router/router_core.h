// What a router is made of: the state of its roster, which writers change one at a time, and the
// snapshot of it that readers share.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ifd/decision/expected_costs.h"
#include "ifd/policy/policy_catalogue.h"
#include "ifd/router.h"
#include "ifd/router/context_calibration.h"
#include "ifd/router/decision_scope.h"
#include "ifd/router/roster_snapshot.h"

namespace ifd {

using CostsPointer = std::shared_ptr<const ExpectedCosts>;

class Router::Core {
 public:
  Core(RosterState state, RouterOptions options);

  std::unique_ptr<Core> copy() const;

  // For readers: never waits for a writer but while it swaps the pointer.
  SnapshotPointer snapshot() const;
  // A snapshot with the contexts that belong to it. Waits for a writer, as do the next two.
  std::pair<SnapshotPointer, RosterState> snapshot_with_state() const;
  RosterState state() const;
  Watch watch() const;

  const RouterOptions& options() const { return options_; }
  PolicySettings settings() const;
  const ExpectedCosts* costs() const { return costs_.get(); }
  DecisionScope scope(const RosterSnapshot& roster) const;
  const ClassNames& classes() const { return state_.classes(); }
  MarginMeaning margins() const { return source_.margins(); }
  bool encodes_cases() const { return source_.method().needs.context_cases; }

  // Writers: each is done whole or, with an Error, not at all.
  enum class Change { kObserve, kForget };
  void count(std::string_view name, const Observation& undated, Change change);
  void add(std::string name, std::vector<BetaPrior> priors);
  void remove(std::string_view name);
  void set_on_duty(std::string_view name, bool on_duty);
  void recalibrate();

 private:
  // The snapshot never changes and is shared. Under the write lock of the other.
  Core(const Core& other);

  // Nothing where the options ask for none.
  std::optional<Watch> begun_watch() const;
  void check_case(const Observation& observation) const;
  PagePointer page_of(Roster roster, const DeferralPolicy* previous) const;
  // The snapshot as a change begins from it: in pages.
  RosterSnapshot in_pages() const;
  void replace_page(RosterSnapshot& made, std::size_t page, Roster roster) const;
  std::shared_ptr<const DeferralPolicy> joined(const std::vector<PagePointer>& pages) const;
  // Names and duty, from the state: of everybody, or of all but one.
  void name_everybody(RosterSnapshot& made, std::optional<ExpertId> without = {}) const;
  void calibrate(RosterSnapshot& made, CalibrationFit fit) const;
  // The policies of all pages, from the labelled cases as the calibration makes them now.
  void learn_labelled_cases(RosterSnapshot& made);
  void publish(RosterSnapshot made);
  void publish(SnapshotPointer next);

  const RouterOptions options_;
  const CostsPointer costs_;  // null without costs
  const PolicySource source_;
  mutable std::mutex write_mutex_;  // held by a writer from beginning to end
  RosterState state_;
  std::optional<Watch> watch_;
  std::optional<Predictions> labelled_cases_;  // none where the policy needs none
  std::vector<BetaPrior> newcomer_;    // by class, of who comes without a prior; empty: uniform
  mutable std::mutex snapshot_mutex_;  // held while the pointer is read or swapped
  SnapshotPointer snapshot_;
};

}  // namespace ifd
