#include "cli/evaluation_text.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/text_table.h"
#include "ifd/data/csv.h"
#include "ifd/policy/policy_calibration.h"

namespace ifd::cli {
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

std::string with_interval(double value, const Estimate* estimate) {
  if (estimate == nullptr) return fmt::format("{:.4f}", value);
  return fmt::format("{:.4f} [{:.4f}, {:.4f}]", value, estimate->interval.low,
                     estimate->interval.high);
}

const Estimate* aurdac_interval(const PolicyEvaluation& policy) {
  return policy.intervals && policy.intervals->aurdac ? &*policy.intervals->aurdac : nullptr;
}

std::string load_text(const Evaluation& evaluation) {
  TextTable load([&] {
    std::vector<std::string> names = {"expert", "accuracy"};
    for (const PolicyEvaluation& policy : evaluation.policies) names.push_back(policy.policy);
    return names;
  }());
  for (std::size_t j = 0; j < evaluation.experts.size(); ++j) {
    std::vector<std::string> row = {evaluation.experts[j],
                                    std::isnan(evaluation.expert_accuracy[j])
                                        ? "-"
                                        : fmt::format("{:.4f}", evaluation.expert_accuracy[j])};
    for (const PolicyEvaluation& policy : evaluation.policies) {
      row.push_back(fmt::format("{:.3f}", policy.share[j]));
    }
    load.add(std::move(row));
  }
  return "Share of the cases where the expert has the largest margin:\n" + load.text();
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
                          {"curve_accuracy", policy.curve.system_accuracy(point.budget)}};
    entry.update(point_json(point.point, evaluation.experts));
    at.push_back(entry);
  }
  row["at_budgets"] = at;
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

std::string evaluation_text(const Evaluation& evaluation, const EvaluationOptions& options) {
  std::string out = fmt::format("{} cases, {} experts, model alone {:.4f}\n\n", evaluation.cases,
                                evaluation.experts.size(), evaluation.model_accuracy);
  const bool differences = evaluation.policies.size() > 1 && options.bootstrap > 0;
  std::vector<std::string> columns = {"policy", "AURSAC", "AURDAC"};
  if (differences) {
    columns.push_back(fmt::format("AURSAC minus {}", evaluation.policies.front().policy));
  }
  columns.insert(columns.end(), {"defers at 0", "accuracy at 0"});
  for (const double budget : options.budgets) columns.push_back(fmt::format("at {:g}", budget));
  if (evaluation.policies.front().regret) columns.emplace_back("regret at 0");
  TextTable table(columns);
  for (const PolicyEvaluation& policy : evaluation.policies) {
    std::vector<std::string> row = {
        policy.policy,
        with_interval(policy.aursac, policy.intervals ? &policy.intervals->aursac : nullptr),
        policy.aurdac ? with_interval(*policy.aurdac, aurdac_interval(policy)) : "-"};
    if (differences) {
      row.push_back(policy.difference
                        ? fmt::format("{:+.4f} [{:+.4f}, {:+.4f}]", policy.difference->aursac.value,
                                      policy.difference->aursac.interval.low,
                                      policy.difference->aursac.interval.high)
                        : "");
    }
    row.push_back(fmt::format("{:.3f}", policy.at_zero.deferral_rate));
    row.push_back(fmt::format("{:.4f}", policy.at_zero.system_accuracy));
    for (const BudgetPoint& point : policy.at_budgets) {
      row.push_back(fmt::format("{:.4f}", policy.curve.system_accuracy(point.budget)));
    }
    if (policy.regret) row.push_back(fmt::format("{:.5f}", *policy.regret));
    table.add(std::move(row));
  }
  return out + table.text() + "\n" + load_text(evaluation);
}

std::string evaluation_json(const Evaluation& evaluation, const EvaluationOptions& options,
                            const Router& router) {
  ordered_json policies = ordered_json::array();
  for (const PolicyEvaluation& policy : evaluation.policies) {
    policies.push_back(policy_json(policy, evaluation));
  }
  ordered_json out = {{"policies", policies},
                      {"range", {options.d_min, options.d_max}},
                      {"bootstrap", options.bootstrap},
                      {"seed", options.seed},
                      {"outside", evaluation.outside},
                      {"log_loss", evaluation.quality.log_loss},
                      {"ece", evaluation.quality.expected_calibration_error}};
  if (const auto c = router.options_calibration()) {
    out["calibration"] = {{"kind", word_for(c->kind)},
                          {"cases", c->cases},
                          {"temperature", 1 / c->calibration.scale},
                          {"log_loss_before", c->before->log_loss},
                          {"log_loss_after", c->after->log_loss},
                          {"ece_before", c->before->expected_calibration_error},
                          {"ece_after", c->after->expected_calibration_error}};
  }
  return out.dump(2) + "\n";
}

std::string evaluation_csv(const Evaluation& evaluation, CsvText text) {
  std::string out =
      "policy,cases,model_accuracy,aursac,aursac_low,aursac_high,aurdac,aurdac_low,aurdac_high,"
      "deferral_rate_at_zero,accuracy_at_zero\n";
  for (const PolicyEvaluation& policy : evaluation.policies) {
    const auto bounds = [](const Estimate* e) {
      return e == nullptr ? std::string(",")
                          : fmt::format("{},{}", e->interval.low, e->interval.high);
    };
    out += fmt::format("{},{},{},{},{},{},{},{},{}\n", csv_field(policy.policy, text),
                       evaluation.cases, evaluation.model_accuracy, policy.aursac,
                       bounds(policy.intervals ? &policy.intervals->aursac : nullptr),
                       policy.aurdac ? fmt::format("{}", *policy.aurdac) : "",
                       bounds(aurdac_interval(policy)), policy.at_zero.deferral_rate,
                       policy.at_zero.system_accuracy);
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

}  // namespace ifd::cli
