// Policies compared under one snapshot of the roster, on cases whose truth is known.
#pragma once

#include "ifd/policy/policy_method.h"
#include "ifd/router.h"
#include "ifd/router/roster_snapshot.h"
#include "ifd/router/roster_state.h"

namespace ifd {

// The router that compares: its roster with the state that belongs to it, and what it decides by.
struct ComparingRouter {
  const RosterSnapshot& roster;
  const RosterState& state;
  const RouterOptions& options;
  PolicySettings settings;
};

// Router::evaluate.
Evaluation compare_policies(const ComparingRouter& router, const Predictions& cases,
                            const AnswerTable& answers, const RouterEvaluationOptions& options);

}  // namespace ifd
