#include "ifd/role/role_reader.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "ifd/role/expected_accuracy.h"

namespace ifd {
namespace {

// The classes that share the largest probability.
std::vector<std::size_t> tied_tops(std::span<const float> probabilities) {
  const float top = *std::max_element(probabilities.begin(), probabilities.end());
  std::vector<std::size_t> tied;
  for (std::size_t k = 0; k < probabilities.size(); ++k) {
    if (probabilities[k] == top) tied.push_back(k);
  }
  return tied;
}

std::size_t top_role(std::span<const std::size_t> tied, const ExpertProfile& profile,
                     TieRule ties) {
  std::size_t chosen = tied.front();
  if (ties == TieRule::kLowestIndex) return chosen;
  const auto mean = profile.means();
  const auto variance = profile.variances();
  for (const std::size_t k : tied.subspan(1)) {
    if (mean[k] > mean[chosen] || (mean[k] == mean[chosen] && variance[k] < variance[chosen])) {
      chosen = k;
    }
  }
  return chosen;
}

std::size_t best_role(std::span<const float> probabilities, const ExpertProfile& profile,
                      TieRule ties) {
  const auto mean = profile.means();
  if (ties == TieRule::kLowestIndex) {
    return static_cast<std::size_t>(std::max_element(mean.begin(), mean.end()) - mean.begin());
  }
  const auto best = profile.best_classes();
  std::size_t chosen = index(best.front());
  for (const ClassId id : best.subspan(1)) {
    if (probabilities[index(id)] > probabilities[chosen]) chosen = index(id);
  }
  return chosen;
}

RoleState read(std::span<const float> probabilities, const ExpertProfile& profile, std::size_t top,
               std::size_t best) {
  return {probabilities[top],       probabilities[best],   profile.means()[top],
          profile.variances()[top], profile.means()[best], profile.variances()[best]};
}

template <class Number>
double top_two_gap(std::span<const Number> values) {
  Number first = values[0];
  Number second = values[1];
  if (second > first) std::swap(first, second);
  for (const Number value : values.subspan(2)) {
    if (value > first) {
      second = first;
      first = value;
    } else if (value > second) {
      second = value;
    }
  }
  return static_cast<double>(first) - static_cast<double>(second);
}

double entropy(std::span<const float> probabilities) {
  std::vector<float> ordered(probabilities.begin(), probabilities.end());
  std::sort(ordered.begin(), ordered.end());
  double sum = 0;
  for (const double p : ordered) {
    if (p > 0) sum -= p * std::log(p);
  }
  return sum;
}

}  // namespace

RoleState role_state(std::span<const float> probabilities, const ExpertProfile& profile,
                     TieRule ties) {
  RoleState state{};
  role_states(probabilities, std::span(&profile, 1), std::span(&state, 1), ties);
  return state;
}

void role_states(std::span<const float> probabilities, std::span<const ExpertProfile> profiles,
                 std::span<RoleState> states, TieRule ties) {
  const std::vector<std::size_t> tied = tied_tops(probabilities);
  for (std::size_t j = 0; j < profiles.size(); ++j) {
    assert(profiles[j].classes() == probabilities.size());
    states[j] = read(probabilities, profiles[j], top_role(tied, profiles[j], ties),
                     best_role(probabilities, profiles[j], ties));
  }
}

ExtendedRoleState extended_role_state(std::span<const float> probabilities,
                                      const ExpertProfile& profile, TieRule ties) {
  const std::size_t top = top_role(tied_tops(probabilities), profile, ties);
  const std::size_t best = best_role(probabilities, profile, ties);
  const RoleState roles = read(probabilities, profile, top, best);
  // Two roles that read the same three numbers are filled by the same tied classes, so under
  // kByReadings they agree whichever of these was picked.
  const bool agree = ties == TieRule::kLowestIndex
                         ? top == best
                         : roles.model_at_top == roles.model_at_best &&
                               roles.mean_at_top == roles.mean_at_best &&
                               roles.variance_at_top == roles.variance_at_best;
  return {roles,
          std::log(expected_value(probabilities, profile.means())),
          expected_value(probabilities, profile.variances()),
          entropy(probabilities),
          top_two_gap(probabilities),
          top_two_gap(profile.means()),
          agree ? 1.0 : 0.0};
}

}  // namespace ifd
