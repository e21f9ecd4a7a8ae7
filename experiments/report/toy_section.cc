#include "experiments/report/toy_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "experiments/claims/named_cells.h"
#include "experiments/claims/wording.h"
#include "experiments/report/chart_means.h"
#include "ifd/report/html_text.h"

namespace ifd::experiments {
namespace {

MapPanel described(MapPanel panel, const MethodName& method, const GroupName& group) {
  const auto deferred = std::count_if(
      panel.points.begin(), panel.points.end(),
      [](const MapPoint& point) { return point.state == MapPoint::State::kHighlighted; });
  panel.title = fmt::format("{}, {} expert", method, group_title(group));
  panel.note = fmt::format(
      "defers {} of the cases",
      percent(static_cast<double>(deferred) / static_cast<double>(panel.points.size()), 0));
  return panel;
}

ScatterMap deferral_map(const RunRecord& run) {
  std::map<std::string, MapPanel> panels;
  for (const JobResult& result : run.results) {
    for (const ResultPoint& point : result.points) {
      panels[point.panel].points.push_back(
          {point.x, point.y, static_cast<std::size_t>(point.label),
           point.deferred ? MapPoint::State::kHighlighted : MapPoint::State::kFaint});
    }
  }
  ScatterMap map;
  map.title = "Which cases are deferred at threshold 0";
  map.x_label = "first coordinate";
  map.y_label = "second coordinate";
  map.groups = {"class 0 (inner)", "class 1 (middle)", "class 2 (outer)"};
  map.highlighted_label = "deferred";
  map.faint_label = "kept by the model";
  map.note = "Left the expert knows class 0, as in the training; right class 2.";
  for (const MethodName& method : {kPopQi, kIfdPeak}) {
    for (const GroupName& group : {kId, kOod}) {
      const auto found = panels.find(fmt::format("{}/{}", method, group));
      if (found != panels.end()) map.panels.push_back(described(found->second, method, group));
    }
  }
  return map;
}

std::string moved_title(const Setting& setting) {
  return fmt::format("How far deferrals move to class 2 ({})",
                     setting == kAtBudget ? "30 % of the cases deferred" : "at threshold 0");
}

// How much larger the share of deferrals in class 2 is for the expert who knows it.
std::optional<PairedDifference> move_to_class_2(const Summary& summary, const MethodName& method,
                                                const Setting& setting) {
  return summary.difference(share_in_class(method, kOod, setting, 2),
                            share_in_class(method, kId, setting, 2));
}

std::vector<MethodName> methods_of(const Summary& summary) {
  return in_report_order(summary.distinct({.experiment = kToy, .measure = kAursac}, &Cell::method));
}

BarChart moved_chart(const Summary& summary, const Setting& setting) {
  BarChart chart;
  chart.title = moved_title(setting);
  chart.value_label = "share of the deferrals that lie in class 2, OOD minus ID";
  chart.mark = BarChart::Mark::kDot;
  chart.reference = 0;
  chart.reference_label = "no move";
  std::size_t cohorts = 0;
  for (const MethodName& method : methods_of(summary)) {
    const auto move = move_to_class_2(summary, method, setting);
    if (!move) continue;
    add_dot(chart, method.text(), move->mean,
            method == kIfdPeak ? Emphasis::kStrong : Emphasis::kNormal);
    cohorts = std::max(cohorts, move->mean.count);
  }
  chart.note = interval_note(cohorts);
  return chart;
}

Table moved_table(const Summary& summary, const Setting& setting) {
  Table table{moved_title(setting),
              {{"method"},
               {"in class 0, ID", true},
               {"in class 0, OOD", true},
               {"in class 2, ID", true},
               {"in class 2, OOD", true},
               {"moved to class 2", true, "OOD minus ID"},
               {"AURSAC, ID", true, "", Column::Best::kHighest},
               {"AURSAC, OOD", true, "", Column::Best::kHighest}},
              {}};
  for (const MethodName& method : methods_of(summary)) {
    std::vector<std::string> row = {method.text()};
    for (const int of_class : {0, 2}) {
      for (const GroupName& group : {kId, kOod}) {
        row.push_back(mean_text(summary.mean(share_in_class(method, group, setting, of_class)), 2));
      }
    }
    const auto move = move_to_class_2(summary, method, setting);
    row.push_back(move ? signed_number(move->mean.value) : "–");
    for (const GroupName& group : {kId, kOod}) {
      row.push_back(mean_text(summary.mean({.experiment = kToy,
                                            .data = kRingsData,
                                            .group = group,
                                            .method = method,
                                            .scale = kProbability,
                                            .measure = kAursac})));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

void write_toy(Document& document, const SectionView& view) {
  if (!begin_section(document, view)) return;
  document.paragraph(
      "Policies learn from an expert who is right on 90 % of class 0 and on half of the others. At "
      "test time another such expert is on duty (ID), or one who knows class 2 instead (OOD). A "
      "policy that has learned \"defer class 0\" keeps doing so; one that has learned \"defer what "
      "the expert is good at\" moves.");
  document.chart("toy-map", deferral_map(view.run));
  document.chart("toy-moved", moved_chart(view.summary, kAtBudget));
  document.table(moved_table(view.summary, kAtBudget), Document::Reach::kEverywhere,
                 rows_for_the_page());
  document.table(moved_table(view.summary, kAtThreshold), Document::Reach::kPageOnly);
  write_rerun(document, view, kToy, "toy/ifd-peak/seed-0");
}

}  // namespace ifd::experiments
