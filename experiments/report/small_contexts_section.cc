#include "experiments/report/small_contexts_section.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "experiments/claims/wording.h"
#include "experiments/report/small_budgets.h"
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
                  const GroupName& group, const std::string& caption) {
  Table table{caption, {{"method"}}, {}};
  const CellFilter measured{
      .experiment = kSmallContexts, .data = data, .experts = experts, .measure = kAursac};
  const auto sizes = summary.distinct(measured, &Cell::x);
  for (const double size : sizes) {
    table.columns.push_back({fmt::format("{:.0f}", size), true, "", Column::Best::kHighest});
  }
  for (const MethodName& method : in_report_order(summary.distinct(measured, &Cell::method))) {
    std::vector<std::string> row = {method.text()};
    for (const double size : sizes) {
      const auto mean = summary.mean(small_cell(data, experts, group, method, kAursac, size));
      row.push_back(mean ? fixed(mean->value, 3) : "–");
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

// The levels at both ends and what lies between them, on experts of other specialties.
std::string ends_text(const Summary& summary, const DataName& data, const MethodName& method) {
  const auto cell = [&](double answers) {
    return small_cell(data, kVariable, kOod, method, kAursac, answers);
  };
  const auto few = summary.mean(cell(1)), many = summary.mean(cell(15));
  if (!few || !many) return "";
  return fmt::format("{} {} instead of {}, {}", method, fixed(few->value, 3), fixed(many->value, 3),
                     difference_text(summary.difference(cell(1), cell(15))));
}

BudgetRows rows_of_few(const Summary& summary, const DataName& data, const ExpertsName& experts,
                       const GroupName& group) {
  BudgetRows rows{{"method", "answers per class"}, {}};
  CellFilter areas{.experiment = kSmallContexts,
                   .data = data,
                   .experts = experts,
                   .group = group,
                   .measure = kAursac};
  for (const MethodName& method : in_report_order(summary.distinct(areas, &Cell::method))) {
    areas.method = method;
    for (const Cell& cell : summary.cells(areas)) {
      rows.rows.push_back({{method.text(), fmt::format("{:.0f}", cell.x)}, cell});
    }
  }
  return rows;
}

}  // namespace

void write_small_contexts(Document& document, const SectionView& view) {
  if (!begin_section(document, view)) return;
  const Summary& summary = view.summary;
  auto on_page = rows_for_the_page();
  for (const MethodName& method : {kIfdExpected, kIfdResidual, kConformal}) {
    on_page.push_back(method.text());
  }
  for (const DataName& data :
       data_in_report_order(summary.distinct({.experiment = kSmallContexts}, &Cell::data))) {
    std::string ends;
    for (const MethodName& method : {kPlugIn, kPlugInStaffPrior, kIfdPeak, kPopQi, kPopQc}) {
      const std::string text = ends_text(summary, data, method);
      if (!text.empty()) ends += (ends.empty() ? "" : "; ") + text;
    }
    const auto difference = [&](double answers) {
      return difference_text(
          summary.difference(small_cell(data, kVariable, kOod, kPopQc, kAursac, answers),
                             small_cell(data, kVariable, kOod, kPlugIn, kAursac, answers)));
    };
    document.paragraph(fmt::format(
        "{}: 1 to 15 answers per class at test time, nothing trained anew. AURSAC of Variable "
        "experts, OOD, with one answer per class instead of 15: {}. Who hardly loses may hardly "
        "have used the answers: pop-qc minus plug-in is {} with one and {} with 15.",
        data_title(data), ends, difference(1), difference(15)));
    for (const ExpertsName& experts : {kVariable, kStable}) {
      for (const GroupName& group : {kOod, kId}) {
        const bool in_summary = experts == kVariable && group == kOod;
        document.table(
            small_table(summary, data, experts, group,
                        fmt::format("{}, {} experts, {}: AURSAC over all budgets by answers per "
                                    "class",
                                    data_title(data), experts, group_title(group))),
            in_summary ? Document::Reach::kEverywhere : Document::Reach::kPageOnly, on_page);
        write_small_budgets(document, summary,
                            fmt::format("{}, {} experts, {}, few answers", data_title(data),
                                        experts, group_title(group)),
                            rows_of_few(summary, data, experts, group));
      }
    }
  }
  write_rerun(document, view, kSmallContexts, "small-contexts/blood/variable/untrained/cohort-0");
}

}  // namespace ifd::experiments
