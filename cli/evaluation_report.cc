#include "cli/evaluation_report.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/text_table.h"
#include "ifd/data/csv.h"
#include "ifd/report/html_report.h"
#include "ifd/report/html_text.h"

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

LineChart accuracy_chart(const Evaluation& evaluation, bool of_experts) {
  LineChart chart;
  chart.title = of_experts ? "Accuracy of the experts on what they were given"
                           : "Accuracy of model and experts together";
  chart.x_label = "deferral budget";
  chart.y_label = of_experts ? "expert accuracy" : "system accuracy";
  chart.x_range = Range{0, 1};
  chart.x_unit = Unit::kPercent;
  chart.y_unit = Unit::kPercent;
  for (const PolicyEvaluation& policy : evaluation.policies) {
    Series series;
    series.name = policy.policy;
    if (policy.policy == "oracle" || policy.policy == "ceiling" || policy.policy == "random") {
      series.emphasis = Emphasis::kQuiet;
    }
    for (const CurvePoint& point :
         policy.curve.points(std::min<std::size_t>(curve_points(evaluation), 201))) {
      series.x.push_back(point.budget);
      series.y.push_back(of_experts ? point.expert_accuracy.value_or(NAN) : point.system_accuracy);
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

}  // namespace

LineChart system_accuracy_chart(const Evaluation& evaluation) {
  return accuracy_chart(evaluation, false);
}

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
  out += table.text() + "\n";
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
  return out + "Share of the cases where the expert has the largest margin:\n" + load.text();
}

std::string evaluation_json(const Evaluation& evaluation, const EvaluationOptions& options,
                            const LoadedInputs& loaded) {
  ordered_json policies = ordered_json::array();
  for (const PolicyEvaluation& policy : evaluation.policies) {
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
    policies.push_back(row);
  }
  ordered_json out = {{"policies", policies},
                      {"range", {options.d_min, options.d_max}},
                      {"bootstrap", options.bootstrap},
                      {"seed", options.seed},
                      {"outside", evaluation.outside},
                      {"log_loss", evaluation.quality.log_loss},
                      {"ece", evaluation.quality.expected_calibration_error}};
  if (loaded.calibration) {
    const CalibrationReport& c = *loaded.calibration;
    out["calibration"] = {{"kind", c.kind},
                          {"cases", c.cases},
                          {"temperature", 1 / c.calibration.scale},
                          {"log_loss_before", c.before.log_loss},
                          {"log_loss_after", c.after.log_loss},
                          {"ece_before", c.before.expected_calibration_error},
                          {"ece_after", c.after.expected_calibration_error}};
  }
  return out.dump(2) + "\n";
}

std::string evaluation_csv(const Evaluation& evaluation) {
  std::string out =
      "policy,cases,model_accuracy,aursac,aursac_low,aursac_high,aurdac,aurdac_low,aurdac_high,"
      "deferral_rate_at_zero,accuracy_at_zero\n";
  for (const PolicyEvaluation& policy : evaluation.policies) {
    const auto bounds = [](const Estimate* e) {
      return e == nullptr ? std::string(",")
                          : fmt::format("{},{}", e->interval.low, e->interval.high);
    };
    out += fmt::format("{},{},{},{},{},{},{},{},{}\n", csv_field(policy.policy), evaluation.cases,
                       evaluation.model_accuracy, policy.aursac,
                       bounds(policy.intervals ? &policy.intervals->aursac : nullptr),
                       policy.aurdac ? fmt::format("{}", *policy.aurdac) : "",
                       bounds(aurdac_interval(policy)), policy.at_zero.deferral_rate,
                       policy.at_zero.system_accuracy);
  }
  return out;
}

std::string curves_csv(const Evaluation& evaluation) {
  std::string out = "policy,budget,system_accuracy,expert_accuracy\n";
  for (const PolicyEvaluation& policy : evaluation.policies) {
    for (const CurvePoint& point : policy.curve.points(curve_points(evaluation))) {
      out += fmt::format("{},{},{},{}\n", csv_field(policy.policy), point.budget,
                         point.system_accuracy,
                         point.expert_accuracy ? fmt::format("{}", *point.expert_accuracy) : "");
    }
  }
  return out;
}

std::string evaluation_html(const Evaluation& evaluation, const EvaluationOptions& options,
                            const LoadedInputs& loaded, const std::string& command) {
  const auto best =
      std::max_element(evaluation.policies.begin(), evaluation.policies.end(),
                       [](const PolicyEvaluation& a, const PolicyEvaluation& b) {
                         const auto rank = [](const PolicyEvaluation& p) {
                           return p.policy == "oracle" || p.policy == "ceiling" ? -1.0 : p.aursac;
                         };
                         return rank(a) < rank(b);
                       });
  HtmlReport report(
      "Who should answer: the model or an expert?",
      fmt::format("{} cases, {} experts. The model alone is right on {} of the cases; '{}' reaches "
                  "{} on average over all deferral budgets.",
                  evaluation.cases, evaluation.experts.size(),
                  percent(evaluation.model_accuracy, 1), best->policy, percent(best->aursac, 1)));
  report.key_figures({{fixed(best->aursac, 3), "AURSAC", best->policy},
                      {best->aurdac ? fixed(*best->aurdac, 3) : "–", "AURDAC", best->policy},
                      {percent(evaluation.model_accuracy, 1), "model alone", "no case deferred"}});

  report.section("Accuracy at every budget", "curves");
  report.paragraph(
      "At a budget of 20 % the fifth of the cases with the largest margins goes to the expert each "
      "was matched with; the model answers the rest.");
  report.chart(system_accuracy_chart(evaluation));
  report.chart(accuracy_chart(evaluation, true));

  report.section("Policies", "policies");
  Table table{"Areas under the two curves" +
                  std::string(options.bootstrap > 0 ? " with 95 % bootstrap intervals" : ""),
              {{"policy"},
               {"AURSAC", true, "mean system accuracy over the budgets", Column::Best::kHighest},
               {"AURDAC", true, "mean expert accuracy over the budgets", Column::Best::kHighest}},
              {}};
  if (evaluation.policies.size() > 1 && options.bootstrap > 0) {
    table.columns.push_back({"AURSAC minus " + evaluation.policies.front().policy, true});
  }
  table.columns.push_back({"deferred at 0", true, "share of cases with a margin of 0 or more"});
  table.columns.push_back({"accuracy at 0", true});
  for (const double budget : options.budgets) {
    table.columns.push_back(
        {"accuracy at " + percent(budget, 0), true, "", Column::Best::kHighest});
  }
  const auto with_range = [](double value, const Estimate* e) {
    return e == nullptr ? fixed(value, 4)
                        : fmt::format("{} ({}–{})", fixed(value, 4), fixed(e->interval.low, 3),
                                      fixed(e->interval.high, 3));
  };
  for (const PolicyEvaluation& policy : evaluation.policies) {
    std::vector<std::string> row = {
        policy.policy,
        with_range(policy.aursac, policy.intervals ? &policy.intervals->aursac : nullptr),
        policy.aurdac ? with_range(*policy.aurdac, aurdac_interval(policy)) : "–"};
    if (evaluation.policies.size() > 1 && options.bootstrap > 0) {
      row.push_back(policy.difference
                        ? fmt::format("{} ({} to {})", fixed(policy.difference->aursac.value, 4),
                                      fixed(policy.difference->aursac.interval.low, 3),
                                      fixed(policy.difference->aursac.interval.high, 3))
                        : "–");
    }
    row.push_back(percent(policy.at_zero.deferral_rate, 1));
    row.push_back(fixed(policy.at_zero.system_accuracy, 4));
    for (const BudgetPoint& point : policy.at_budgets) {
      row.push_back(fixed(policy.curve.system_accuracy(point.budget), 4));
    }
    table.rows.push_back(std::move(row));
  }
  report.table(table);

  report.section("Experts", "experts");
  for (const PolicyEvaluation& policy : evaluation.policies) {
    if (&policy != &*best) continue;
    BarChart shares;
    shares.title = "Who would be asked, by '" + policy.policy + "'";
    shares.value_label = "share of the cases where the expert has the largest margin";
    shares.unit = Unit::kPercent;
    for (std::size_t j = 0; j < evaluation.experts.size(); ++j) {
      shares.bars.push_back({evaluation.experts[j], policy.share[j]});
    }
    report.chart(shares);
  }
  constexpr std::size_t kMostProfiles = 12;
  for (std::size_t j = 0; j < loaded.roster.size() && j < kMostProfiles; ++j) {
    BarChart profile;
    profile.title = "What is known of " + loaded.roster.names[j];
    profile.value_label = "accuracy by class: posterior mean and 95 % interval";
    profile.unit = Unit::kPercent;
    profile.mark = BarChart::Mark::kDot;
    profile.range = Range{0, 1};
    for (std::size_t k = 0; k < loaded.predictions.classes().size(); ++k) {
      const BetaPosterior& p = loaded.roster.profiles[j].at(class_id(k));
      profile.bars.push_back({loaded.predictions.classes().name(class_id(k)), p.mean(),
                              Range{p.quantile(.025), p.quantile(.975)}});
    }
    report.chart(profile);
  }
  if (loaded.roster.size() > kMostProfiles) {
    report.paragraph(fmt::format("Profiles of {} more experts: ifd profile.",
                                 loaded.roster.size() - kMostProfiles));
  }

  report.section("The classifier", "classifier");
  std::string quality =
      fmt::format("On these cases its log-loss is {} and its expected calibration error {}.",
                  fixed(evaluation.quality.log_loss, 4),
                  fixed(evaluation.quality.expected_calibration_error, 4));
  if (loaded.calibration) {
    const CalibrationReport& c = *loaded.calibration;
    quality += fmt::format(
        " It was recalibrated ({}) on {} context cases, where the log-loss went from {} to {} and "
        "the "
        "calibration error from {} to {}.",
        c.kind, c.cases, fixed(c.before.log_loss, 4), fixed(c.after.log_loss, 4),
        fixed(c.before.expected_calibration_error, 4),
        fixed(c.after.expected_calibration_error, 4));
  }
  report.paragraph(quality);

  report.section("Run it again", "command");
  report.code(command);
  return report.html();
}

}  // namespace ifd::cli
