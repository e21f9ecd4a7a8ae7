#include "ifd/router/evaluation_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "ifd/data/csv.h"
#include "ifd/policy/policy_calibration.h"
#include "ifd/profile/prior_alone.h"
#include "ifd/router/evaluation_words.h"

namespace ifd {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMostPoints = 1001;

std::size_t curve_points(const Evaluation& evaluation) {
  return std::min(evaluation.cases + 1, kMostPoints);
}

ordered_json number(std::optional<double> value) {
  return value && std::isfinite(*value) ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json interval_json(const Estimate& estimate) {
  return {
      {"value", estimate.value}, {"low", estimate.interval.low}, {"high", estimate.interval.high}};
}

ordered_json point_json(const OperatingPoint& point, const std::vector<std::string>& experts) {
  ordered_json load = ordered_json::array();
  for (std::size_t j = 0; j < experts.size(); ++j) {
    load.push_back({{"expert", experts[j]}, {"share", point.load[j]}});
  }
  return {{"deferral_rate", point.deferral_rate},
          {"coverage", point.coverage},
          {"accuracy", point.system_accuracy},
          {"expert_accuracy", number(point.expert_accuracy)},
          {"model_accuracy", number(point.model_accuracy)},
          {"experts", load}};
}

void add_estimate(ordered_json& to, const AccuracyEstimate& estimate) {
  to["accuracy_interval"] = interval_json(estimate.accuracy);
  to["gain_interval"] = interval_json(estimate.gain);
}

ordered_json promise_json(const Promise& told) {
  ordered_json bins = ordered_json::array();
  for (const Promise::Bin& bin : told.bins) {
    bins.push_back({{"promised", bin.promised}, {"realised", bin.realised}, {"cases", bin.cases}});
  }
  return {{"cases", told.cases},
          {"promised", told.promised},
          {"realised", told.realised},
          {"shortfall_low", number(told.shortfall.low)},
          {"shortfall_high", number(told.shortfall.high)},
          {"bins", bins}};
}

ordered_json areas_json(const ReachableAreas& areas) {
  ordered_json out = {{"aursac", areas.aursac}, {"aurdac", areas.aurdac}};
  if (areas.intervals) {
    out["intervals"] = {{"aursac", interval_json(areas.intervals->aursac)}};
    if (areas.intervals->aurdac) {
      out["intervals"]["aurdac"] = interval_json(*areas.intervals->aurdac);
    }
  }
  return out;
}

ordered_json coverage_json(const Evaluation& evaluation) {
  ordered_json experts = ordered_json::array();
  for (std::size_t j = 0; j < evaluation.experts.size(); ++j) {
    experts.push_back(
        {{"expert", evaluation.experts[j]}, {"share", evaluation.expert_coverage[j]}});
  }
  return {{"cases", evaluation.reachable_cases},
          {"share", share_covered(evaluation)},
          {"experts", experts}};
}

ordered_json policy_json(const PolicyEvaluation& policy, const Evaluation& evaluation) {
  ordered_json experts = ordered_json::array();
  for (std::size_t j = 0; j < evaluation.experts.size(); ++j) {
    experts.push_back({{"expert", evaluation.experts[j]},
                       {"share", policy.share[j]},
                       {"accuracy", number(evaluation.expert_accuracy[j])}});
  }
  ordered_json row = {{"policy", policy.policy},
                      {"aursac", policy.aursac},
                      {"aurdac", number(policy.aurdac)},
                      {"model_accuracy", evaluation.model_accuracy},
                      {"cases", evaluation.cases},
                      {"deferrable", policy.curve.deferrable()},
                      {"experts", experts},
                      {"at_zero", point_json(policy.at_zero, evaluation.experts)}};
  ordered_json at = ordered_json::array();
  for (const BudgetPoint& point : policy.at_budgets) {
    ordered_json entry = {{"budget", point.budget},
                          {"threshold", number(point.threshold)},
                          {"curve_accuracy", policy.curve.system_accuracy(point.budget)},
                          {"capped_accuracy", point.accuracy}};
    entry.update(point_json(point.point, evaluation.experts));
    if (point.estimate) add_estimate(entry, *point.estimate);
    at.push_back(entry);
  }
  row["at_budgets"] = at;
  if (policy.at_threshold) {
    row["at_threshold"] = {{"threshold", number(policy.at_threshold->threshold)}};
    row["at_threshold"].update(point_json(policy.at_threshold->point, evaluation.experts));
    if (policy.at_threshold->estimate) {
      add_estimate(row["at_threshold"], *policy.at_threshold->estimate);
    }
  }
  if (policy.reachable) row["over_covered_cases"] = areas_json(*policy.reachable);
  row["least_margin"] = number(policy.least_margin);
  if (policy.zero_estimate) add_estimate(row["at_zero"], *policy.zero_estimate);
  if (policy.promise) row["promise"] = promise_json(*policy.promise);
  if (policy.intervals) {
    row["intervals"] = {{"aursac", interval_json(policy.intervals->aursac)},
                        {"model_accuracy", interval_json(policy.intervals->model_accuracy)}};
    if (policy.intervals->aurdac) {
      row["intervals"]["aurdac"] = interval_json(*policy.intervals->aurdac);
    }
  }
  if (policy.difference) {
    row["difference"] = {{"against", evaluation.policies.front().policy},
                         {"aursac", interval_json(policy.difference->aursac)}};
    if (policy.difference->aurdac) {
      row["difference"]["aurdac"] = interval_json(*policy.difference->aurdac);
    }
  }
  if (policy.regret) row["regret"] = *policy.regret;
  return row;
}

}  // namespace

ordered_json reach_json(const Reach& reach) {
  return {{"accuracy", reach.accuracy},
          {"budget", number(reach.budget)},
          {"highest_accuracy", reach.highest},
          {"highest_at", reach.highest_at}};
}

std::string evaluation_json(const Evaluation& evaluation, const Verdict& verdict,
                            const EvaluationOptions& options, const Router& router) {
  ordered_json policies = ordered_json::array();
  for (const PolicyEvaluation& policy : evaluation.policies) {
    policies.push_back(policy_json(policy, evaluation));
    if (verdict.target) {
      policies.back()["target"] = reach_json(reach_of(policy.curve, *verdict.target));
    }
  }
  ordered_json out = {{"schema", "ifd evaluation 1"},
                      {"verdict",
                       {{"answer", verdict_word(verdict.answer)},
                        {"policy", verdict.policy},
                        {"sentences", verdict.sentences},
                        {"warnings", verdict.warnings}}},
                      {"policies", policies},
                      {"range", {options.d_min, options.d_max}},
                      {"bootstrap", options.bootstrap},
                      {"seed", options.seed},
                      {"groups", evaluation.groups},
                      {"outside", evaluation.outside},
                      {"log_loss", evaluation.quality.log_loss},
                      {"ece", evaluation.quality.expected_calibration_error},
                      {"mean_confidence", evaluation.mean_confidence},
                      {"coverage", coverage_json(evaluation)}};
  if (evaluation.total_capacity) {
    out["capacities"] = {{"total", *evaluation.total_capacity},
                         {"points", "within capacities"},
                         {"intervals", "assignment fixed"},
                         {"curves", "without capacities"}};
  }
  if (const auto c = router.options_calibration()) {
    out["calibration"] = {{"kind", word_for(c->kind)},
                          {"cases", c->cases},
                          {"temperature", 1 / c->calibration.scale},
                          {"log_loss_before", c->before->log_loss},
                          {"log_loss_after", c->after->log_loss},
                          {"ece_before", c->before->expected_calibration_error},
                          {"ece_after", c->after->expected_calibration_error}};
  }
  for (const std::string& name : router.experts()) {
    const std::string known = prior_alone(router.profile(name));
    if (!known.empty()) out["prior_alone"][name] = known;
  }
  return out.dump(2) + "\n";
}

std::string evaluation_csv(const Evaluation& evaluation, const Verdict& verdict, CsvText text) {
  std::string out =
      "policy,cases,model_accuracy,aursac,aursac_low,aursac_high,aurdac,aurdac_low,aurdac_high,"
      "deferral_rate_at_zero,accuracy_at_zero";
  for (const BudgetPoint& point : evaluation.policies.front().at_budgets) {
    out += fmt::format(",accuracy_at_{0:g},accuracy_at_{0:g}_low,accuracy_at_{0:g}_high",
                       point.budget);
  }
  const bool threshold = evaluation.policies.front().at_threshold.has_value();
  const bool covered = evaluation.policies.front().reachable.has_value();
  if (threshold) {
    out +=
        ",threshold,deferral_rate_at_threshold,accuracy_at_threshold,accuracy_at_threshold_low,"
        "accuracy_at_threshold_high";
  }
  if (evaluation.total_capacity) out += ",total_capacity";
  if (covered) out += ",coverage,aursac_covered,aurdac_covered";
  if (verdict.target) out += ",target,budget_at_target";
  out += '\n';
  for (const PolicyEvaluation& policy : evaluation.policies) {
    const auto bounds = [](const Estimate* e) {
      return e == nullptr ? std::string(",")
                          : fmt::format("{},{}", e->interval.low, e->interval.high);
    };
    out += fmt::format("{},{},{},{},{},{},{},{},{}", csv_field(policy.policy, text),
                       evaluation.cases, evaluation.model_accuracy, policy.aursac,
                       bounds(policy.intervals ? &policy.intervals->aursac : nullptr),
                       policy.aurdac ? fmt::format("{}", *policy.aurdac) : "",
                       bounds(aurdac_interval(policy)), policy.at_zero.deferral_rate,
                       policy.at_zero.system_accuracy);
    for (const BudgetPoint& point : policy.at_budgets) {
      out += fmt::format(",{},{}", point.accuracy,
                         bounds(point.estimate ? &point.estimate->accuracy : nullptr));
    }
    if (const auto& at = policy.at_threshold) {
      out += fmt::format(",{},{},{},{}", at->threshold, at->point.deferral_rate,
                         at->point.system_accuracy,
                         bounds(at->estimate ? &at->estimate->accuracy : nullptr));
    }
    if (evaluation.total_capacity) out += fmt::format(",{}", *evaluation.total_capacity);
    if (covered) {
      out += fmt::format(",{},{},{}", share_covered(evaluation), policy.reachable->aursac,
                         policy.reachable->aurdac);
    }
    if (verdict.target) {
      const Reach reach = reach_of(policy.curve, *verdict.target);
      out += fmt::format(",{},", reach.accuracy);
      if (reach.budget) out += fmt::format("{}", *reach.budget);
    }
    out += '\n';
  }
  return out;
}

std::string curves_csv(const Evaluation& evaluation, CsvText text) {
  std::string out = "policy,budget,system_accuracy,expert_accuracy\n";
  for (const PolicyEvaluation& policy : evaluation.policies) {
    for (const CurvePoint& point : policy.curve.points(curve_points(evaluation))) {
      out += fmt::format("{},{},{},{}\n", csv_field(policy.policy, text), point.budget,
                         point.system_accuracy,
                         point.expert_accuracy ? fmt::format("{}", *point.expert_accuracy) : "");
    }
  }
  return out;
}

}  // namespace ifd
