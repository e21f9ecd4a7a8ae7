#include "experiments/report/table1_section.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "experiments/claims/named_cells.h"
#include "experiments/claims/published.h"
#include "experiments/claims/wording.h"
#include "experiments/report/chart_means.h"
#include "experiments/report/small_budgets.h"
#include "ifd/report/html_text.h"

namespace ifd::experiments {
namespace {

using Reach = Document::Reach;

std::vector<std::string> published_and_difference(const Cell& cell,
                                                  const std::optional<Mean>& ours) {
  const auto value = published(cell);
  if (!value) return {"", ""};
  return {fixed(value->mean, 2), ours ? signed_number(ours->value - value->mean) : ""};
}

std::vector<MethodName> methods_of(const Summary& summary, const DataName& data,
                                   const ExpertsName& experts) {
  const CellFilter areas{
      .experiment = kTable1, .data = data, .experts = experts, .measure = kAursac};
  return in_report_order(summary.distinct(areas, &Cell::method));
}

Table measure_table(const Summary& summary, const DataName& data, const ExpertsName& experts,
                    const MeasureName& measure, const std::vector<MethodName>& methods) {
  const std::string name = measure == kAursac ? "AURSAC" : "AURDAC";
  Table table{fmt::format("{}, {} experts: {}", data_title(data), experts, name),
              {{"method"},
               {"ID", true, "", Column::Best::kHighest},
               {"published", true},
               {"ours minus", true},
               {"OOD", true, "", Column::Best::kHighest},
               {"published", true},
               {"ours minus", true},
               {"seen", true, "", Column::Best::kHighest}},
              {}};
  for (const MethodName& method : methods) {
    const Cell seen = area(data, experts, kSeen, method, measure);
    const Cell id = area(data, experts, kId, method, measure);
    const Cell ood = area(data, experts, kOod, method, measure);
    std::vector<std::string> row = {method.text()};
    for (const Cell& cell : {id, ood}) {
      const auto mean = summary.mean(cell);
      row.push_back(mean_text_of(method, mean));
      for (std::string& text : published_and_difference(cell, mean)) {
        row.push_back(std::move(text));
      }
    }
    row.push_back(mean_text_of(method, summary.mean(seen)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

void write_measures(Document& document, const Summary& summary, const DataName& data,
                    const ExpertsName& experts) {
  const auto methods = methods_of(summary, data, experts);
  document.table(measure_table(summary, data, experts, kAursac, methods),
                 experts == kVariable ? Reach::kEverywhere : Reach::kPageOnly, rows_for_the_page());
  document.table(measure_table(summary, data, experts, kAurdac, methods), Reach::kPageOnly);
}

void write_scales(Document& document, const Summary& summary, const DataName& data,
                  const ExpertsName& experts) {
  Table table{fmt::format("{}, {} experts: AURSAC by margin scale, and answers of experts used",
                          data_title(data), experts),
              {{"method"},
               {"ID, probability", true},
               {"ID, logit", true},
               {"OOD, probability", true},
               {"OOD, logit", true},
               {"answers used", true, "in training and context of the seen experts"}},
              {}};
  for (const MethodName& method : methods_of(summary, data, experts)) {
    std::vector<std::string> row = {method.text()};
    for (const GroupName& group : {kId, kOod}) {
      for (const ScaleName& scale : {kProbability, kLogit}) {
        Cell cell = area(data, experts, group, method);
        cell.scale = scale;
        row.push_back(mean_text_of(method, summary.mean(cell)));
      }
    }
    const auto used = summary.mean(answers_used(data, experts, method));
    row.push_back(used ? fmt::format("{:.0f}", used->value) : "");
    table.rows.push_back(std::move(row));
  }
  document.table(std::move(table), Reach::kPageOnly);
}

// At the budgets of a practitioner.
void write_dear_experts(Document& document, const Summary& summary, const DataName& data,
                        const ExpertsName& experts) {
  const auto methods = methods_of(summary, data, experts);
  for (const GroupName& group : {kOod, kId, kSeen}) {
    write_small_budgets(
        document, summary,
        fmt::format("{}, {} experts, {}", data_title(data), experts, group_title(group)),
        rows_by_method(
            methods, [&](const MethodName& method) { return area(data, experts, group, method); }));
  }
}

// What the methods that matter gain with few questions, wherever Table 1 was measured.
Table gains_table(const Summary& summary, const MeasureName& measure, const std::string& range) {
  Table table{
      fmt::format("Accuracy gained over the classifier alone, mean over the budgets {}", range),
      {{"data"}, {"experts"}, {"classifier", true}},
      {}};
  const MethodName methods[] = {kIfdPeak, kPlugIn, kPopQi, kPopQc, kCeiling};
  for (const MethodName& method : methods) {
    table.columns.push_back({method.text(), true, "95 % interval, cohorts ahead"});
  }
  for (const DataName& data : table1_data(summary)) {
    for (const ExpertsName& experts : {kVariable, kStable}) {
      for (const GroupName& group : {kOod, kId}) {
        Cell model = area(data, experts, group, kPlugIn, kModelAlone);
        const auto alone = summary.mean(model);
        if (!alone) continue;
        std::vector<std::string> row = {data_title(data),
                                        experts_title(experts) + ", " + group_title(group),
                                        fixed(alone->value, 3)};
        for (const MethodName& method : methods) {
          model.method = method;
          row.push_back(difference_text(
              summary.difference(area(data, experts, group, method, measure), model)));
        }
        table.rows.push_back(std::move(row));
      }
    }
  }
  return table;
}

void write_differences(Document& document, const Summary& summary, const DataName& data,
                       const ExpertsName& experts) {
  BarChart chart;
  chart.title =
      fmt::format("{}, {} experts, OOD: ifd-peak minus others", data_title(data), experts);
  chart.value_label = "difference in AURSAC, paired by cohort";
  chart.mark = BarChart::Mark::kDot;
  chart.reference = 0;
  chart.reference_label = "level";
  Table table{
      fmt::format("{}, {} experts: ifd-peak minus others, AURSAC", data_title(data), experts),
      {{"other method"},
       {"seen", true, "95 % interval, cohorts ahead"},
       {"ID", true, "95 % interval, cohorts ahead"},
       {"OOD", true, "95 % interval, cohorts ahead"}},
      {}};
  std::size_t cohorts = 0;
  for (const MethodName& method : methods_of(summary, data, experts)) {
    if (method == kIfdPeak) continue;
    std::vector<std::string> row = {method.text()};
    for (const GroupName& group : {kSeen, kId, kOod}) {
      const auto difference = summary.difference(area(data, experts, group, kIfdPeak),
                                                 area(data, experts, group, method));
      row.push_back(difference_text(difference));
      if (!difference || group != kOod || is_reference(method)) continue;
      add_dot(chart, method.text(), difference->mean);
      cohorts = std::max(cohorts, difference->mean.count);
    }
    table.rows.push_back(std::move(row));
  }
  chart.note = "Right of the line ifd-peak is ahead. " + interval_note(cohorts);
  document.chart(fmt::format("table1-{}-{}-differences", data, experts), std::move(chart));
  document.table(std::move(table), Reach::kPageOnly);
}

// What methods lose to experts they never saw, beyond what the groups cost anybody.
void write_falls(Document& document, const Summary& summary, const DataName& data,
                 const ExpertsName& experts) {
  Table table{fmt::format("{}, {} experts: from seen to unseen, AURSAC; falls are beyond the "
                          "ceiling's own",
                          data_title(data), experts),
              {{"method"},
               {"seen minus ID", true, "95 % interval, cohorts ahead"},
               {"ID minus OOD", true, "95 % interval, cohorts ahead"},
               {"OOD, minus ifd-peak", true, "95 % interval, cohorts ahead"}},
              {}};
  for (const MethodName& method : {kPopQi, kPopQc, kIfdPeak, kIfdResidual, kPlugIn}) {
    const auto fall = [&](const GroupName& from, const GroupName& to) {
      return difference_text(summary.difference_of_differences(
          area(data, experts, from, method), area(data, experts, to, method),
          area(data, experts, from, kCeiling), area(data, experts, to, kCeiling)));
    };
    const Cell ood = area(data, experts, kOod, method);
    if (!summary.mean(ood)) continue;
    table.rows.push_back({method.text(), fall(kSeen, kId), fall(kId, kOod),
                          method == kIfdPeak ? ""
                                             : difference_text(summary.difference(
                                                   ood, area(data, experts, kOod, kIfdPeak)))});
  }
  document.table(std::move(table), experts == kVariable ? Reach::kEverywhere : Reach::kPageOnly);
}

BarChart ood_chart(const Summary& summary, const DataName& data, const ExpertsName& experts) {
  BarChart dots;
  dots.title = fmt::format("{}, {} experts, OOD: AURSAC", data_title(data), experts);
  dots.value_label = "AURSAC";
  dots.mark = BarChart::Mark::kDot;
  if (const auto alone = summary.mean(classifier_alone(data, experts, kOod))) {
    dots.reference = alone->value;
    dots.reference_label = "classifier alone";
  }
  std::size_t cohorts = 0;
  for (const MethodName& method : methods_of(summary, data, experts)) {
    if (method == kRandom) continue;  // would push the others together
    const auto mean = summary.mean(area(data, experts, kOod, method));
    if (mean) cohorts = std::max(cohorts, mean->count);
    add_dot(dots, method.text(), mean,
            method == kIfdPeak     ? Emphasis::kStrong
            : is_reference(method) ? Emphasis::kQuiet
                                   : Emphasis::kNormal);
  }
  dots.note = interval_note(cohorts);
  return dots;
}

LineChart budget_chart(const Summary& summary, const DataName& data, const ExpertsName& experts,
                       std::string note) {
  LineChart curves;
  curves.title =
      fmt::format("{}, {} experts, OOD: accuracy at every budget", data_title(data), experts);
  curves.x_label = "deferral budget";
  curves.y_label = "system accuracy";
  curves.x_range = Range{0, 1};
  curves.x_unit = curves.y_unit = Unit::kPercent;
  curves.note = std::move(note);
  for (const MethodName& method : {kIfdPeak, kIfdResidual, kPlugIn, kPopQi, kPopQc, kCeiling}) {
    Series series =
        series_along_x(summary, area(data, experts, kOod, method, kSystemAccuracy), method.text());
    if (is_reference(method)) {
      series.emphasis = Emphasis::kQuiet;
      series.low.clear();
      series.high.clear();
    }
    add_series(curves, std::move(series));
  }
  return curves;
}

void write_charts(Document& document, const Summary& summary, const DataName& data,
                  const ExpertsName& experts) {
  BarChart dots = ood_chart(summary, data, experts);
  LineChart curves = budget_chart(summary, data, experts, dots.note);
  document.chart(fmt::format("table1-{}-{}-ood", data, experts), std::move(dots));
  document.chart(fmt::format("table1-{}-{}-budgets", data, experts), std::move(curves));
}

constexpr double kBetter = 0.01;

// "pop-qi variable OOD by 0.04" for each of these methods that is better here than published.
std::vector<std::string> better_than_published(const Summary& summary, const DataName& data,
                                               std::initializer_list<MethodName> methods) {
  std::vector<std::string> better;
  for (const ExpertsName& experts : {kVariable, kStable}) {
    for (const GroupName& group : {kId, kOod}) {
      for (const MethodName& method : methods) {
        const Cell cell = area(data, experts, group, method);
        const auto ours = summary.mean(cell);
        const auto theirs = published(cell);
        if (!ours || !theirs || ours->value <= theirs->mean + kBetter) continue;
        better.push_back(fmt::format("{} {} {} by {}", method, experts, group_title(group),
                                     fixed(ours->value - theirs->mean, 2)));
      }
    }
  }
  return better;
}

std::string what_the_scale_does(const Summary& summary, const DataName& data) {
  const Cell probability = area(data, kVariable, kOod, kPopQi);
  Cell logit = probability;
  logit.scale = kLogit;
  const auto change = summary.difference(probability, logit);
  if (!change) return "";
  return fmt::format(
      " The margin scale {}: pop-qi on Variable OOD experts changes by {} from logits to "
      "probabilities, the published scale.",
      std::abs(change->mean.value) < kBetter ? "explains little of it" : "matters too",
      signed_number(change->mean.value));
}

// Why a baseline is better here than in the paper.
void write_surprises(Document& document, const Summary& summary, const DataName& data) {
  const auto pop = better_than_published(summary, data, {kPopQi, kPopQc});
  const auto multi = better_than_published(summary, data, {kMultiExpert});
  if (pop.empty() && multi.empty()) return;
  std::vector<std::string> all = pop;
  all.insert(all.end(), multi.begin(), multi.end());
  std::string text = fmt::format("Better than published: {}.", fmt::join(all, ", "));
  auto alone = summary.mean(classifier_alone(data, kVariable, kOod));
  if (!alone) alone = summary.mean(classifier_alone(data, kStable, kOod));
  if (!pop.empty()) {
    text += fmt::format(
        " Every method here reads the features and probabilities of a frozen classifier, trained "
        "to the end beforehand{}; a better classifier lifts every curve.",
        alone ? " and alone right on " + percent(alone->value, 1) +
                    " of the test cases, averaged over cohorts"
              : "");
  }
  if (!multi.empty()) {
    text +=
        " Multi-Expert L2D is scored with each expert's own column, its strongest reading, and a "
        "fresh expert with the same specialty takes the seat of the one it was trained with.";
  }
  if (!pop.empty()) text += what_the_scale_does(summary, data);
  document.paragraph(text);
}

}  // namespace

void write_table1(Document& document, const SectionView& view) {
  if (!begin_section(document, view)) return;
  const Summary& summary = view.summary;
  document.paragraph(
      "Simulated specialists, Variable (accuracy falls sharply with difficulty) and Stable "
      "(hardly). "
      "Means ± standard deviations over cohorts on the scale of probabilities, with the published "
      "numbers beside them. Absolute values move with the classifier, so order and gaps count. In "
      "brackets: references that know more than a policy can, or nothing.");
  document.table(gains_table(summary, kAursacTo10, "up to 10 %"));
  document.table(gains_table(summary, kAursacTo30, "up to 30 %"), Reach::kPageOnly);
  for (const DataName& data : table1_data(summary)) {
    for (const ExpertsName& experts : {kVariable, kStable}) {
      if (methods_of(summary, data, experts).empty()) continue;
      const auto alone = summary.mean(classifier_alone(data, experts, kOod));
      document.paragraph(
          {strong(fmt::format("{}, {} experts. ", data_title(data), experts_title(experts))),
           plain(alone ? "The classifier alone is right on " + percent(alone->value, 1) +
                             " of the test cases, averaged over cohorts."
                       : "")},
          Reach::kPageOnly);
      write_charts(document, summary, data, experts);
      write_measures(document, summary, data, experts);
      write_falls(document, summary, data, experts);
      write_dear_experts(document, summary, data, experts);
      write_differences(document, summary, data, experts);
      write_scales(document, summary, data, experts);
    }
    write_surprises(document, summary, data);
  }
  for (const std::string& line : view.run.absent) document.paragraph("Left out: " + line);
  write_rerun(document, view, kTable1, "table1/blood/variable/ifd-peak/cohort-0");
}

}  // namespace ifd::experiments
