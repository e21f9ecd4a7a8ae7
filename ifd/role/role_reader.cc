#include "ifd/role/role_reader.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

#include "ifd/role/finite_log.h"

namespace ifd {
namespace {

enum class Functional { kMean, kVariance };

ClassValues laid_out(std::span<const ExpertProfile> profiles, Functional functional) {
  std::vector<std::span<const double>> values;
  values.reserve(profiles.size());
  for (const ExpertProfile& profile : profiles) {
    values.push_back(functional == Functional::kMean ? profile.means() : profile.variances());
  }
  return ClassValues(values);
}

double top_two_gap(std::span<const double> values) {
  double first = std::max(values[0], values[1]);
  double second = std::min(values[0], values[1]);
  for (const double value : values.subspan(2)) {
    second = std::max(second, std::min(first, value));
    first = std::max(first, value);
  }
  return first - second;
}

std::uint64_t scattered(std::uint64_t readings, float probability) {
  const std::uint64_t mixed =
      (readings ^ std::uint64_t{std::bit_cast<std::uint32_t>(probability)} << 32) *
      0x9e3779b97f4a7c15ULL;
  return mixed ^ mixed >> 32;
}

}  // namespace

RosterReadings::RosterReadings(std::span<const ExpertProfile> profiles, TieRule ties)
    : experts_(profiles.size()),
      classes_(profiles.empty() ? 0 : profiles.front().classes()),
      ties_(ties),
      means_(laid_out(profiles, Functional::kMean)),
      variances_(laid_out(profiles, Functional::kVariance)) {
  const auto worse = [](const Reading& a, const Reading& b) {
    return a.mean != b.mean ? a.mean < b.mean : a.variance > b.variance;
  };
  const auto same = [](const Reading& a, const Reading& b) {
    return a.mean == b.mean && a.variance == b.variance;
  };
  for (const ExpertProfile& profile : profiles) {
    assert(profile.classes() == classes_);
    for (std::size_t k = 0; k < classes_; ++k) {
      readings_.push_back({profile.means()[k], profile.variances()[k]});
    }
  }
  std::sort(readings_.begin(), readings_.end(), worse);
  readings_.erase(std::unique(readings_.begin(), readings_.end(), same), readings_.end());

  reading_.resize(classes_ * experts_);
  for (std::size_t j = 0; j < experts_; ++j) {
    const ExpertProfile& profile = profiles[j];
    const auto mean = profile.means();
    for (std::size_t k = 0; k < classes_; ++k) {
      const auto found = std::lower_bound(readings_.begin(), readings_.end(),
                                          Reading{mean[k], profile.variances()[k]}, worse);
      reading_[k * experts_ + j] = static_cast<std::uint32_t>(found - readings_.begin());
    }
    if (ties == TieRule::kLowestIndex) {
      best_.push_back(
          static_cast<std::uint32_t>(std::max_element(mean.begin(), mean.end()) - mean.begin()));
    } else {
      for (const ClassId id : profile.best_classes()) {
        best_.push_back(static_cast<std::uint32_t>(index(id)));
      }
    }
    best_end_.push_back(best_.size());
    best_reading_.push_back(reading_[best_.back() * experts_ + j]);
    mean_gap_.push_back(top_two_gap(mean));
  }
}

RosterReader::RosterReader(const RosterReadings& roster) : roster_(&roster) {}

void RosterReader::begin(std::span<const float> probabilities) {
  assert(probabilities.size() == roster_->classes());
  const float top = *std::max_element(probabilities.begin(), probabilities.end());
  tied_.clear();
  for (std::size_t k = 0; k < probabilities.size(); ++k) {
    if (probabilities[k] == top) tied_.push_back(static_cast<std::uint32_t>(k));
  }
  if (roster_->ties_ == TieRule::kLowestIndex) tied_.resize(1);
}

RosterReader::Roles RosterReader::roles(std::span<const float> probabilities,
                                        std::size_t expert) const {
  const std::uint32_t* reading = roster_->reading_.data() + expert;
  Roles chosen{tied_.front(), 0, reading[tied_.front() * roster_->experts_],
               roster_->best_reading_[expert]};
  for (std::size_t i = 1; i < tied_.size(); ++i) {
    const std::uint32_t other = reading[tied_[i] * roster_->experts_];
    if (other > chosen.top_reading) {
      chosen.top = tied_[i];
      chosen.top_reading = other;
    }
  }
  std::size_t candidate = expert == 0 ? 0 : roster_->best_end_[expert - 1];
  chosen.best = roster_->best_[candidate];
  for (++candidate; candidate < roster_->best_end_[expert]; ++candidate) {
    const std::uint32_t other = roster_->best_[candidate];
    if (probabilities[other] > probabilities[chosen.best]) chosen.best = other;
  }
  return chosen;
}

RoleState RosterReader::state(std::span<const float> probabilities, const Roles& roles) const {
  const auto& at_top = roster_->readings_[roles.top_reading];
  const auto& at_best = roster_->readings_[roles.best_reading];
  return {probabilities[roles.top],
          probabilities[roles.best],
          at_top.mean,
          at_top.variance,
          at_best.mean,
          at_best.variance};
}

void RosterReader::states(std::span<const float> probabilities, std::span<RoleState> states) {
  assert(states.size() == roster_->experts());
  begin(probabilities);
  for (std::size_t j = 0; j < states.size(); ++j) {
    states[j] = state(probabilities, roles(probabilities, j));
  }
}

void RosterReader::extended_states(std::span<const float> probabilities,
                                   std::span<ExtendedRoleState> states) {
  assert(states.size() == roster_->experts());
  begin(probabilities);
  ordered_.assign(probabilities.begin(), probabilities.end());
  std::sort(ordered_.begin(), ordered_.end());
  double entropy = 0;
  for (const double p : ordered_) {
    if (p > 0) entropy -= p * std::log(p);
  }
  const double model_gap =
      static_cast<double>(ordered_.back()) - static_cast<double>(*(ordered_.end() - 2));
  sums_.resize(states.size());
  expected_(roster_->means_, probabilities, sums_);
  for (std::size_t j = 0; j < states.size(); ++j) {
    const Roles chosen = roles(probabilities, j);
    // Two roles that read the same three numbers are filled by the same tied classes, so under
    // kByReadings they agree whichever of these was picked.
    const bool agree = roster_->ties_ == TieRule::kLowestIndex
                           ? chosen.top == chosen.best
                           : probabilities[chosen.top] == probabilities[chosen.best] &&
                                 chosen.top_reading == chosen.best_reading;
    states[j] = {state(probabilities, chosen), finite_log(sums_[j]), 0, entropy, model_gap,
                 roster_->mean_gap_[j],        agree ? 1.0 : 0.0};
  }
  expected_(roster_->variances_, probabilities, sums_);
  for (std::size_t j = 0; j < states.size(); ++j) states[j].expected_variance = sums_[j];
}

void RosterReader::shared_states(std::span<const float> probabilities,
                                 std::vector<RoleState>& states, std::span<std::uint32_t> place) {
  assert(place.size() == roster_->experts());
  begin(probabilities);
  const std::size_t room = std::bit_ceil(2 * roster_->experts() + 1);
  if (slots_.size() < room) slots_.assign(room, Slot());
  const std::size_t mask = slots_.size() - 1;
  ++case_number_;
  for (std::size_t j = 0; j < place.size(); ++j) {
    const Roles chosen = roles(probabilities, j);
    // rho at k_top is one number per case, so these two say all.
    const std::uint64_t readings =
        std::uint64_t{chosen.top_reading} * roster_->readings_.size() + chosen.best_reading;
    const float model_at_best = probabilities[chosen.best];
    const auto other_state = [&](const Slot& slot) {
      return slot.readings != readings || slot.model_at_best != model_at_best;
    };
    std::size_t at = scattered(readings, model_at_best) & mask;
    while (slots_[at].case_number == case_number_ && other_state(slots_[at])) at = (at + 1) & mask;
    Slot& slot = slots_[at];
    if (slot.case_number != case_number_) {
      slot = {case_number_, readings, model_at_best, static_cast<std::uint32_t>(states.size())};
      states.push_back(state(probabilities, chosen));
    }
    place[j] = slot.place;
  }
}

void RosterReader::log_expected_accuracies(std::span<const float> probabilities,
                                           std::span<double> logs) {
  expected_(roster_->means_, probabilities, logs);
  std::transform(logs.begin(), logs.end(), logs.begin(), finite_log);
}

RoleState role_state(std::span<const float> probabilities, const ExpertProfile& profile,
                     TieRule ties) {
  RoleState state{};
  role_states(probabilities, std::span(&profile, 1), std::span(&state, 1), ties);
  return state;
}

void role_states(std::span<const float> probabilities, std::span<const ExpertProfile> profiles,
                 std::span<RoleState> states, TieRule ties) {
  const RosterReadings roster(profiles, ties);
  RosterReader(roster).states(probabilities, states);
}

ExtendedRoleState extended_role_state(std::span<const float> probabilities,
                                      const ExpertProfile& profile, TieRule ties) {
  const RosterReadings roster(std::span(&profile, 1), ties);
  ExtendedRoleState state{};
  RosterReader(roster).extended_states(probabilities, std::span(&state, 1));
  return state;
}

}  // namespace ifd
