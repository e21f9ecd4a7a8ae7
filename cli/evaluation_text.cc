#include "cli/evaluation_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "cli/short_names.h"
#include "cli/text_table.h"
#include "ifd/data/csv.h"
#include "ifd/policy/policy_calibration.h"
#include "ifd/profile/prior_alone.h"

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

// "96.57 [95.9–97.2]"
std::string percent_with_interval(double value, const Estimate* estimate) {
  if (estimate == nullptr) return fmt::format("{:.2f}", 100 * value);
  return fmt::format("{:.2f} [{:.1f}–{:.1f}]", 100 * value, 100 * estimate->interval.low,
                     100 * estimate->interval.high);
}

// With its sign, and no sign where it rounds to nothing.
std::string signed_number(double value) {
  const std::string text = fmt::format("{:+.4f}", value);
  return text == "-0.0000" || text == "+0.0000" ? "0.0000" : text;
}

const Estimate* aurdac_interval(const PolicyEvaluation& policy) {
  return policy.intervals && policy.intervals->aurdac ? &*policy.intervals->aurdac : nullptr;
}

double share_covered(const Evaluation& evaluation) {
  return static_cast<double>(evaluation.reachable_cases) / static_cast<double>(evaluation.cases);
}

ShortNames policy_names(const Evaluation& evaluation) {
  std::vector<std::string> names;
  for (const PolicyEvaluation& policy : evaluation.policies) names.push_back(policy.policy);
  return {names, kNameColumns};
}

// Whom the table of experts shows: everybody, or of very many those whom the first policy asks
// most.
std::vector<std::size_t> experts_to_show(const Evaluation& evaluation, ExpertsShown shown) {
  std::vector<std::size_t> experts(evaluation.experts.size());
  std::iota(experts.begin(), experts.end(), std::size_t{0});
  const std::size_t rows = rows_for(experts.size(), shown);
  if (rows == experts.size()) return experts;
  const std::vector<double>& load = point_of_use(evaluation.policies.front()).point->load;
  std::stable_sort(experts.begin(), experts.end(),
                   [&](std::size_t a, std::size_t b) { return load[a] > load[b]; });
  experts.resize(rows);
  return experts;
}

std::string load_text(const Evaluation& evaluation, ExpertsShown shown) {
  const bool gaps = has_gaps(evaluation);
  const ShortNames policies = policy_names(evaluation);
  TextTable load([&] {
    std::vector<std::string> names = {"expert", "accuracy"};
    if (gaps) names.emplace_back("could take");
    for (std::size_t i = 0; i < policies.size(); ++i) names.push_back(policies[i]);
    return names;
  }());
  const std::vector<std::size_t> order = experts_to_show(evaluation, shown);
  std::vector<std::string> full;
  for (const std::size_t j : order) full.push_back(evaluation.experts[j]);
  const ShortNames experts(full, kNameColumns);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t j = order[i];
    std::vector<std::string> row = {experts[i],
                                    std::isnan(evaluation.expert_accuracy[j])
                                        ? "-"
                                        : fmt::format("{:.4f}", evaluation.expert_accuracy[j])};
    if (gaps) row.push_back(fmt::format("{:.3f}", evaluation.expert_coverage[j]));
    for (const PolicyEvaluation& policy : evaluation.policies) {
      const std::vector<double> share = shares_of_deferred(*point_of_use(policy).point);
      row.push_back(share.empty() ? "-" : fmt::format("{:.3f}", share[j]));
    }
    load.add(std::move(row));
  }
  std::string out =
      wrapped(fmt::format("Experts: accuracy on the cases they answered, {}and the share they "
                          "take of what each policy defers. {}",
                          gaps ? "the share of all cases that they could take, " : "",
                          points_of_use_explained(evaluation))) +
      "\n" + load.text() + experts.legend();
  if (order.size() < evaluation.experts.size()) {
    out +=
        wrapped(fmt::format("These are the {} who are asked most by {}; {} more with "
                            "--all-experts.",
                            order.size(), policies[0], evaluation.experts.size() - order.size())) +
        "\n";
  }
  return out;
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

const char* verdict_word(Verdict::Answer answer) {
  switch (answer) {
    case Verdict::Answer::kHelps:
      return "helps";
    case Verdict::Answer::kHurts:
      return "hurts";
    case Verdict::Answer::kNothingDeferred:
      return "nothing deferred";
    case Verdict::Answer::kNotSure:
      break;
  }
  return "not sure";
}

std::string points_of_use_explained(const Evaluation& evaluation) {
  std::vector<std::string> at_zero, at_budgets;
  for (const PolicyEvaluation& policy : evaluation.policies) {
    if (const auto budget = point_of_use(policy).budget) {
      at_budgets.push_back(fmt::format("{} ({})", policy.policy, budget_name(*budget)));
    } else {
      at_zero.push_back(policy.policy);
    }
  }
  const char* within = evaluation.total_capacity ? ", within the capacities" : "";
  if (at_budgets.empty()) return fmt::format("At threshold 0{}.", within);
  const std::string best =
      fmt::format("t the best of the asked budgets: {}", fmt::join(at_budgets, ", "));
  if (at_zero.empty()) return fmt::format("A{}{}.", best, within);
  return fmt::format("At threshold 0: {}; a{}{}.", fmt::join(at_zero, ", "), best, within);
}

std::string budget_name(double budget) { return fmt::format("{:g} %", 100 * budget); }

namespace {

std::string budgets_explained(const Evaluation& evaluation) {
  std::vector<std::string> capped, filled;
  for (const PolicyEvaluation& policy : evaluation.policies) {
    (policy.least_margin ? capped : filled).push_back(policy.policy);
  }
  if (capped.empty()) return "All of each budget is used.";
  std::string text = fmt::format("Of a budget, {} use{} only what promises a gain",
                                 fmt::join(capped, ", "), capped.size() == 1 ? "s" : "");
  if (!filled.empty()) {
    text += fmt::format("; {} fill{} it", fmt::join(filled, ", "), filled.size() == 1 ? "s" : "");
  }
  return text + ".";
}

}  // namespace

std::string accuracies_explained(const Evaluation& evaluation, const EvaluationOptions& options) {
  const std::string over =
      evaluation.groups > 0 ? fmt::format("{} groups", evaluation.groups) : std::string("cases");
  return fmt::format(
      "Accuracy in % on {} cases ({:.2f} by the model alone){}. {}", evaluation.cases,
      100 * evaluation.model_accuracy,
      options.bootstrap > 0 ? fmt::format("; in brackets 95 % intervals over {}", over) : "",
      budgets_explained(evaluation));
}

std::string margins_explained(const Evaluation& evaluation) {
  std::vector<std::string> ordering;
  for (const PolicyEvaluation& policy : evaluation.policies) {
    if (!policy.expects_gains) ordering.push_back(policy.policy);
  }
  if (ordering.size() == evaluation.policies.size()) {
    return "The margin of a case says how soon it is deferred, and to whom; here it only orders "
           "the "
           "cases.";
  }
  std::string text =
      "The margin of a case is by how much its best expert is expected to be right more often than "
      "the model";
  if (!ordering.empty()) {
    text += fmt::format("; that of {} only orders the cases", fmt::join(ordering, ", "));
  }
  return text + ".";
}

std::string areas_explained(const EvaluationOptions& options) {
  return fmt::format(
      "Means over all budgets from {} to {}, all of each being used: accuracy of model and experts "
      "together (AURSAC), and of the experts alone on what they are given (AURDAC).",
      budget_name(options.d_min), budget_name(options.d_max));
}

std::string capacities_explained(const Evaluation& evaluation, const EvaluationOptions& options) {
  if (!evaluation.total_capacity) return {};
  return fmt::format(
      "Who takes which case is the best assignment within the capacities, {} of {} cases in all{}; "
      "curves, areas and promises are without capacities.",
      *evaluation.total_capacity, evaluation.cases,
      options.bootstrap > 0 ? ", held fixed in the intervals" : "");
}

bool has_gaps(const Evaluation& evaluation) {
  return std::any_of(evaluation.expert_coverage.begin(), evaluation.expert_coverage.end(),
                     [](double share) { return share < 1; });
}

std::string coverage_explained(const Evaluation& evaluation) {
  if (evaluation.reachable_cases == evaluation.cases) return {};
  return fmt::format(
      "Coverage: somebody could take {} of {} cases ({:.1f} %); on the others the model answers at "
      "every budget. 'Covered' are the areas over the cases that somebody could take.",
      evaluation.reachable_cases, evaluation.cases, 100 * share_covered(evaluation));
}

namespace {

std::string accuracy_table(const Evaluation& evaluation, const EvaluationOptions& options) {
  std::vector<std::string> columns = {"policy"};
  for (const double budget : options.budgets) columns.push_back("at " + budget_name(budget));
  columns.insert(columns.end(), {"at threshold 0", "deferring"});
  if (options.threshold) {
    columns.insert(columns.end(),
                   {fmt::format("at threshold {}", *options.threshold), "deferring"});
  }
  if (evaluation.policies.front().regret) columns.emplace_back("regret");
  const ShortNames names = policy_names(evaluation);
  TextTable table(columns);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c] == "deferring") table.keep_beside_previous(c);
  }
  for (std::size_t i = 0; i < evaluation.policies.size(); ++i) {
    const PolicyEvaluation& policy = evaluation.policies[i];
    std::vector<std::string> row = {names[i]};
    for (const BudgetPoint& point : policy.at_budgets) {
      row.push_back(percent_with_interval(point.accuracy,
                                          point.estimate ? &point.estimate->accuracy : nullptr));
    }
    row.push_back(
        percent_with_interval(policy.at_zero.system_accuracy,
                              policy.zero_estimate ? &policy.zero_estimate->accuracy : nullptr));
    row.push_back(fmt::format("{:.1f}", 100 * policy.at_zero.deferral_rate));
    if (const auto& at = policy.at_threshold) {
      row.push_back(percent_with_interval(at->point.system_accuracy,
                                          at->estimate ? &at->estimate->accuracy : nullptr));
      row.push_back(fmt::format("{:.1f}", 100 * at->point.deferral_rate));
    }
    if (policy.regret) row.push_back(fmt::format("{:.5f}", *policy.regret));
    table.add(std::move(row));
  }
  return table.text() + names.legend();
}

std::string area_table(const Evaluation& evaluation, const EvaluationOptions& options) {
  const bool differences = evaluation.policies.size() > 1 && options.bootstrap > 0;
  const bool covered = evaluation.policies.front().reachable.has_value();
  std::vector<std::string> columns = {"policy", "AURSAC", "AURDAC"};
  if (covered) columns.insert(columns.end(), {"AURSAC covered", "AURDAC covered"});
  const ShortNames names = policy_names(evaluation);
  if (differences) columns.push_back("AURSAC minus " + names[0]);
  TextTable table(columns);
  for (std::size_t i = 0; i < evaluation.policies.size(); ++i) {
    const PolicyEvaluation& policy = evaluation.policies[i];
    std::vector<std::string> row = {
        names[i],
        with_interval(policy.aursac, policy.intervals ? &policy.intervals->aursac : nullptr),
        policy.aurdac ? with_interval(*policy.aurdac, aurdac_interval(policy)) : "-"};
    if (const auto& areas = policy.reachable) {
      row.push_back(
          with_interval(areas->aursac, areas->intervals ? &areas->intervals->aursac : nullptr));
      row.push_back(with_interval(areas->aurdac, areas->intervals && areas->intervals->aurdac
                                                     ? &*areas->intervals->aurdac
                                                     : nullptr));
    }
    if (differences) {
      row.push_back(policy.difference
                        ? fmt::format("{} [{}, {}]", signed_number(policy.difference->aursac.value),
                                      signed_number(policy.difference->aursac.interval.low),
                                      signed_number(policy.difference->aursac.interval.high))
                        : "");
    }
    table.add(std::move(row));
  }
  return table.text();
}

}  // namespace

std::string evaluation_text(const Evaluation& evaluation, const Verdict& verdict,
                            const EvaluationOptions& options, ExpertsShown shown) {
  std::string out;
  const auto paragraph = [&out](const std::string& text) {
    out += wrapped(text);
    out += '\n';
  };
  for (const std::string& sentence : verdict.sentences) paragraph(sentence);
  for (const std::string& warning : verdict.warnings) {
    out += '\n';
    paragraph(fmt::format("! {}", warning));
  }
  out += '\n';
  paragraph(fmt::format("{} At a threshold every case is deferred whose margin reaches it. {}",
                        accuracies_explained(evaluation, options), margins_explained(evaluation)));
  if (evaluation.total_capacity) paragraph(capacities_explained(evaluation, options));
  out += accuracy_table(evaluation, options);
  out += '\n';
  paragraph(areas_explained(options));
  if (const std::string gaps = coverage_explained(evaluation); !gaps.empty()) paragraph(gaps);
  out += area_table(evaluation, options);
  out += '\n';
  out += load_text(evaluation, shown);
  return out;
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

}  // namespace ifd::cli
