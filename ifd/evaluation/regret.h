// How much an action loses against the Bayes action, where a simulation knows the truth.
#pragma once

#include <cstddef>
#include <span>
#include <variant>

#include "ifd/ids.h"

namespace ifd {

// eta(x) and the experts' class-conditional correctness at x. Every number lies in [0, 1] and the
// class probabilities sum to 1 within kProbabilitySumTolerance; otherwise Error(kBadInput).
struct TrueCase {
  std::span<const double> class_probabilities;  // eta_y, K
  std::span<const double> expert_accuracies;    // mu^j_y, J x K, expert by expert; J may be 0

  std::size_t classes() const { return class_probabilities.size(); }
  std::size_t experts() const { return expert_accuracies.size() / classes(); }
};

// Answer with a class, or defer to an expert.
using Action = std::variant<ClassId, ExpertId>;

// The probability that the action ends in the right answer: eta_y for an answer, and
// q(x, E) = sum_y eta_y mu_y for a deferral. The sum runs in the order of its terms, so renaming
// the classes changes no bit.
double action_value(const TrueCase& truth, Action action);

// max(max_y eta_y, max_j q(x, E_j)).
double bayes_value(const TrueCase& truth);

// Defers iff max_j q(x, E_j) >= max_y eta_y. Among equals the lowest index acts, because an action
// must be one thing; neither its value nor whether it defers depends on which.
Action bayes_action(const TrueCase& truth);

// bayes_value - action_value; never negative, and exactly 0 for the Bayes action.
double regret(const TrueCase& truth, Action action);

// The mean over cases; no cases at all is Error(kBadInput).
double mean_regret(std::span<const TrueCase> truths, std::span<const Action> actions);

}  // namespace ifd
