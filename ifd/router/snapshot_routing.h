// Routing under one snapshot of the roster.
#pragma once

#include <optional>

#include "ifd/decision/expected_costs.h"
#include "ifd/policy/asking_gain.h"
#include "ifd/policy/policy_method.h"
#include "ifd/policy/scoring.h"
#include "ifd/router.h"
#include "ifd/router/roster_snapshot.h"

namespace ifd {

// What asking gains under this snapshot, where answers are combined. `costs` are null without
// costs.
std::optional<AskingGain> asking_gain(const RosterSnapshot& roster, AnswerUse answer,
                                      const ExpectedCosts* costs);

// `cases` are as the policy reads them.
MarginTable best_margins(const RosterSnapshot& roster, const Predictions& cases, AnswerUse answer,
                         const ExpectedCosts* costs, ScoringOptions scoring);

// What a router routes by, beside the snapshot.
struct RoutingTerms {
  const ClassNames& classes;
  MarginMeaning meaning;
  const RouterOptions& options;
  const ExpectedCosts* costs;  // null without costs
};

Routes route_under(const RosterSnapshot& roster, const RoutingTerms& terms,
                   const Predictions& cases, const DeferralRule& rule, const LongWork& work);

}  // namespace ifd
