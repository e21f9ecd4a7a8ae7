#include "ifd/router/policy_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ifd/policy/given_margins.h"
#include "ifd/policy/untrained.h"
#include "ifd/router/context_calibration.h"
#include "ifd/router/expected_classes.h"
#include "ifd/router/policy_lookup.h"

namespace ifd {
namespace {

// Null where none has that name.
const ForeignMargins* foreign_named(const RouterEvaluationOptions& options, std::string_view name) {
  const auto found = std::ranges::find(options.foreign, name, &ForeignMargins::name);
  return found == options.foreign.end() ? nullptr : &*found;
}

void refuse_missing(const AnswerTable& answers, const Availability& on_duty) {
  if (const auto missing = missing_answers(answers, on_duty)) {
    throw bad_input(
        fmt::format("{}; expected one of every expert on duty on every one of the {} "
                    "cases, or missing ones to be allowed",
                    *missing, answers.cases()));
  }
}

// Plug-in as if there were no costs.
ComparedPolicy cost_blind(const Roster& everybody) {
  ComparedPolicy blind{std::string(kCostBlind),
                       plug_in_policy(everybody, MarginScale::kProbability)};
  blind.expects_gains = true;
  blind.is_blind_to_costs = true;
  return blind;
}

// The policies that an evaluation asks for, each bound to the roster.
class ComparedPolicies {
 public:
  ComparedPolicies(const ComparingRouter& router, const Predictions& cases,
                   const PolicyMaterials& materials, const RouterEvaluationOptions& options)
      : router_(router),
        cases_(cases),
        materials_(materials),
        options_(options),
        files_(options.policy_files) {
    files_.insert(router.options.policy_files.begin(), router.options.policy_files.end());
  }

  std::vector<ComparedPolicy> operator()() const {
    std::vector<ComparedPolicy> compared;
    const std::vector<std::string> own = {router_.options.policy};
    for (const std::string& name : options_.policies.empty() ? own : options_.policies) {
      compared.push_back(named(name));
    }
    for (const ForeignMargins& method : options_.foreign) {
      if (std::ranges::count(options_.policies, method.name) == 0) {
        compared.push_back(foreign(method));
      }
    }
    if (router_.options.answer == AnswerUse::kFinal) return compared;
    return both_ways(std::move(compared));
  }

 private:
  // Each policy, and beside it the same one with answers combined. References know whose word is
  // right, and order cases by that.
  std::vector<ComparedPolicy> both_ways(std::vector<ComparedPolicy> policies) const {
    std::vector<ComparedPolicy> both;
    for (ComparedPolicy& policy : policies) {
      both.push_back(policy);
      if (policy.is_reference) continue;
      if (auto rule = rule_if_combined(policy)) policy.rule = std::move(rule);
      policy.name += ", combined";
      policy.answer = AnswerUse::kCombined;
      both.push_back(std::move(policy));
    }
    return both;
  }

  // Under costs a policy has another rule where answers are combined; null where it has not.
  std::unique_ptr<DeferralPolicy> rule_if_combined(const ComparedPolicy& policy) const {
    if (!router_.settings.costs || policy.is_blind_to_costs) return nullptr;
    if (foreign_named(options_, policy.name) != nullptr) return nullptr;
    PolicySettings settings = router_.settings;
    settings.answer = AnswerUse::kCombined;
    return source_named(policy.name, files_, settings).make(materials_);
  }

  ComparedPolicy foreign(const ForeignMargins& method) const {
    return {method.name, given_margins(method.margins, materials_.roster.size())};
  }

  ComparedPolicy named(const std::string& name) const {
    if (const ForeignMargins* const method = foreign_named(options_, name)) return foreign(*method);
    if (router_.settings.costs && name == kCostBlind) return cost_blind(materials_.roster);
    PolicySettings settings = router_.settings;
    settings.answer = AnswerUse::kFinal;
    const PolicySource source = source_named(name, files_, settings);
    PolicyMaterials materials = materials_;
    const auto labelled =
        labelled_cases(source, router_.roster.options_calibration, router_.options, router_.state);
    if (labelled) materials.labelled_cases = &*labelled;
    ComparedPolicy policy{name, source.make(materials)};
    policy.expects_gains = source.margins() == MarginMeaning::kExpectedGain;
    policy.is_reference = source.method().needs.answers || source.method().needs.accuracies;
    policy.calibration =
        own_calibration(source, CalibrationFit::kAnew, router_.options, router_.state);
    if (policy.calibration) policy.cases = calibrated(cases_, policy.calibration->calibration);
    if (options_.bf16) {
      settings.precision = *options_.bf16;
      policy.in_bf16 = source_named(name, files_, settings).make(materials);
      policy.decide_in_bf16 = *options_.bf16 == Precision::kAmx;
    }
    return policy;
  }

  const ComparingRouter& router_;
  const Predictions& cases_;
  const PolicyMaterials& materials_;
  const RouterEvaluationOptions& options_;
  PolicyFilesByName files_;
};

}  // namespace

Evaluation compare_policies(const ComparingRouter& router, const Predictions& cases,
                            const AnswerTable& answers, const RouterEvaluationOptions& options) {
  const RosterSnapshot& roster = router.roster;
  check_classes(router.state.classes(), cases, "the cases");
  const AnswerTable aligned = columns_of(answers, *roster.names);
  if (options.missing == RouterEvaluationOptions::Missing::kError) {
    refuse_missing(aligned, roster.on_duty);
  }
  const Roster everybody = roster.roster();
  const std::vector<ExpertContext> contexts = router.state.contexts();
  PolicyMaterials materials{everybody};
  materials.answers = &aligned;
  materials.accuracies = options.measures.accuracies;
  materials.contexts = contexts;
  if (router.options.context_predictions) {
    materials.context_predictions = &*router.options.context_predictions;
  }
  const std::vector<ComparedPolicy> compared =
      ComparedPolicies(router, cases, materials, options)();
  EvaluationOptions measures = options.measures;
  measures.profiles = everybody.profiles;
  measures.seed = router.options.seed;
  measures.threads = router.options.threads;
  measures.costs = router.settings.costs;
  const Predictions as_asked = roster.options_calibration
                                   ? calibrated(cases, roster.options_calibration->calibration)
                                   : cases;
  return ifd::evaluate(compared, as_asked, aligned, roster.on_duty, measures);
}

}  // namespace ifd
