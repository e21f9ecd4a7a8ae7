#include "experiments/report/context_section.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "experiments/claims/wording.h"
#include "experiments/report/chart_means.h"
#include "experiments/report/small_budgets.h"
#include "experiments/result/labels.h"
#include "ifd/report/html_text.h"

namespace ifd::experiments {
namespace {

// Everything in the section is about these.
struct Place {
  DataName data;
  ExpertsName experts;
  std::vector<double> sizes;  // of contexts at test time, ascending

  Cell cell(const GroupName& group, const MethodName& method, const Setting& setting,
            const MeasureName& measure, double size) const {
    return {.experiment = kContextScaling,
            .data = data,
            .experts = experts,
            .group = group,
            .method = method,
            .setting = setting,
            .scale = kProbability,
            .measure = measure,
            .x = size};
  }
};

LineChart size_chart(const Summary& summary, const Place& place, const GroupName& group,
                     std::size_t trained_on) {
  LineChart chart;
  chart.title = fmt::format("{}, {} experts, {}: trained with {} answers", data_title(place.data),
                            place.experts, group_title(group), trained_on);
  chart.x_label = "answers per expert at test time";
  chart.y_label = "AURSAC";
  chart.x_scale = Scale::kLogarithmic;
  const auto cell_of = [&](const MethodName& method) {
    const Setting setting = method == kPlugIn ? Setting() : trained_with(trained_on);
    return place.cell(group, method, setting, kAursac, place.sizes.front());
  };
  for (const MethodName& method : {kIfdPeak, kIfdResidual, kPlugIn, kPopQi, kPopQc}) {
    add_series(chart, series_along_x(summary, cell_of(method), method.text()));
  }
  const auto at_first = summary.mean(cell_of(kPopQc));
  chart.note = interval_note(at_first ? at_first->count : 1);
  return chart;
}

Table size_table(const Summary& summary, const Place& place, const GroupName& group,
                 const MeasureName& measure) {
  Table table{fmt::format("{}, {}: {} by answers per expert at test time", data_title(place.data),
                          group_title(group), measure == kAursac ? "AURSAC" : "AURDAC"),
              {{"method"}, {"trained with"}},
              {}};
  for (const double size : place.sizes)
    table.columns.push_back({fmt::format("{:.0f}", size), true});
  table.columns.push_back({"gain", true, "last minus first"});
  CellFilter measured{.experiment = kContextScaling, .data = place.data, .measure = measure};
  for (const MethodName& method : in_report_order(summary.distinct(measured, &Cell::method))) {
    measured.method = method;
    for (const Setting& setting : summary.distinct(measured, &Cell::setting)) {
      std::vector<std::string> row = {method.text(), setting.empty() ? "–" : setting.text()};
      for (const double size : place.sizes) {
        const auto mean = summary.mean(place.cell(group, method, setting, measure, size));
        row.push_back(mean ? fixed(mean->value, 3) : "–");
      }
      const auto gain =
          summary.difference(place.cell(group, method, setting, measure, place.sizes.back()),
                             place.cell(group, method, setting, measure, place.sizes.front()));
      row.push_back(gain ? signed_number(gain->mean.value) : "–");
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

// Every method at every size.
BudgetRows rows_of_sizes(const Summary& summary, const Place& place, const GroupName& group) {
  BudgetRows rows{{"method", "trained with", "answers"}, {}};
  CellFilter areas{
      .experiment = kContextScaling, .data = place.data, .group = group, .measure = kAursac};
  for (const MethodName& method : in_report_order(summary.distinct(areas, &Cell::method))) {
    areas.method = method;
    for (const Cell& cell : summary.cells(areas)) {
      rows.rows.push_back(
          {{method.text(), cell.setting.text(), fmt::format("{:.0f}", cell.x)}, cell});
    }
  }
  return rows;
}

}  // namespace

void write_context(Document& document, const SectionView& view) {
  if (!begin_section(document, view)) return;
  const Summary& summary = view.summary;
  CellFilter areas{.experiment = kContextScaling, .measure = kAursac};
  const auto sizes = summary.distinct(areas, &Cell::x);
  document.paragraph(fmt::format(
      "Policies trained with n answers per expert meet experts with {:.0f} to {:.0f} of them. "
      "Published: IFD turns more answers into a better system, L2D-Pop stays flat.",
      sizes.front(), sizes.back()));
  for (const DataName& data : summary.distinct(areas, &Cell::data)) {
    areas.data = data;
    const Place place{data, summary.distinct(areas, &Cell::experts).front(), sizes};
    for (const GroupName& group : {kId, kOod}) {
      for (const std::size_t trained_on : {10, 25, 50}) {
        document.chart(fmt::format("context-{}-{}-{}", data, group, trained_on),
                       size_chart(summary, place, group, trained_on));
      }
    }
    // The middle one of the sizes in training stands for the others.
    document.table(size_table(summary, place, kOod, kAursac), Document::Reach::kEverywhere,
                   {trained_with(10).text(), trained_with(50).text()});
    document.table(size_table(summary, place, kId, kAursac), Document::Reach::kPageOnly);
    for (const GroupName& group : {kOod, kId}) {
      document.table(size_table(summary, place, group, kAurdac), Document::Reach::kPageOnly);
      write_small_budgets(document, summary,
                          fmt::format("{}, {}, more answers", data_title(data), group_title(group)),
                          rows_of_sizes(summary, place, group));
    }
  }
  write_rerun(document, view, kContextScaling, "context/blood/variable/ifd-peak-25/cohort-0");
}

}  // namespace ifd::experiments
