#include "experiments/report/rosters_section.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "experiments/claims/wording.h"
#include "experiments/report/small_budgets.h"
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

// "0.907 (8), 0.910 (16), ..." along the sizes of the roster.
std::string along_sizes(const Summary& summary, const DataName& data, const MethodName& method,
                        const Setting& setting) {
  const CellFilter areas{.experiment = kRosters, .data = data, .measure = kAursac};
  std::string text;
  for (const double size : summary.distinct(areas, &Cell::x)) {
    const auto mean = summary.mean(roster_cell(data, method, setting, kAursac, size));
    if (!mean) continue;
    text += fmt::format("{}{} ({:.0f})", text.empty() ? "" : ", ", fixed(mean->value, 3), size);
  }
  return text;
}

// Does choosing the best of many hurt? The largest roster against the one where plug-in is best by
// its means, and what the ceiling does between the two.
std::string told_choice(const Summary& summary, const DataName& data, std::size_t answers) {
  const Setting setting = answers_per_class(answers);
  const CellFilter areas{.experiment = kRosters, .data = data, .measure = kAursac};
  const auto sizes = summary.distinct(areas, &Cell::x);
  const auto at = [&](const MethodName& method, double size) {
    return roster_cell(data, method, setting, kAursac, size);
  };
  double best = sizes.back();
  for (const double size : sizes) {
    const auto here = summary.mean(at(kPlugIn, size)), there = summary.mean(at(kPlugIn, best));
    if (here && there && here->value > there->value) best = size;
  }
  const auto change = [&](const MethodName& method) {
    return difference_text(summary.difference(at(method, sizes.back()), at(method, best)));
  };
  std::string text = fmt::format(
      "With {} answers per class, AURSAC of plug-in is {}, that of the "
      "ceiling {} (by experts).",
      answers, along_sizes(summary, data, kPlugIn, setting),
      along_sizes(summary, data, kCeiling, setting));
  if (best == sizes.back()) return text + " The largest roster is the best one.";
  return text + fmt::format(
                    " {:.0f} experts minus {:.0f}, where plug-in is best by its means: {}; of the "
                    "ceiling {}.",
                    sizes.back(), best, change(kPlugIn), change(kCeiling));
}

BudgetRows rows_of_rosters(const Summary& summary, const DataName& data) {
  BudgetRows rows{{"method", "answers", "experts"}, {}};
  for (const Cell& cell :
       summary.cells({.experiment = kRosters, .data = data, .measure = kAursac})) {
    rows.rows.push_back(
        {{cell.method.text(), cell.setting.text(), fmt::format("{:.0f}", cell.x)}, cell});
  }
  return rows;
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
        "{}: Variable experts, each with luck wholly of their own. Does choosing the best of many "
        "hurt? With 5 answers per class those whom plug-in chooses promise more than they keep, "
        "beyond what everybody does, by {} among 4 and {} among 64. {} {} What helps? Among 64 "
        "with "
        "5 answers per class, AURSAC minus that of plug-in: on lower confidence bounds {}; with "
        "the "
        "staff prior {}.",
        data_title(data), curse(4), curse(64), told_choice(summary, data, 5),
        told_choice(summary, data, 15), against(kPlugInLowerBound), against(kPlugInStaffPrior)));
    document.table(
        roster_table(summary, data, kAursac, data_title(data) + ": AURSAC by experts on duty"),
        Document::Reach::kPageOnly);
    document.table(roster_table(summary, data, kPromisedMinusKept,
                                data_title(data) + ": promised minus kept accuracy of the chosen"),
                   Document::Reach::kPageOnly);
    write_small_budgets(document, summary, data_title(data) + ", large rosters",
                        rows_of_rosters(summary, data));
  }
  write_rerun(document, view, kRosters, "rosters/blood/64-experts/cohort-0");
}

}  // namespace ifd::experiments
