#include "cli/evaluation_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ifd/policy/policy_calibration.h"
#include "ifd/report/html_report.h"
#include "ifd/report/html_text.h"

namespace ifd::cli {
namespace {

constexpr std::size_t kChartPoints = 201;

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
         policy.curve.points(std::min<std::size_t>(evaluation.cases + 1, kChartPoints))) {
      series.x.push_back(point.budget);
      series.y.push_back(of_experts ? point.expert_accuracy.value_or(NAN) : point.system_accuracy);
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

// References know what no policy can know, and are never the best.
const PolicyEvaluation& best_of(const Evaluation& evaluation) {
  return *std::max_element(evaluation.policies.begin(), evaluation.policies.end(),
                           [](const PolicyEvaluation& a, const PolicyEvaluation& b) {
                             const auto rank = [](const PolicyEvaluation& p) {
                               return p.policy == "oracle" || p.policy == "ceiling" ? -1.0
                                                                                    : p.aursac;
                             };
                             return rank(a) < rank(b);
                           });
}

Table policy_table(const Evaluation& evaluation, const EvaluationOptions& options) {
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
  return table;
}

BarChart shares_chart(const PolicyEvaluation& policy, const Evaluation& evaluation) {
  BarChart shares;
  shares.title = "Who would be asked, by '" + policy.policy + "'";
  shares.value_label = "share of the cases where the expert has the largest margin";
  shares.unit = Unit::kPercent;
  for (std::size_t j = 0; j < evaluation.experts.size(); ++j) {
    shares.bars.push_back({evaluation.experts[j], policy.share[j]});
  }
  return shares;
}

void add_profiles(HtmlReport& report, const Evaluation& evaluation, const Router& router) {
  constexpr std::size_t kMostProfiles = 12;
  for (std::size_t j = 0; j < evaluation.experts.size() && j < kMostProfiles; ++j) {
    const ExpertProfile known = router.profile(evaluation.experts[j]);
    BarChart profile;
    profile.title = "What is known of " + evaluation.experts[j];
    profile.value_label = "accuracy by class: posterior mean and 95 % interval";
    profile.unit = Unit::kPercent;
    profile.mark = BarChart::Mark::kDot;
    profile.range = Range{0, 1};
    for (std::size_t k = 0; k < router.classes().size(); ++k) {
      const BetaPosterior& p = known.at(class_id(k));
      profile.bars.push_back({router.classes().name(class_id(k)), p.mean(),
                              Range{p.quantile(.025), p.quantile(.975)}});
    }
    report.chart(profile);
  }
  if (evaluation.experts.size() > kMostProfiles) {
    report.paragraph(fmt::format("Profiles of {} more experts: ifd profile.",
                                 evaluation.experts.size() - kMostProfiles));
  }
}

std::string classifier_text(const Evaluation& evaluation, const Router& router) {
  std::string quality =
      fmt::format("On these cases its log-loss is {} and its expected calibration error {}.",
                  fixed(evaluation.quality.log_loss, 4),
                  fixed(evaluation.quality.expected_calibration_error, 4));
  if (const auto c = router.options_calibration()) {
    quality += fmt::format(
        " It was recalibrated ({}) on {} context cases, where the log-loss went from {} to {} and "
        "the "
        "calibration error from {} to {}.",
        word_for(c->kind), c->cases, fixed(c->before->log_loss, 4), fixed(c->after->log_loss, 4),
        fixed(c->before->expected_calibration_error, 4),
        fixed(c->after->expected_calibration_error, 4));
  }
  return quality;
}

}  // namespace

LineChart system_accuracy_chart(const Evaluation& evaluation) {
  return accuracy_chart(evaluation, false);
}

std::string evaluation_html(const Evaluation& evaluation, const EvaluationOptions& options,
                            const Router& router, const std::string& command) {
  const PolicyEvaluation& best = best_of(evaluation);
  HtmlReport report(
      "Who should answer: the model or an expert?",
      fmt::format("{} cases, {} experts. The model alone is right on {} of the cases; '{}' reaches "
                  "{} on average over all deferral budgets.",
                  evaluation.cases, evaluation.experts.size(),
                  percent(evaluation.model_accuracy, 1), best.policy, percent(best.aursac, 1)));
  report.key_figures({{fixed(best.aursac, 3), "AURSAC", best.policy},
                      {best.aurdac ? fixed(*best.aurdac, 3) : "–", "AURDAC", best.policy},
                      {percent(evaluation.model_accuracy, 1), "model alone", "no case deferred"}});

  report.section("Accuracy at every budget", "curves");
  report.paragraph(
      "At a budget of 20 % the fifth of the cases with the largest margins goes to the expert each "
      "was matched with; the model answers the rest.");
  report.chart(system_accuracy_chart(evaluation));
  report.chart(accuracy_chart(evaluation, true));

  report.section("Policies", "policies");
  report.table(policy_table(evaluation, options));

  report.section("Experts", "experts");
  report.chart(shares_chart(best, evaluation));
  add_profiles(report, evaluation, router);

  report.section("The classifier", "classifier");
  report.paragraph(classifier_text(evaluation, router));

  report.section("Run it again", "command");
  report.code(command);
  return report.html();
}

}  // namespace ifd::cli
