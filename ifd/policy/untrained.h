// The policies that need no training.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "ifd/data/answer_table.h"
#include "ifd/policy/deferral_policy.h"
#include "ifd/policy/policy_method.h"
#include "ifd/policy/roster.h"
#include "ifd/rejector/margin_scale.h"

namespace ifd {

// sum_y rho_y mu_y against max rho: the Bayes rule with posterior means for true accuracies.
std::unique_ptr<DeferralPolicy> plug_in_policy(const Roster& roster, MarginScale scale);

// The expert with the best average posterior mean, on the cases where the model is least sure.
std::unique_ptr<DeferralPolicy> confidence_policy(const Roster& roster, MarginScale scale);

// Any expert on any case, by keyed draws.
std::unique_ptr<DeferralPolicy> random_policy(const Roster& roster, std::uint64_t seed);

// For evaluation only: knows who is right. 1 where only the expert is right, 0 where both or
// neither are, -1 where only the model is. `answers` has a column for each expert of the roster and
// a row for each case of the predictions that are scored; both must outlive the policy.
std::unique_ptr<DeferralPolicy> oracle_policy(const AnswerTable& answers);

// For simulations only: knows A(x | E, y), the expert's true chance of being right on this case if
// its class were y, but neither the class nor the outcome. accuracies is N x J x K.
std::unique_ptr<DeferralPolicy> ceiling_policy(std::vector<float> accuracies, std::size_t experts,
                                               MarginScale scale);

// Their rows of the catalogue. peak-rule is the rule that the paper's loss leads to.
PolicyMethod plug_in_method();
PolicyMethod peak_rule_method();
PolicyMethod confidence_method();
PolicyMethod random_method();
PolicyMethod oracle_method();
PolicyMethod ceiling_method();

}  // namespace ifd
