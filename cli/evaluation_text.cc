#include "cli/evaluation_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cli/short_names.h"
#include "cli/text_table.h"
#include "ifd/evaluation/shown_measure.h"
#include "ifd/router/evaluation_words.h"

namespace ifd::cli {
namespace {

// "3.20 [2.90–3.50]"
std::string cost_with_interval(double share, const Estimate* estimate, const ShownMeasure& shown) {
  const CostUnit& unit = shown.unit();
  if (estimate == nullptr) return unit.number(shown.value(share));
  const Interval ends = shown.value(*estimate).interval;
  return fmt::format("{} [{}–{}]", unit.number(shown.value(share)), unit.number(ends.low),
                     unit.number(ends.high));
}

std::string with_interval(double value, const Estimate* estimate, const ShownMeasure& shown) {
  if (shown.is_cost()) return cost_with_interval(value, estimate, shown);
  if (estimate == nullptr) return fmt::format("{:.4f}", value);
  return fmt::format("{:.4f} [{:.4f}, {:.4f}]", value, estimate->interval.low,
                     estimate->interval.high);
}

// "96.57 [95.9–97.2]"
std::string percent_with_interval(double value, const Estimate* estimate,
                                  const ShownMeasure& shown) {
  if (shown.is_cost()) return cost_with_interval(value, estimate, shown);
  if (estimate == nullptr) return fmt::format("{:.2f}", 100 * value);
  return fmt::format("{:.2f} [{:.1f}–{:.1f}]", 100 * value, 100 * estimate->interval.low,
                     100 * estimate->interval.high);
}

// With its sign, and no sign where it rounds to nothing.
std::string signed_number(double value) {
  const std::string text = fmt::format("{:+.4f}", value);
  return text == "-0.0000" || text == "+0.0000" ? "0.0000" : text;
}

// A difference and its interval, with their signs.
std::string difference_text(const Estimate& shares, const ShownMeasure& shown) {
  const Estimate told = shown.difference(shares);
  const auto word = [&](double value) {
    return shown.is_cost() ? (value > 0 ? "+" : "") + shown.unit().number(value)
                           : signed_number(value);
  };
  return fmt::format("{} [{}, {}]", word(told.value), word(told.interval.low),
                     word(told.interval.high));
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
  std::vector<std::vector<double>> shares;
  for (const PolicyEvaluation& policy : evaluation.policies) {
    shares.push_back(shares_of_deferred(*point_of_use(policy).point));
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t j = order[i];
    std::vector<std::string> row = {experts[i],
                                    std::isnan(evaluation.expert_accuracy[j])
                                        ? "-"
                                        : fmt::format("{:.4f}", evaluation.expert_accuracy[j])};
    if (gaps) row.push_back(fmt::format("{:.3f}", evaluation.expert_coverage[j]));
    for (const std::vector<double>& share : shares) {
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
  const ShownMeasure shown(evaluation);
  TextTable table(columns);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c] == "deferring") table.keep_beside_previous(c);
  }
  for (std::size_t i = 0; i < evaluation.policies.size(); ++i) {
    const PolicyEvaluation& policy = evaluation.policies[i];
    std::vector<std::string> row = {names[i]};
    for (const BudgetPoint& point : policy.at_budgets) {
      row.push_back(percent_with_interval(
          point.accuracy, point.estimate ? &point.estimate->accuracy : nullptr, shown));
    }
    row.push_back(percent_with_interval(
        policy.at_zero.system_accuracy,
        policy.zero_estimate ? &policy.zero_estimate->accuracy : nullptr, shown));
    row.push_back(fmt::format("{:.1f}", 100 * policy.at_zero.deferral_rate));
    if (const auto& at = policy.at_threshold) {
      row.push_back(percent_with_interval(at->point.system_accuracy,
                                          at->estimate ? &at->estimate->accuracy : nullptr, shown));
      row.push_back(fmt::format("{:.1f}", 100 * at->point.deferral_rate));
    }
    if (evaluation.policies.front().regret) {
      row.push_back(policy.regret ? fmt::format("{:.5f}", *policy.regret) : "-");
    }
    table.add(std::move(row));
  }
  return table.text() + names.legend();
}

std::string area_table(const Evaluation& evaluation, const EvaluationOptions& options) {
  const bool differences = evaluation.policies.size() > 1 && options.bootstrap > 0;
  const bool covered = evaluation.policies.front().reachable.has_value();
  const ShownMeasure shown(evaluation);
  const std::string system = shown.is_cost() ? "mean cost" : "AURSAC";
  const std::string expert = shown.is_cost() ? "of experts" : "AURDAC";
  std::vector<std::string> columns = {"policy", system, expert};
  if (covered) columns.insert(columns.end(), {system + " covered", expert + " covered"});
  const ShortNames names = policy_names(evaluation);
  if (differences) columns.push_back(fmt::format("{} minus {}", system, names[0]));
  TextTable table(columns);
  for (std::size_t i = 0; i < evaluation.policies.size(); ++i) {
    const PolicyEvaluation& policy = evaluation.policies[i];
    std::vector<std::string> row = {
        names[i],
        with_interval(policy.aursac, policy.intervals ? &policy.intervals->aursac : nullptr, shown),
        policy.aurdac ? with_interval(*policy.aurdac, aurdac_interval(policy), shown) : "-"};
    if (const auto& areas = policy.reachable) {
      row.push_back(with_interval(areas->aursac,
                                  areas->intervals ? &areas->intervals->aursac : nullptr, shown));
      row.push_back(with_interval(
          areas->aurdac,
          areas->intervals && areas->intervals->aurdac ? &*areas->intervals->aurdac : nullptr,
          shown));
    }
    if (differences) {
      row.push_back(policy.difference ? difference_text(policy.difference->aursac, shown) : "");
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
  paragraph(areas_explained(evaluation, options));
  if (const std::string gaps = coverage_explained(evaluation); !gaps.empty()) paragraph(gaps);
  out += area_table(evaluation, options);
  out += '\n';
  out += load_text(evaluation, shown);
  return out;
}

}  // namespace ifd::cli
