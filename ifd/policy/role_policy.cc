#include "ifd/policy/role_policy.h"

#include <algorithm>
#include <bit>
#include <map>
#include <type_traits>
#include <utility>

namespace ifd {
namespace {

// So many states, at least, are evaluated together: enough to keep the network's kernels busy, few
// enough to stay in the caches.
constexpr std::size_t kBatch = 2048;

// Experts with the same mean and variance in every class are of one kind: they read the same
// numbers on every case. Kinds are numbered as they appear.
std::vector<std::uint32_t> kinds_of(const Roster& roster, Sharing sharing) {
  std::vector<std::uint32_t> kinds;
  std::map<std::vector<double>, std::uint32_t> known;
  for (const ExpertProfile& profile : roster.profiles) {
    std::uint32_t kind = static_cast<std::uint32_t>(kinds.size());
    if (sharing == Sharing::kExact) {
      std::vector<double> readings(profile.means().begin(), profile.means().end());
      readings.insert(readings.end(), profile.variances().begin(), profile.variances().end());
      kind = known.emplace(std::move(readings), static_cast<std::uint32_t>(known.size()))
                 .first->second;
    }
    kinds.push_back(kind);
  }
  return kinds;
}

std::vector<ExpertProfile> one_of_each(const Roster& roster,
                                       const std::vector<std::uint32_t>& kinds) {
  std::vector<ExpertProfile> profiles;
  for (std::size_t j = 0; j < kinds.size(); ++j) {
    if (kinds[j] == profiles.size()) profiles.push_back(roster.profiles[j]);
  }
  return profiles;
}

const RoleState& roles_of(const RoleState& state) { return state; }
const RoleState& roles_of(const ExtendedRoleState& state) { return state.roles; }

}  // namespace

// The distinct states of one case after another, over the parts of a roster: equal states have one
// place among those that are evaluated.
template <class State>
class DistinctStates {
 public:
  void begin_case(std::size_t most_states) {
    const std::size_t room = std::bit_ceil(2 * most_states + 1);
    if (slots_.size() < room) slots_.assign(room, Slot());
    ++case_number_;
  }

  // The place of the state in `states`, where it is added if it is new to this case.
  std::uint32_t place(const State& state, std::vector<State>& states) {
    for (std::size_t at = hash_of(state);; ++at) {
      Slot& slot = slots_[at & (slots_.size() - 1)];
      if (slot.case_number != case_number_) {
        slot = {case_number_, static_cast<std::uint32_t>(states.size())};
        states.push_back(state);
        return slot.place;
      }
      if (states[slot.place] == state) return slot.place;
    }
  }

 private:
  struct Slot {
    std::uint64_t case_number = 0;
    std::uint32_t place = 0;
  };

  // Each number times an odd constant of its own, so that no product waits for another.
  static std::size_t hash_of(const State& state) {
    const auto numbers = state.numbers();
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      hash += std::bit_cast<std::uint64_t>(numbers[i]) * (0x9e3779b97f4a7c15ULL * (2 * i + 1));
    }
    return hash ^ hash >> 32;
  }

  std::vector<Slot> slots_;
  std::uint64_t case_number_ = 0;
};

// Scores the parts of a roster together: states that are equal are evaluated once, in whatever
// parts they are, and many cases at a time.
template <class State>
class RoleScoring {
 public:
  RoleScoring(std::span<const RolePolicy* const> parts, const Predictions& predictions)
      : parts_(parts),
        predictions_(predictions),
        shares_(parts.front()->sharing_ == Sharing::kExact),
        reader_(parts.front()->readings_) {
    for (const RolePolicy* part : parts_) {
      kinds_ += part->readings_.experts();
      experts_ += part->experts();
    }
  }

  void run(CaseRange rows, std::span<double> margins) {
    std::size_t pending = rows.first;  // the first case whose states wait to be evaluated
    for (std::size_t row = rows.first; row < rows.last; ++row) {
      place_.resize((row + 1 - pending) * kinds_);
      read(predictions_.probabilities(row), std::span(place_).last(kinds_));
      if (states_.size() < kBatch && row + 1 < rows.last) continue;
      evaluate();
      for (std::size_t ready = pending; ready <= row; ++ready) {
        spread(predictions_.probabilities(ready),
               std::span(place_).subspan((ready - pending) * kinds_, kinds_),
               margins.subspan((ready - rows.first) * experts_, experts_));
      }
      states_.clear();
      pending = row + 1;
    }
  }

 private:
  const RoleRejector& rejector() const { return *parts_.front()->rejector_; }
  // A plain margin depends on the state alone, so it is shared like the value.
  bool is_plain() const { return rejector().head() == Head::kPlain; }

  // The states of one case: that of kind i is states_[place[i]].
  void read(std::span<const float> probabilities, std::span<std::uint32_t> place) {
    if (parts_.size() == 1) return read_part(*parts_.front(), probabilities, states_, place);
    if (shares_) distinct_.begin_case(kinds_);
    std::size_t first = 0;
    for (const RolePolicy* part : parts_) {
      const auto here = place.subspan(first, part->readings_.experts());
      first += here.size();
      if (!shares_) {
        read_part(*part, probabilities, states_, here);
        continue;
      }
      part_states_.clear();
      read_part(*part, probabilities, part_states_, here);
      places_of_part_.resize(part_states_.size());
      for (std::size_t i = 0; i < part_states_.size(); ++i) {
        places_of_part_[i] = distinct_.place(part_states_[i], states_);
      }
      for (std::uint32_t& at : here) at = places_of_part_[at];
    }
  }

  void read_part(const RolePolicy& part, std::span<const float> probabilities,
                 std::vector<State>& states, std::span<std::uint32_t> place) {
    reader_.turn_to(part.readings_);
    const std::size_t first = states.size();
    if constexpr (std::is_same_v<State, RoleState>) {
      // Over several parts, equal states are found in all of them at once.
      if (shares_ && parts_.size() == 1) {
        return reader_.shared_states(probabilities, states, place);
      }
      states.resize(first + place.size());
      reader_.states(probabilities, std::span(states).subspan(first));
    } else {
      // An extended state sums over all classes: who shares it has the same profile, and profiles
      // are distinct already.
      states.resize(first + place.size());
      reader_.extended_states(probabilities, std::span(states).subspan(first));
    }
    for (std::size_t i = 0; i < place.size(); ++i) {
      place[i] = static_cast<std::uint32_t>(first + i);
    }
  }

  void evaluate() {
    values_.resize(states_.size());
    rejector().evaluate(std::span<const State>(states_), values_, scratch_);
    parts_.front()->evaluations_ += states_.size();
    if (!is_plain()) return;
    for (std::size_t i = 0; i < states_.size(); ++i) {
      values_[i] = rejector().margin(values_[i], roles_of(states_[i]).model_at_top, 0);
    }
  }

  // From the values of a case's states to everyone's margins.
  void spread(std::span<const float> probabilities, std::span<const std::uint32_t> place,
              std::span<double> out) {
    for (const RolePolicy* part : parts_) {
      const std::size_t kinds = part->readings_.experts();
      kind_margins_.resize(kinds);
      if (!is_plain()) {
        logs_.resize(kinds);
        reader_.turn_to(part->readings_);
        reader_.log_expected_accuracies(probabilities, logs_);
      }
      for (std::size_t i = 0; i < kinds; ++i) {
        kind_margins_[i] =
            is_plain() ? values_[place[i]]
                       : rejector().margin(values_[place[i]],
                                           roles_of(states_[place[i]]).model_at_top, logs_[i]);
      }
      for (std::size_t j = 0; j < part->experts(); ++j) out[j] = kind_margins_[part->kind_[j]];
      place = place.subspan(kinds);
      out = out.subspan(part->experts());
    }
  }

  std::span<const RolePolicy* const> parts_;
  const Predictions& predictions_;
  bool shares_;
  std::size_t kinds_ = 0;
  std::size_t experts_ = 0;
  RosterReader reader_;
  RejectorScratch scratch_;
  DistinctStates<State> distinct_;
  std::vector<State> states_;       // to be evaluated
  std::vector<State> part_states_;  // of one part and case
  std::vector<std::uint32_t> places_of_part_;
  std::vector<std::uint32_t> place_;  // of every kind on the cases whose states are in states_
  std::vector<double> values_;
  std::vector<double> logs_;
  std::vector<double> kind_margins_;
};

RolePolicy::RolePolicy(const Roster& roster, std::shared_ptr<const RoleRejector> rejector,
                       TieRule ties, Sharing sharing)
    : rejector_(std::move(rejector)),
      sharing_(sharing),
      kind_(kinds_of(roster, sharing)),
      readings_(one_of_each(roster, kind_), ties) {}

void RolePolicy::score(const Predictions& predictions, CaseRange rows,
                       std::span<double> margins) const {
  const RolePolicy* const self = this;
  score_together(std::span(&self, 1), predictions, rows, margins);
}

void RolePolicy::score_together(std::span<const RolePolicy* const> parts,
                                const Predictions& predictions, CaseRange rows,
                                std::span<double> margins) {
  if (margins.empty()) return;
  parts.front()->pairs_ += margins.size();
  switch (parts.front()->rejector_->state_set()) {
    case StateSet::kPaper:
      return RoleScoring<RoleState>(parts, predictions).run(rows, margins);
    case StateSet::kExtended:
      return RoleScoring<ExtendedRoleState>(parts, predictions).run(rows, margins);
  }
}

namespace {

class JoinedRolePolicy final : public DeferralPolicy {
 public:
  explicit JoinedRolePolicy(std::vector<std::shared_ptr<const DeferralPolicy>> parts)
      : owned_(std::move(parts)) {
    for (const auto& part : owned_) {
      parts_.push_back(static_cast<const RolePolicy*>(part.get()));
      experts_ += part->experts();
    }
  }

  std::size_t experts() const override { return experts_; }
  void score(const Predictions& predictions, CaseRange rows,
             std::span<double> margins) const override {
    RolePolicy::score_together(parts_, predictions, rows, margins);
  }

 private:
  std::vector<std::shared_ptr<const DeferralPolicy>> owned_;
  std::vector<const RolePolicy*> parts_;
  std::size_t experts_ = 0;
};

}  // namespace

std::unique_ptr<RolePolicy> role_policy(const Roster& roster,
                                        std::shared_ptr<const RoleRejector> rejector, TieRule ties,
                                        Sharing sharing) {
  return std::make_unique<RolePolicy>(roster, std::move(rejector), ties, sharing);
}

PreparedMethod role_method(std::shared_ptr<const RoleRejector> rejector, TieRule ties) {
  return {[rejector = std::move(rejector), ties](const PolicyMaterials& materials) {
            return role_policy(materials.roster, rejector, ties);
          },
          [](std::vector<std::shared_ptr<const DeferralPolicy>> parts) {
            return std::make_unique<JoinedRolePolicy>(std::move(parts));
          }};
}

}  // namespace ifd
