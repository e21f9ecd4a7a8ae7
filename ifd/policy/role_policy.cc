#include "ifd/policy/role_policy.h"

#include <algorithm>
#include <cassert>
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

RolePolicy::RolePolicy(const Roster& roster, std::unique_ptr<const RoleRejector> rejector,
                       TieRule ties, Sharing sharing)
    : rejector_(std::move(rejector)),
      sharing_(sharing),
      kind_(kinds_of(roster, sharing)),
      readings_(one_of_each(roster, kind_), ties) {}

void RolePolicy::score(const Predictions& predictions, CaseRange rows,
                       std::span<double> margins) const {
  assert(margins.size() == (rows.last - rows.first) * experts());
  if (margins.empty()) return;
  switch (rejector_->state_set()) {
    case StateSet::kPaper:
      return score_by<RoleState>(predictions, rows, margins);
    case StateSet::kExtended:
      return score_by<ExtendedRoleState>(predictions, rows, margins);
  }
}

template <class State>
void RolePolicy::read(RosterReader& reader, std::span<const float> probabilities,
                      std::vector<State>& states, std::span<std::uint32_t> place) const {
  const std::size_t first = states.size();
  if constexpr (std::is_same_v<State, RoleState>) {
    if (sharing_ == Sharing::kExact) return reader.shared_states(probabilities, states, place);
    states.resize(first + place.size());
    reader.states(probabilities, std::span(states).subspan(first));
  } else {
    // An extended state sums over all classes: who shares it has the same profile, and profiles
    // are distinct already.
    states.resize(first + place.size());
    reader.extended_states(probabilities, std::span(states).subspan(first));
  }
  for (std::size_t i = 0; i < place.size(); ++i) {
    place[i] = static_cast<std::uint32_t>(first + i);
  }
}

template <class State>
void RolePolicy::score_by(const Predictions& predictions, CaseRange rows,
                          std::span<double> margins) const {
  const std::size_t kinds = readings_.experts();
  RosterReader reader(readings_);
  RejectorScratch scratch;
  std::vector<State> states;
  std::vector<std::uint32_t> place;  // of every kind on the cases whose states are in `states`
  std::vector<double> values;
  std::vector<double> logs(kinds);
  std::vector<double> kind_margins(kinds);
  std::size_t pending = rows.first;  // the first of these cases

  for (std::size_t row = rows.first; row < rows.last; ++row) {
    place.resize((row + 1 - pending) * kinds);
    read(reader, predictions.probabilities(row), states, std::span(place).last(kinds));
    if (states.size() < kBatch && row + 1 < rows.last) continue;

    values.resize(states.size());
    rejector_->evaluate(std::span<const State>(states), values, scratch);
    evaluations_ += states.size();
    // A plain margin depends on the state alone, so it is shared like the value.
    const bool plain = rejector_->head() == Head::kPlain;
    if (plain) {
      for (std::size_t i = 0; i < states.size(); ++i) {
        values[i] = rejector_->margin(values[i], roles_of(states[i]).model_at_top, 0);
      }
    }
    for (std::size_t ready = pending; ready <= row; ++ready) {
      const auto at = std::span(place).subspan((ready - pending) * kinds, kinds);
      if (!plain) reader.log_expected_accuracies(predictions.probabilities(ready), logs);
      for (std::size_t i = 0; i < kinds; ++i) {
        kind_margins[i] =
            plain ? values[at[i]]
                  : rejector_->margin(values[at[i]], roles_of(states[at[i]]).model_at_top, logs[i]);
      }
      const auto out = margins.subspan((ready - rows.first) * experts(), experts());
      for (std::size_t j = 0; j < experts(); ++j) out[j] = kind_margins[kind_[j]];
    }
    states.clear();
    pending = row + 1;
  }
  pairs_ += margins.size();
}

std::unique_ptr<RolePolicy> role_policy(const Roster& roster,
                                        std::unique_ptr<const RoleRejector> rejector, TieRule ties,
                                        Sharing sharing) {
  return std::make_unique<RolePolicy>(roster, std::move(rejector), ties, sharing);
}

}  // namespace ifd
