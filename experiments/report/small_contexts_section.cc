#include "experiments/report/small_contexts_section.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "experiments/claims/wording.h"
#include "experiments/result/labels.h"
#include "ifd/report/html_text.h"

namespace ifd::experiments {
namespace {

Cell small_cell(const DataName& data, const ExpertsName& experts, const GroupName& group,
                const MethodName& method, const MeasureName& measure, double answers) {
  return {.experiment = kSmallContexts,
          .data = data,
          .experts = experts,
          .group = group,
          .method = method,
          .scale = kProbability,
          .measure = measure,
          .x = answers};
}

Table small_table(const Summary& summary, const DataName& data, const ExpertsName& experts,
                  const GroupName& group, const MeasureName& measure, const std::string& caption) {
  Table table{caption, {{"method"}}, {}};
  const CellFilter measured{
      .experiment = kSmallContexts, .data = data, .experts = experts, .measure = measure};
  const auto sizes = summary.distinct(measured, &Cell::x);
  for (const double size : sizes) {
    table.columns.push_back({fmt::format("{:.0f}", size), true, "", Column::Best::kHighest});
  }
  for (const MethodName& method : in_report_order(summary.distinct(measured, &Cell::method))) {
    std::vector<std::string> row = {method.text()};
    for (const double size : sizes) {
      const auto mean = summary.mean(small_cell(data, experts, group, method, measure, size));
      row.push_back(mean ? fixed(mean->value, 3) : "–");
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

// What the fewest answers cost a method beside the most, on experts of other specialties.
std::string loss_text(const Summary& summary, const DataName& data, const MethodName& method) {
  const auto cell = [&](double answers) {
    return small_cell(data, kVariable, kOod, method, kAursac, answers);
  };
  return fmt::format("{} {}", method, difference_text(summary.difference(cell(1), cell(15))));
}

}  // namespace

void write_small_contexts(Document& document, const SectionView& view) {
  if (!begin_section(document, view)) return;
  const Summary& summary = view.summary;
  for (const DataName& data :
       data_in_report_order(summary.distinct({.experiment = kSmallContexts}, &Cell::data))) {
    document.paragraph(fmt::format(
        "{}: 1 to 15 answers per class at test time, nothing trained anew. One answer per class "
        "instead of 15 changes the AURSAC of Variable experts, OOD, by: {}; {}; {}; {}.",
        data_title(data), loss_text(summary, data, kPlugIn),
        loss_text(summary, data, kPlugInStaffPrior), loss_text(summary, data, kIfdPeak),
        loss_text(summary, data, kPopQc)));
    for (const ExpertsName& experts : {kVariable, kStable}) {
      for (const GroupName& group : {kOod, kId}) {
        const bool in_summary = experts == kVariable && group == kOod;
        const auto add = [&](const MeasureName& measure, const char* words, Document::Reach reach) {
          document.table(
              small_table(summary, data, experts, group, measure,
                          fmt::format("{}, {} experts, {}: AURSAC {} by answers per "
                                      "class",
                                      data_title(data), experts, group_title(group), words)),
              reach);
        };
        add(kAursac, "over all budgets",
            in_summary ? Document::Reach::kEverywhere : Document::Reach::kPageOnly);
        add(kAursacTo10, "to 10 %", Document::Reach::kPageOnly);
        add(kAursacTo30, "to 30 %", Document::Reach::kPageOnly);
      }
    }
  }
  write_rerun(document, view, kSmallContexts, "small-contexts/blood/variable/untrained/cohort-0");
}

}  // namespace ifd::experiments
