#include "ifd/router/evaluation_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ifd/evaluation/shown_measure.h"
#include "ifd/policy/policy_calibration.h"
#include "ifd/profile/prior_alone.h"
#include "ifd/report/html_report.h"
#include "ifd/report/html_text.h"
#include "ifd/router/evaluation_words.h"
#include "ifd/router/experts_shown.h"

namespace ifd {
namespace {

constexpr std::size_t kChartPoints = 201;
// Where the curve of the experts' accuracy begins.
constexpr double kLeastBudget = .02;

// "Accuracy", "Cost per case (EUR)"
std::string measure_name(const Evaluation& evaluation) {
  if (!evaluation.cost_unit) return "Accuracy";
  const std::string& unit = evaluation.cost_unit->name();
  return unit.empty() ? "Cost per case" : fmt::format("Cost per case ({})", unit);
}

LineChart accuracy_chart(const Evaluation& evaluation, bool of_experts) {
  LineChart chart;
  const ShownMeasure shown(evaluation);
  const std::string measure = measure_name(evaluation);
  chart.title = fmt::format(
      "{} of {}", measure,
      of_experts ? "the experts on what they were given" : "model and experts together");
  chart.x_label = "deferral budget";
  chart.y_label = shown.is_cost() ? measure : of_experts ? "expert accuracy" : "system accuracy";
  chart.x_range = Range{0, 1};
  chart.x_unit = Unit::kPercent;
  chart.y_unit = shown.is_cost() ? Unit::kNumber : Unit::kPercent;
  for (const PolicyEvaluation& policy : evaluation.policies) {
    Series series;
    series.name = policy.policy;
    if (policy.is_reference || policy.policy == "random") {
      series.emphasis = Emphasis::kQuiet;
    }
    for (const CurvePoint& point :
         policy.curve.points(std::min<std::size_t>(evaluation.cases + 1, kChartPoints))) {
      if (of_experts && point.budget < kLeastBudget) continue;
      series.x.push_back(point.budget);
      series.y.push_back(
          shown.value(of_experts ? point.expert_accuracy.value_or(NAN) : point.system_accuracy));
    }
    chart.series.push_back(std::move(series));
  }
  if (of_experts) {
    chart.note = fmt::format(
        "From a budget of {} on: below it the {} on a handful of cases would set the scale.",
        budget_name(kLeastBudget), shown.key("accuracy"));
  }
  return chart;
}

const PolicyEvaluation& named(const Evaluation& evaluation, const std::string& policy) {
  return *std::find_if(evaluation.policies.begin(), evaluation.policies.end(),
                       [&](const PolicyEvaluation& p) { return p.policy == policy; });
}

// "(95.9–97.2)"; "(100.0)" where both ends read the same, which fits a phone.
std::string range_text(const std::string& low, const std::string& high) {
  return low == high ? fmt::format("({})", low) : fmt::format("({}–{})", low, high);
}

std::string cost_with_range(double share, const Estimate* estimate, const ShownMeasure& shown) {
  const CostUnit& unit = shown.unit();
  if (estimate == nullptr) return unit.number(shown.value(share));
  const Interval ends = shown.value(*estimate).interval;
  return fmt::format("{} {}", unit.number(shown.value(share)),
                     range_text(unit.number(ends.low), unit.number(ends.high)));
}

std::string with_range(double value, const Estimate* estimate, const ShownMeasure& shown) {
  if (shown.is_cost()) return cost_with_range(value, estimate, shown);
  if (estimate == nullptr) return fixed(value, 4);
  return fmt::format(
      "{} {}", fixed(value, 4),
      range_text(fixed(estimate->interval.low, 3), fixed(estimate->interval.high, 3)));
}

std::string percent_with_range(double value, const Estimate* estimate, const ShownMeasure& shown) {
  if (shown.is_cost()) return cost_with_range(value, estimate, shown);
  if (estimate == nullptr) return percent(value, 2);
  return fmt::format(
      "{} {}", percent(value, 2),
      range_text(fixed(100 * estimate->interval.low, 1), fixed(100 * estimate->interval.high, 1)));
}

// References know what no policy can know, and are never marked as the best.
std::vector<const PolicyEvaluation*> in_order(const Evaluation& evaluation) {
  std::vector<const PolicyEvaluation*> policies;
  for (const PolicyEvaluation& policy : evaluation.policies) policies.push_back(&policy);
  std::stable_partition(policies.begin(), policies.end(),
                        [](const PolicyEvaluation* p) { return !p->is_reference; });
  return policies;
}

// ", with 95 % bootstrap intervals over 24 groups"
std::string intervals_named(const Evaluation& evaluation, const EvaluationOptions& options) {
  if (options.bootstrap == 0) return {};
  if (evaluation.groups == 0) return ", with 95 % bootstrap intervals";
  return fmt::format(", with 95 % bootstrap intervals over {} groups", evaluation.groups);
}

// The columns of thresholds, in words above the table: notes in the header would make it taller
// than the rows of a phone.
std::string thresholds_explained(const EvaluationOptions& options) {
  return fmt::format(
      "At threshold 0{} every case whose margin reaches it is deferred; 'deferring' is the share "
      "of the cases that are.",
      options.threshold ? fmt::format(" or {}", *options.threshold) : "");
}

Column::Best best_of(const ShownMeasure& shown) {
  return shown.is_cost() ? Column::Best::kLowest : Column::Best::kHighest;
}

Table accuracy_table(const Evaluation& evaluation, const EvaluationOptions& options) {
  const ShownMeasure shown(evaluation);
  Table table{fmt::format("{} at budgets{}", measure_name(evaluation),
                          intervals_named(evaluation, options)),
              {{"policy"}},
              {}};
  const Column::Best best = best_of(shown);
  for (const double budget : options.budgets) {
    table.columns.push_back({"at " + budget_name(budget), true, "", best});
  }
  table.columns.push_back({"at threshold 0", true, "", best});
  table.columns.push_back({"deferring", true});
  if (options.threshold) {
    table.columns.push_back({fmt::format("at threshold {}", *options.threshold), true, "", best});
    table.columns.push_back({"deferring", true});
  }
  for (const PolicyEvaluation* policy : in_order(evaluation)) {
    std::vector<std::string> row = {policy->policy};
    for (const BudgetPoint& point : policy->at_budgets) {
      row.push_back(percent_with_range(
          point.accuracy, point.estimate ? &point.estimate->accuracy : nullptr, shown));
    }
    row.push_back(percent_with_range(
        policy->at_zero.system_accuracy,
        policy->zero_estimate ? &policy->zero_estimate->accuracy : nullptr, shown));
    row.push_back(percent(policy->at_zero.deferral_rate, 1));
    if (const auto& at = policy->at_threshold) {
      row.push_back(percent_with_range(at->point.system_accuracy,
                                       at->estimate ? &at->estimate->accuracy : nullptr, shown));
      row.push_back(percent(at->point.deferral_rate, 1));
    }
    table.rows.push_back(std::move(row));
    if (policy->is_reference) table.unranked_rows.push_back(table.rows.size() - 1);
  }
  return table;
}

std::string difference_with_range(const Estimate& shares, const ShownMeasure& shown) {
  const Estimate told = shown.difference(shares);
  if (shown.is_cost()) {
    const CostUnit& unit = shown.unit();
    return fmt::format("{} ({} to {})", unit.number(told.value), unit.number(told.interval.low),
                       unit.number(told.interval.high));
  }
  return fmt::format("{} ({} to {})", fixed(told.value, 4), fixed(told.interval.low, 3),
                     fixed(told.interval.high, 3));
}

Table area_table(const Evaluation& evaluation, const EvaluationOptions& options) {
  const bool differences = evaluation.policies.size() > 1 && options.bootstrap > 0;
  const ShownMeasure shown(evaluation);
  const std::string system = shown.is_cost() ? "mean cost" : "AURSAC";
  const std::string expert = shown.is_cost() ? "of experts" : "AURDAC";
  Table table{fmt::format("Means over budgets from {} to {}{}", budget_name(options.d_min),
                          budget_name(options.d_max), intervals_named(evaluation, options)),
              {{"policy"}, {system, true, "", best_of(shown)}, {expert, true, "", best_of(shown)}},
              {}};
  if (evaluation.policies.front().reachable) {
    table.columns.push_back({system + " covered", true, "", best_of(shown)});
    table.columns.push_back({expert + " covered", true, "", best_of(shown)});
  }
  if (differences) {
    table.columns.push_back(
        {fmt::format("{} minus {}", system, evaluation.policies.front().policy), true});
  }
  for (const PolicyEvaluation* policy : in_order(evaluation)) {
    std::vector<std::string> row = {
        policy->policy,
        with_range(policy->aursac, policy->intervals ? &policy->intervals->aursac : nullptr, shown),
        policy->aurdac ? with_range(*policy->aurdac, aurdac_interval(*policy), shown) : "–"};
    if (const auto& areas = policy->reachable) {
      row.push_back(
          with_range(areas->aursac, areas->intervals ? &areas->intervals->aursac : nullptr, shown));
      row.push_back(with_range(
          areas->aurdac,
          areas->intervals && areas->intervals->aurdac ? &*areas->intervals->aurdac : nullptr,
          shown));
    }
    if (differences) {
      row.push_back(policy->difference ? difference_with_range(policy->difference->aursac, shown)
                                       : "–");
    }
    table.rows.push_back(std::move(row));
    if (policy->is_reference) table.unranked_rows.push_back(table.rows.size() - 1);
  }
  return table;
}

// From 0 to 1 in steps of a twentieth: what the points and their intervals need.
Range range_around(const Series& points) {
  constexpr double kSteps = 20;
  double low = 1, high = 0;
  for (const std::vector<double>* values : {&points.x, &points.low, &points.high}) {
    for (const double value : *values) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  return {std::max(0.0, std::floor(kSteps * low - .2) / kSteps),
          std::min(1.0, std::ceil(kSteps * high + .2) / kSteps)};
}

// Promised against realised accuracy of the experts; on the diagonal promises are kept.
LineChart promise_chart(const PolicyEvaluation& policy, bool grouped) {
  constexpr std::size_t kFewestCases = 20;
  Series kept{"realised", {}, {}, {}, {}};
  kept.form = SeriesForm::kPoints;
  for (const Promise::Bin& bin : joined_bins(policy.promise->bins, kFewestCases)) {
    const Interval interval = realised_interval(bin);
    kept.x.push_back(bin.promised);
    kept.y.push_back(bin.realised);
    kept.low.push_back(interval.low);
    kept.high.push_back(interval.high);
    kept.notes.push_back(fmt::format("{} case{}", bin.cases, bin.cases == 1 ? "" : "s"));
  }
  const Range range = range_around(kept);
  Series diagonal{"as promised", {range.low, range.high}, {range.low, range.high}, {}, {}};
  diagonal.emphasis = Emphasis::kQuiet;
  diagonal.form = SeriesForm::kRule;

  LineChart chart;
  chart.title = "What experts promise, and what they keep";
  chart.x_label = "accuracy promised by the profile";
  chart.y_label = "accuracy realised";
  chart.x_range = chart.y_range = range;
  chart.x_unit = chart.y_unit = Unit::kPercent;
  chart.note = fmt::format(
      "{} cases that '{}' defers at threshold 0, in tenths by what was promised; tenths of fewer "
      "than {} cases are joined. The 95 % intervals (Wilson) take cases as independent{}.",
      policy.promise->cases, policy.policy, kFewestCases,
      grouped ? ", so that with groups they are too narrow" : "");
  chart.series = {std::move(kept), std::move(diagonal)};
  return chart;
}

// Of very many experts those with the largest values, and how many more there are.
void show_largest(BarChart& chart) {
  const std::size_t rows = rows_for(chart.bars.size(), ExpertsShown::kMost);
  if (rows == chart.bars.size()) return;
  chart.note = fmt::format("The {} largest; {} more experts in 'ifd evaluate --json'.", rows,
                           chart.bars.size() - rows);
  std::stable_sort(chart.bars.begin(), chart.bars.end(),
                   [](const Bar& a, const Bar& b) { return a.value > b.value; });
  chart.bars.resize(rows);
}

// The share of all cases that each expert could take.
BarChart coverage_chart(const Evaluation& evaluation) {
  BarChart coverage;
  coverage.title = "Who could be asked";
  coverage.value_label = "share of all cases that they could take";
  coverage.unit = Unit::kPercent;
  for (std::size_t j = 0; j < evaluation.experts.size(); ++j) {
    coverage.bars.push_back({evaluation.experts[j], evaluation.expert_coverage[j]});
  }
  show_largest(coverage);
  return coverage;
}

// Who takes what the policy defers where the verdict speaks of it. Where nothing is deferred, who
// would be the first to be asked.
BarChart shares_chart(const PolicyEvaluation& policy, const Evaluation& evaluation) {
  const PointOfUse used = point_of_use(policy);
  std::vector<double> share = shares_of_deferred(*used.point);
  BarChart shares;
  shares.unit = Unit::kPercent;
  shares.title = fmt::format(
      "Who would be asked, by '{}' {}", policy.policy,
      used.budget ? fmt::format("at a budget of {}", budget_name(*used.budget)) : "at threshold 0");
  shares.value_label = "share of the deferred cases";
  if (share.empty()) {
    shares.title =
        fmt::format("Whose margin is largest, by '{}', which defers nothing", policy.policy);
    shares.value_label = "share of all cases";
    share = policy.share;
  }
  for (std::size_t j = 0; j < evaluation.experts.size(); ++j) {
    shares.bars.push_back({evaluation.experts[j], share[j]});
  }
  show_largest(shares);
  return shares;
}

void add_profiles(HtmlReport& report, const Evaluation& evaluation, const Router& router) {
  constexpr std::size_t kMostProfiles = 12;
  for (std::size_t j = 0; j < evaluation.experts.size() && j < kMostProfiles; ++j) {
    const ExpertProfile known = router.profile(evaluation.experts[j]);
    BarChart profile;
    profile.title = "What is known of " + evaluation.experts[j];
    if (!prior_alone(known).empty()) profile.title += ", from the prior alone";
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

// Null where none has that name.
const PolicyEvaluation* find_policy(const Evaluation& evaluation, std::string_view name) {
  const auto found = std::find_if(evaluation.policies.begin(), evaluation.policies.end(),
                                  [&](const PolicyEvaluation& p) { return p.policy == name; });
  return found == evaluation.policies.end() ? nullptr : &*found;
}

// What changes hands because mistakes cost what they cost: the policy that decides by the costs
// beside the one that is blind to them, class by class, at threshold 0.
void add_changes(HtmlReport& report, const Evaluation& evaluation, const Router& router) {
  const PolicyEvaluation* blind = find_policy(evaluation, kCostBlind);
  const PolicyEvaluation& first = evaluation.policies.front();
  if (blind == nullptr || blind == &first || first.by_truth.empty()) return;
  const CostUnit& unit = *evaluation.cost_unit;
  report.section("What the costs change", "costs");
  report.paragraph(fmt::format(
      "'{}' decides by the costs, '{}' as if every mistake were as bad as any other and nobody had "
      "a fee; both pay for what they do. Of the cases of each true class so many go to an expert, "
      "so "
      "many end with a wrong answer, and so much do they cost in all.",
      first.policy, blind->policy));
  Table table{"At threshold 0, by true class",
              {{"truth"},
               {"cases", true},
               {"asked, blind", true},
               {"asked, by costs", true},
               {"wrong, blind", true},
               {"wrong, by costs", true},
               {"cost, blind", true},
               {"cost, by costs", true}},
              {}};
  for (std::size_t y = 0; y < first.by_truth.size(); ++y) {
    const TruthOutcome& was = blind->by_truth[y];
    const TruthOutcome& is = first.by_truth[y];
    table.rows.push_back({router.classes().name(class_id(y)), std::to_string(is.cases),
                          std::to_string(was.deferred), std::to_string(is.deferred),
                          std::to_string(was.wrong), std::to_string(is.wrong),
                          unit.number(was.cost), unit.number(is.cost)});
  }
  report.table(table);
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

std::string evaluation_html(const Evaluation& evaluation, const Verdict& verdict,
                            const EvaluationOptions& options, const Router& router,
                            const std::string& command) {
  const PolicyEvaluation& policy = named(evaluation, verdict.policy);
  const PointOfUse used = point_of_use(policy);
  HtmlReport report("Who should answer: the model or an expert?", verdict.sentences.front());
  const ShownMeasure shown(evaluation);
  const auto figure = [&](double share) {
    return shown.is_cost() ? shown.unit().text(shown.value(share)) : percent(share, 1);
  };
  report.key_figures({{figure(model_share(evaluation, policy)), "model alone",
                       fmt::format("{} cases", evaluation.cases)},
                      {figure(used.accuracy), "model and experts", policy.policy},
                      {percent(used.point->deferral_rate, 1), "asked of experts",
                       fmt::format("{} on the roster", evaluation.experts.size())}});
  for (std::size_t i = 1; i < verdict.sentences.size(); ++i) report.paragraph(verdict.sentences[i]);
  for (const std::string& warning : verdict.warnings) {
    report.paragraph({strong("Watch out: "), plain(warning)});
  }

  report.section(fmt::format("{} at every budget", measure_name(evaluation)), "curves");
  report.paragraph(
      fmt::format("{} At a budget of 20 % the fifth of the cases with the largest margins goes to "
                  "the expert each was matched with; the model answers the rest.",
                  margins_explained(evaluation)));
  report.chart(system_accuracy_chart(evaluation));
  report.chart(accuracy_chart(evaluation, true));

  report.section("Policies", "policies");
  report.paragraph(accuracies_explained(evaluation, options));
  if (evaluation.total_capacity) report.paragraph(capacities_explained(evaluation, options));
  report.paragraph(thresholds_explained(options));
  report.table(accuracy_table(evaluation, options));
  report.paragraph(areas_explained(evaluation, options));
  if (const std::string gaps = coverage_explained(evaluation); !gaps.empty()) {
    report.paragraph(gaps);
  }
  report.table(area_table(evaluation, options));

  add_changes(report, evaluation, router);

  report.section("Experts", "experts");
  report.chart(shares_chart(policy, evaluation));
  if (has_gaps(evaluation)) report.chart(coverage_chart(evaluation));
  if (policy.promise) report.chart(promise_chart(policy, evaluation.groups > 0));
  add_profiles(report, evaluation, router);

  report.section("The classifier", "classifier");
  report.paragraph(classifier_text(evaluation, router));

  report.section("Run it again", "command");
  report.code(command);
  return report.html();
}

}  // namespace ifd
