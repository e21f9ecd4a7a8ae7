// What a policy would have made of cases on which the experts' answers are known.
#pragma once

#include <cstdint>
#include <vector>

#include "ifd/data/answer_table.h"
#include "ifd/data/predictions.h"
#include "ifd/evaluation/answer_worth.h"
#include "ifd/evaluation/budget_curve.h"
#include "ifd/policy/availability.h"
#include "ifd/policy/deferral_policy.h"
#include "ifd/policy/scoring.h"
#include "ifd/routing/margin_table.h"

namespace ifd {

struct Replay {
  MarginTable margins;
  std::vector<CaseOutcome> outcomes;
  // 1 where what comes of asking the expert with the largest margin is right, whatever that is
  // worth, and 0 where it is wrong; labels that share a right answer have their share.
  std::vector<double> expert_right = {};
  std::vector<double> expert_cost = {};  // what it costs, where there are costs

  BudgetCurve curve() const { return {margins.margin, outcomes}; }
};

// `cases` carry labels and are as the policy reads them. An expert without an answer on a case, or
// who is not on duty, does not compete there.
Replay replay(const DeferralPolicy& policy, const Predictions& cases, const AnswerTable& answers,
              Availability on_duty, const ScoringOptions& options = {},
              const AnswerWorth& worth = {});
// Everybody on duty.
Replay replay(const DeferralPolicy& policy, const Predictions& cases, const AnswerTable& answers,
              const ScoringOptions& options = {});

}  // namespace ifd
