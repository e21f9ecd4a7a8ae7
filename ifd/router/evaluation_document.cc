#include "ifd/router/evaluation_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "ifd/data/csv.h"
#include "ifd/data/json_text.h"
#include "ifd/evaluation/shown_measure.h"
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

ordered_json point_json(const OperatingPoint& point, const std::vector<std::string>& experts,
                        const ShownMeasure& shown) {
  ordered_json load = ordered_json::array();
  for (std::size_t j = 0; j < experts.size(); ++j) {
    load.push_back({{"expert", experts[j]}, {"share", point.load[j]}});
  }
  return {{"deferral_rate", point.deferral_rate},
          {"coverage", point.coverage},
          {shown.key("accuracy"), shown.value(point.system_accuracy)},
          {shown.key("expert_accuracy"), number(shown.value(point.expert_accuracy))},
          {shown.key("model_accuracy"), number(shown.value(point.model_accuracy))},
          {"experts", load}};
}

void add_estimate(ordered_json& to, const AccuracyEstimate& estimate, const ShownMeasure& shown) {
  to[shown.key("accuracy_interval")] = interval_json(shown.value(estimate.accuracy));
  to[shown.key("gain_interval")] = interval_json(shown.gain(estimate.gain));
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

ordered_json areas_json(const ReachableAreas& areas, const ShownMeasure& shown) {
  const std::string system = shown.key("aursac"), expert = shown.key("aurdac");
  ordered_json out = {{system, shown.value(areas.aursac)}, {expert, shown.value(areas.aurdac)}};
  if (areas.intervals) {
    out["intervals"] = {{system, interval_json(shown.value(areas.intervals->aursac))}};
    if (areas.intervals->aurdac) {
      out["intervals"][expert] = interval_json(shown.value(*areas.intervals->aurdac));
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

ordered_json by_truth_json(const PolicyEvaluation& policy, const ClassNames& classes) {
  ordered_json rows = ordered_json::array();
  for (std::size_t y = 0; y < policy.by_truth.size(); ++y) {
    const TruthOutcome& of = policy.by_truth[y];
    rows.push_back({{"class", classes.name(class_id(y))},
                    {"cases", of.cases},
                    {"deferred", of.deferred},
                    {"wrong", of.wrong},
                    {"cost", of.cost}});
  }
  return rows;
}

ordered_json policy_json(const PolicyEvaluation& policy, const Evaluation& evaluation,
                         const Router& router) {
  const ShownMeasure shown(evaluation);
  const std::string system = shown.key("aursac"), expert = shown.key("aurdac");
  ordered_json experts = ordered_json::array();
  for (std::size_t j = 0; j < evaluation.experts.size(); ++j) {
    experts.push_back({{"expert", evaluation.experts[j]},
                       {"share", policy.share[j]},
                       {"accuracy", number(evaluation.expert_accuracy[j])}});
  }
  ordered_json row = {{"policy", policy.policy},
                      {system, shown.value(policy.aursac)},
                      {expert, number(shown.value(policy.aurdac))},
                      {shown.key("model_accuracy"), shown.value(model_share(evaluation, policy))},
                      {"cases", evaluation.cases},
                      {"deferrable", policy.curve.deferrable()},
                      {"experts", experts},
                      {"at_zero", point_json(policy.at_zero, evaluation.experts, shown)}};
  if (policy.answer == AnswerUse::kCombined) row["answer"] = word_for(policy.answer);
  ordered_json at = ordered_json::array();
  for (const BudgetPoint& point : policy.at_budgets) {
    ordered_json entry = {
        {"budget", point.budget},
        {"threshold", number(point.threshold)},
        {shown.key("curve_accuracy"), shown.value(policy.curve.system_accuracy(point.budget))},
        {shown.key("capped_accuracy"), shown.value(point.accuracy)}};
    entry.update(point_json(point.point, evaluation.experts, shown));
    if (point.estimate) add_estimate(entry, *point.estimate, shown);
    at.push_back(entry);
  }
  row["at_budgets"] = at;
  if (policy.at_threshold) {
    row["at_threshold"] = {{"threshold", number(policy.at_threshold->threshold)}};
    row["at_threshold"].update(point_json(policy.at_threshold->point, evaluation.experts, shown));
    if (policy.at_threshold->estimate) {
      add_estimate(row["at_threshold"], *policy.at_threshold->estimate, shown);
    }
  }
  if (policy.reachable) row["over_covered_cases"] = areas_json(*policy.reachable, shown);
  row["least_margin"] = number(policy.least_margin);
  if (policy.zero_estimate) add_estimate(row["at_zero"], *policy.zero_estimate, shown);
  if (policy.promise) row["promise"] = promise_json(*policy.promise);
  if (policy.intervals) {
    row["intervals"] = {{system, interval_json(shown.value(policy.intervals->aursac))},
                        {shown.key("model_accuracy"),
                         interval_json(shown.value(policy.intervals->model_accuracy))}};
    if (policy.intervals->aurdac) {
      row["intervals"][expert] = interval_json(shown.value(*policy.intervals->aurdac));
    }
  }
  if (policy.difference) {
    row["difference"] = {{"against", evaluation.policies.front().policy},
                         {system, interval_json(shown.difference(policy.difference->aursac))}};
    if (policy.difference->aurdac) {
      row["difference"][expert] = interval_json(shown.difference(*policy.difference->aurdac));
    }
  }
  if (!policy.by_truth.empty()) row["by_truth"] = by_truth_json(policy, router.classes());
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
    policies.push_back(policy_json(policy, evaluation, router));
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
  if (evaluation.cost_unit) {
    out["costs"] = {{"unit", evaluation.cost_unit->name()},
                    {"largest_total", evaluation.cost_unit->largest_total()}};
  }
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
  // Names differ; looking for each before it is added would take its square.
  ordered_json::object_t prior_alone_of;
  for (const std::string& name : router.experts()) {
    const std::string known = prior_alone(router.profile(name));
    if (!known.empty()) prior_alone_of.emplace_back(name, known);
  }
  if (!prior_alone_of.empty()) out["prior_alone"] = std::move(prior_alone_of);
  return json_text(out, 2) + "\n";
}

std::string evaluation_csv(const Evaluation& evaluation, const Verdict& verdict, CsvText text) {
  const ShownMeasure shown(evaluation);
  const std::string system = shown.key("aursac"), expert = shown.key("aurdac");
  const std::string measure = shown.key("accuracy");
  std::string out = fmt::format(
      "policy,cases,model_{2},{0},{0}_low,{0}_high,{1},{1}_low,{1}_high,deferral_rate_at_zero,"
      "{2}_at_zero",
      system, expert, measure);
  for (const BudgetPoint& point : evaluation.policies.front().at_budgets) {
    out += fmt::format(",{1}_at_{0:g},{1}_at_{0:g}_low,{1}_at_{0:g}_high", point.budget, measure);
  }
  const bool threshold = evaluation.policies.front().at_threshold.has_value();
  const bool covered = evaluation.policies.front().reachable.has_value();
  if (threshold) {
    out += fmt::format(
        ",threshold,deferral_rate_at_threshold,{0}_at_threshold,{0}_at_threshold_low,"
        "{0}_at_threshold_high",
        measure);
  }
  if (evaluation.total_capacity) out += ",total_capacity";
  if (covered) out += fmt::format(",coverage,{}_covered,{}_covered", system, expert);
  if (verdict.target) out += ",target,budget_at_target";
  out += '\n';
  for (const PolicyEvaluation& policy : evaluation.policies) {
    const auto bounds = [&](const Estimate* e) {
      if (e == nullptr) return std::string(",");
      const Interval ends = shown.value(*e).interval;
      return fmt::format("{},{}", ends.low, ends.high);
    };
    out +=
        fmt::format("{},{},{},{},{},{},{},{},{}", csv_field(policy.policy, text), evaluation.cases,
                    shown.value(model_share(evaluation, policy)), shown.value(policy.aursac),
                    bounds(policy.intervals ? &policy.intervals->aursac : nullptr),
                    policy.aurdac ? fmt::format("{}", shown.value(*policy.aurdac)) : "",
                    bounds(aurdac_interval(policy)), policy.at_zero.deferral_rate,
                    shown.value(policy.at_zero.system_accuracy));
    for (const BudgetPoint& point : policy.at_budgets) {
      out += fmt::format(",{},{}", shown.value(point.accuracy),
                         bounds(point.estimate ? &point.estimate->accuracy : nullptr));
    }
    if (const auto& at = policy.at_threshold) {
      out += fmt::format(",{},{},{},{}", at->threshold, at->point.deferral_rate,
                         shown.value(at->point.system_accuracy),
                         bounds(at->estimate ? &at->estimate->accuracy : nullptr));
    }
    if (evaluation.total_capacity) out += fmt::format(",{}", *evaluation.total_capacity);
    if (covered) {
      out +=
          fmt::format(",{},{},{}", share_covered(evaluation), shown.value(policy.reachable->aursac),
                      shown.value(policy.reachable->aurdac));
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
  const ShownMeasure shown(evaluation);
  std::string out = fmt::format("policy,budget,system_{0},expert_{0}\n", shown.key("accuracy"));
  for (const PolicyEvaluation& policy : evaluation.policies) {
    for (const CurvePoint& point : policy.curve.points(curve_points(evaluation))) {
      out += fmt::format(
          "{},{},{},{}\n", csv_field(policy.policy, text), point.budget,
          shown.value(point.system_accuracy),
          point.expert_accuracy ? fmt::format("{}", shown.value(*point.expert_accuracy)) : "");
    }
  }
  return out;
}

}  // namespace ifd
