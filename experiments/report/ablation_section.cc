#include "experiments/report/ablation_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "experiments/claims/named_cells.h"
#include "experiments/claims/published.h"
#include "experiments/claims/wording.h"
#include "experiments/report/chart_means.h"
#include "experiments/report/small_budgets.h"
#include "ifd/report/html_text.h"

namespace ifd::experiments {
namespace {

using Reach = Document::Reach;

const std::array<MethodName, 3> kVariants = {kIfdPeakLcb, kIfdPeakMean, kIfdPeakBinary};

Cell variant_cell(const DataName& data, const ExpertsName& experts, const GroupName& group,
                  const MethodName& variant, const MeasureName& measure) {
  return {.experiment = kAblation,
          .data = data,
          .experts = experts,
          .group = group,
          .method = variant,
          .scale = kProbability,
          .measure = measure};
}

std::vector<DataName> data_of(const Summary& summary, const MeasureName& measure) {
  return data_in_report_order(summary.distinct(
      {.experiment = kAblation, .scale = kProbability, .measure = measure}, &Cell::data));
}

std::vector<std::string> row_of(const Summary& summary, const DataName& data,
                                const ExpertsName& experts, const GroupName& group,
                                const MeasureName& measure) {
  const auto cell = [&](const MethodName& variant) {
    return variant_cell(data, experts, group, variant, measure);
  };
  std::vector<std::string> row = {data_title(data), experts.text(), group_title(group)};
  for (const MethodName& variant : kVariants) row.push_back(mean_text(summary.mean(cell(variant))));
  const auto alone =
      measure == kAursac ? summary.mean(classifier_alone(data, experts, group)) : std::nullopt;
  row.push_back(alone ? fixed(alone->value, 3) : "–");
  const auto full = published_ablation(data, kIfdPeakLcb, measure);
  for (const MethodName& variant : {kIfdPeakMean, kIfdPeakBinary}) {
    const auto difference = summary.difference(cell(kIfdPeakLcb), cell(variant));
    row.push_back(difference ? signed_number(difference->mean.value) : "–");
    const auto theirs = published_ablation(data, variant, measure);
    row.push_back(full && theirs ? signed_number(full->mean - theirs->mean) : "");
  }
  return row;
}

Table ablation_table(const Summary& summary, const MeasureName& measure) {
  Table table{
      fmt::format("{} over the full budget range", measure == kAursac ? "AURSAC" : "AURDAC"),
      {{"data"},
       {"experts"},
       {"group"},
       {"full", true},
       {"mean", true},
       {"binary", true},
       {"classifier", true},
       {"full minus mean", true},
       {"published", true},
       {"full minus binary", true},
       {"published", true}},
      {}};
  for (const DataName& data : data_of(summary, measure)) {
    for (const ExpertsName& experts : {kVariable, kStable}) {
      for (const GroupName& group : {kSeen, kId, kOod}) {
        if (!summary.mean(variant_cell(data, experts, group, kIfdPeakLcb, measure))) continue;
        table.rows.push_back(row_of(summary, data, experts, group, measure));
      }
    }
  }
  return table;
}

BarChart difference_chart(const Summary& summary, const DataName& data) {
  BarChart chart;
  chart.title = fmt::format("{}: full minus the other weighings, AURSAC", data_title(data));
  chart.value_label = "difference in AURSAC, paired by cohort";
  chart.mark = BarChart::Mark::kDot;
  chart.reference = 0;
  chart.reference_label = "level";
  std::size_t cohorts = 0;
  for (const ExpertsName& experts : {kVariable, kStable}) {
    for (const GroupName& group : {kId, kOod}) {
      for (const auto& [variant, name] :
           {std::pair{kIfdPeakMean, "mean"}, std::pair{kIfdPeakBinary, "binary"}}) {
        const auto difference =
            summary.difference(variant_cell(data, experts, group, kIfdPeakLcb, kAursac),
                               variant_cell(data, experts, group, variant, kAursac));
        if (!difference) continue;
        cohorts = std::max(cohorts, difference->mean.count);
        add_dot(chart, fmt::format("{}, {}, minus {}", experts, group_title(group), name),
                difference->mean);
      }
    }
  }
  chart.note = interval_note(cohorts);
  return chart;
}

// Every weighing against the full one, and that against the classifier alone, over all unseen
// experts.
std::string told_ablation(const Summary& summary) {
  std::vector<Cell> full;
  for (const Cell& cell : summary.cells({.experiment = kAblation,
                          .method = kIfdPeakLcb,
                          .scale = kProbability,
                          .measure = kAursac})) {
    if (cell.group != kSeen) full.push_back(cell);
  }
  const auto minus_variant = [&](const MethodName& variant) {
    std::vector<CellPair> pairs;
    for (const Cell& cell : full) {
      pairs.push_back({cell, cell});
      pairs.back().lower.method = variant;
    }
    return difference_text(summary.mean_difference(pairs));
  };
  const auto minus_classifier = [&](const MeasureName& measure) {
    std::vector<CellPair> pairs;
    for (const Cell& cell : full) {
      pairs.push_back({cell, cell});
      pairs.back().upper.measure = measure;
      pairs.back().lower.measure = kModelAlone;
    }
    return difference_text(summary.mean_difference(pairs));
  };
  return fmt::format(
      "AURSAC over data sets, kinds of experts, ID and OOD together: full minus mean {}; full "
      "minus "
      "0 and 1 {}. Full minus the classifier alone: {} over the budgets to 10 %, {} to 30 %, {} "
      "over "
      "all.",
      minus_variant(kIfdPeakMean), minus_variant(kIfdPeakBinary), minus_classifier(kAursacTo10),
      minus_classifier(kAursacTo30), minus_classifier(kAursac));
}

// Everybody on everything.
BudgetRows ablation_rows(const Summary& summary) {
  BudgetRows rows{{"data", "experts", "group", "weighing"}, {}};
  for (const DataName& data : data_of(summary, kAursac)) {
    for (const ExpertsName& experts : {kVariable, kStable}) {
      for (const GroupName& group : {kSeen, kId, kOod}) {
        for (const MethodName& variant : kVariants) {
          rows.rows.push_back(
              {{data_title(data), experts.text(), group_title(group), variant.text()},
               variant_cell(data, experts, group, variant, kAursac)});
        }
      }
    }
  }
  return rows;
}

}  // namespace

void write_ablation(Document& document, const SectionView& view) {
  if (!begin_section(document, view)) return;
  document.paragraph(
      "The paper's loss with deferrals weighed by the lower confidence bound (full), the posterior "
      "mean, or 0 and 1, and the classifier alone. The published ablation is on another scale than "
      "the paper's own Table 1, so compare the differences between variants, not the values.");
  document.paragraph(told_ablation(view.summary));
  document.table(ablation_table(view.summary, kAursac), Reach::kPageOnly);
  write_small_budgets(document, view.summary, "Weighing of deferrals", ablation_rows(view.summary));
  document.table(ablation_table(view.summary, kAurdac), Reach::kPageOnly);
  for (const DataName& data : data_of(view.summary, kAursac)) {
    document.chart(fmt::format("lcb-{}", data), difference_chart(view.summary, data));
  }
  write_rerun(document, view, kAblation, "lcb/blood/variable/ifd-peak-lcb/seed-0");
}

}  // namespace ifd::experiments
