// What training on a small problem is validated with: its experts as their contexts describe them.
#pragma once

#include "ifd/policy/roster.h"
#include "tests/synthetic_problem.h"
#include "train/early_stopping.h"

namespace ifd::train {

inline Validation context_only(const SyntheticProblem& problem) {
  const Roster roster = make_roster(problem.contexts, problem.validation.classes().size());
  return Validation::from_profiles(problem.validation, roster.names, roster.profiles, "v");
}

}  // namespace ifd::train
