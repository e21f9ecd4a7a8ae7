// The one place that turns the name of a method into a policy.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "ifd/data/answer_table.h"
#include "ifd/data/expert_context.h"
#include "ifd/data/predictions.h"
#include "ifd/network/mlp.h"
#include "ifd/policy/deferral_policy.h"
#include "ifd/policy/policy_file.h"
#include "ifd/policy/roster.h"
#include "ifd/rejector/margin_scale.h"
#include "ifd/role/role_reader.h"

namespace ifd {

// What a policy may be made from. `answers` and `accuracies` exist in evaluations only, and the
// policies that need them are refused elsewhere. Both must outlive the policy. Policies that encode
// the context's cases themselves need `contexts` and `context_predictions`, with features.
struct PolicyMaterials {
  const Roster& roster;
  MarginScale scale = MarginScale::kProbability;
  TieRule ties = TieRule::kByReadings;
  std::uint64_t seed = 0;
  const AnswerTable* answers = nullptr;    // on the cases to be scored
  std::span<const float> accuracies = {};  // A(x | E, y), N x J x K
  std::span<const ExpertContext> contexts = {};
  const Predictions* context_predictions = nullptr;
  Precision precision = Precision::kFloat;  // another: only for a trained identity-free policy
};

std::span<const std::string_view> policy_names();

// A policy file: the path exists or ends in .ifd.
bool names_policy_file(std::string_view name);

// `name` is one of policy_names(), or the path of a policy file. A file may want the predictions
// calibrated before its policy reads them: see policy_calibration.h.
std::unique_ptr<DeferralPolicy> make_policy(std::string_view name,
                                            const PolicyMaterials& materials);
std::unique_ptr<DeferralPolicy> make_policy(const PolicyFile& file,
                                            const PolicyMaterials& materials);

}  // namespace ifd
