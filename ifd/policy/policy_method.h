// A row of the catalogue of methods: what a method is called, what it needs, how a policy is made
// of it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "ifd/data/answer_table.h"
#include "ifd/data/expert_context.h"
#include "ifd/data/predictions.h"
#include "ifd/data/read_limits.h"
#include "ifd/decision/answer_use.h"
#include "ifd/decision/expected_costs.h"
#include "ifd/network/precision.h"
#include "ifd/policy/deferral_policy.h"
#include "ifd/policy/policy_file.h"
#include "ifd/policy/roster.h"
#include "ifd/rejector/margin_scale.h"
#include "ifd/role/tie_rule.h"

namespace ifd {

// What is decided before any roster is known.
struct PolicySettings {
  MarginScale scale = MarginScale::kProbability;
  TieRule ties = TieRule::kByReadings;
  std::uint64_t seed = 0;                   // of the draws of policy 'random'
  Precision precision = Precision::kFloat;  // another: only where the method computes in bf16
  ReadLimits limits = {};                   // of a policy file
  // What mistakes and experts cost: only where the method decides by costs. Null: every mistake is
  // as bad as any other.
  std::shared_ptr<const ExpectedCosts> costs = {};
  // What becomes of answers. Only expected savings depend on it, that is, margins under costs.
  AnswerUse answer = AnswerUse::kFinal;
};

// What a policy may be made from. `answers` and `accuracies` exist in evaluations only, and the
// policies that need them are refused elsewhere; both must outlive the policy. Methods that encode
// the context's cases need `contexts` and `context_predictions`, with features.
struct PolicyMaterials {
  const Roster& roster;
  MarginScale scale = MarginScale::kProbability;
  TieRule ties = TieRule::kByReadings;
  std::uint64_t seed = 0;
  const AnswerTable* answers = nullptr;    // on the cases to be scored
  std::span<const float> accuracies = {};  // A(x | E, y), N x J x K
  std::span<const ExpertContext> contexts = {};
  const Predictions* context_predictions = nullptr;
  // The context's cases with their truths, once each, as the policy reads predictions (calibrated).
  // Null: taken from the two above, as they are. Methods with needs.labelled_cases read them.
  const Predictions* labelled_cases = nullptr;
  Precision precision = Precision::kFloat;
  // The policy that this one replaces, made by the same method: its work on experts about whom
  // nothing has changed may be taken over.
  const DeferralPolicy* previous = nullptr;

  PolicySettings settings() const { return {scale, ties, seed, precision}; }
};

// What the margins of a method say.
enum class MarginMeaning {
  kOrder,         // which case comes before which, and no more
  kExpectedGain,  // above 0 where the expert is likelier to be right than the model, or cheaper
};

// A method with its weights read and checked, ready to be bound to any roster. Thread-safe.
struct PreparedMethod {
  using Maker = std::function<std::unique_ptr<DeferralPolicy>(const PolicyMaterials&)>;
  // From policies over parts of a roster, in order, to one over all of it.
  using Joiner = std::function<std::unique_ptr<DeferralPolicy>(
      std::vector<std::shared_ptr<const DeferralPolicy>>)>;

  Maker make;
  Joiner join = {};  // empty: the parts stand side by side (joined_policy.h)
  MarginMeaning margins = MarginMeaning::kOrder;
};

struct MethodNeeds {
  bool policy_file = false;     // it was trained
  bool context_cases = false;   // it encodes them: contexts with their cases' features
  bool labelled_cases = false;  // it learns from the model's predictions for the context's cases
  bool answers = false;         // it knows who is right, and can only be evaluated
  bool accuracies = false;      // it knows the experts' true accuracies, of a simulation
  bool known_experts = false;   // it decides among those it was trained with, and no others
};

struct PolicyMethod {
  std::string_view name;         // on the command line, or in the policy file
  std::string_view description;  // one line
  MethodNeeds needs = {};
  bool computes_in_bf16 = false;
  bool decides_by_costs = false;  // its margins are expected savings where there are costs
  // `file` is null unless needs.policy_file. Error(kBadInput) for weights that do not fit.
  PreparedMethod (*prepare)(const PolicyFile* file, const PolicySettings& settings) = nullptr;
};

}  // namespace ifd
