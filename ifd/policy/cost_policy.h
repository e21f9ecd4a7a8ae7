// The plug-in rule where mistakes have costs and experts have fees.
#pragma once

#include <memory>

#include "ifd/data/answer_table.h"
#include "ifd/decision/expected_costs.h"
#include "ifd/policy/deferral_policy.h"
#include "ifd/policy/roster.h"

namespace ifd {

// min_k sum_y rho_y C[y][k] - fee_j - sum_y rho_y sum_m P_j(m|y) C[y][m]: what is expected to be
// saved, in the unit of the costs. Where every mistake costs c and nobody has a fee it is c times
// the margin of plug_in_policy.
std::unique_ptr<DeferralPolicy> cost_policy(const Roster& roster,
                                            std::shared_ptr<const ExpectedCosts> costs);

// The same where answers are combined with the model: what an answer is expected to save, less the
// fee (expected_saving.h). By measurement (docs/decisions.md) this orders cases better than what
// the expert's own word saves. Where every mistake costs c and nobody has a fee it is as without
// costs, c times the margin of plug_in_policy.
std::unique_ptr<DeferralPolicy> combined_cost_policy(const Roster& roster,
                                                     std::shared_ptr<const ExpectedCosts> costs);

// For evaluation only: what asking each expert would have saved. See oracle_policy.
std::unique_ptr<DeferralPolicy> cost_oracle_policy(const AnswerTable& answers,
                                                   std::shared_ptr<const ExpectedCosts> costs);

}  // namespace ifd
