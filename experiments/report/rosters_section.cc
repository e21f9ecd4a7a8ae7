#include "experiments/report/rosters_section.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "experiments/claims/wording.h"
#include "experiments/result/labels.h"
#include "ifd/report/html_text.h"

namespace ifd::experiments {
namespace {

Cell roster_cell(const DataName& data, const MethodName& method, const Setting& setting,
                 const MeasureName& measure, double size) {
  return {.experiment = kRosters,
          .data = data,
          .experts = kVariable,
          .group = kEverybody,
          .method = method,
          .setting = setting,
          .scale = kProbability,
          .measure = measure,
          .x = size};
}

Table roster_table(const Summary& summary, const DataName& data, const MeasureName& measure,
                   const std::string& caption) {
  const CellFilter measured{.experiment = kRosters, .data = data, .measure = measure};
  const auto sizes = summary.distinct(measured, &Cell::x);
  Table table{caption, {{"method"}, {"answers"}}, {}};
  for (const double size : sizes) table.columns.push_back({fmt::format("{:.0f}", size), true});
  for (const MethodName& method : in_report_order(summary.distinct(measured, &Cell::method))) {
    for (const Setting& setting : {answers_per_class(5), answers_per_class(15)}) {
      std::vector<std::string> row = {method.text(), setting.text()};
      for (const double size : sizes) {
        row.push_back(
            mean_text_of(method, summary.mean(roster_cell(data, method, setting, measure, size))));
      }
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

}  // namespace

void write_rosters(Document& document, const SectionView& view) {
  if (!begin_section(document, view)) return;
  const Summary& summary = view.summary;
  for (const DataName& data :
       data_in_report_order(summary.distinct({.experiment = kRosters}, &Cell::data))) {
    const auto against = [&](const MethodName& method) {
      const Setting few = answers_per_class(5);
      return difference_text(summary.difference(roster_cell(data, method, few, kAursac, 64),
                                                roster_cell(data, kPlugIn, few, kAursac, 64)));
    };
    const auto curse = [&](double size) {
      return difference_text(summary.difference(
          roster_cell(data, kPlugIn, answers_per_class(5), kPromisedMinusKept, size),
          roster_cell(data, kPlugIn, answers_per_class(5), kPromisedMinusKeptByAll, size)));
    };
    document.paragraph(fmt::format(
        "{}: experts with luck of their own. With 5 answers per class those whom plug-in chooses "
        "promise more than they keep, beyond what everybody does, by {} among 4 and {} among 64. "
        "Among 64, AURSAC minus that of plug-in: on lower confidence bounds {}; with the staff "
        "prior {}.",
        data_title(data), curse(4), curse(64), against(kPlugInLowerBound),
        against(kPlugInStaffPrior)));
    document.table(
        roster_table(summary, data, kAursac, data_title(data) + ": AURSAC by experts on duty"),
        Document::Reach::kPageOnly);
    document.table(roster_table(summary, data, kPromisedMinusKept,
                                data_title(data) + ": promised minus kept accuracy of the chosen"),
                   Document::Reach::kPageOnly);
  }
  write_rerun(document, view, kRosters, "rosters/blood/64-experts/cohort-0");
}

}  // namespace ifd::experiments
