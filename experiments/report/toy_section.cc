#include <fmt/format.h>

#include <map>

#include "experiments/claims/wording.h"
#include "experiments/report/sections.h"
#include "ifd/report/html_text.h"

namespace ifd::experiments {
namespace {

Cell share_cell(const std::string& method, const std::string& group, const std::string& setting,
                int of_class) {
  Cell cell;
  cell.experiment = "toy";
  cell.data = "rings";
  cell.group = group;
  cell.method = method;
  cell.setting = setting;
  cell.scale = "probability";
  cell.measure = "share_of_deferred_in_class";
  cell.x = of_class;
  return cell;
}

ScatterMap deferral_map(const StudyRun& run) {
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
  for (const char* method : {"pop-qi", "ifd-peak"}) {
    for (const char* group : {"id", "ood"}) {
      const auto found = panels.find(fmt::format("{}/{}", method, group));
      if (found == panels.end()) continue;
      MapPanel panel = found->second;
      std::size_t deferred = 0;
      for (const MapPoint& p : panel.points) {
        deferred += p.state == MapPoint::State::kHighlighted ? 1 : 0;
      }
      panel.title = fmt::format("{}, {} expert", method, group_title(group));
      panel.note = fmt::format(
          "defers {} of the cases",
          percent(static_cast<double>(deferred) / static_cast<double>(panel.points.size()), 0));
      map.panels.push_back(std::move(panel));
    }
  }
  return map;
}

}  // namespace

void write_toy(StudyDocument& document, const StudyView& view) {
  if (!begin_experiment(document, view, "toy",
                        "Three rings: do deferrals follow the expert's specialty?")) {
    return;
  }
  document.paragraph(
      "Policies learn from an expert who is right on 90 % of class 0 and on half of the others. At "
      "test time another such expert is on duty (ID), or one who knows class 2 instead (OOD). A "
      "policy that has learned \"defer class 0\" keeps doing so; one that has learned \"defer what "
      "the expert is good at\" moves.");
  document.chart("toy-map", deferral_map(view.run));
  const Summary& summary = view.summary;
  CellFilter filter;
  filter.experiment = "toy";
  filter.measure = "aursac";
  const auto methods = in_report_order(summary.distinct(filter, &Cell::method));
  for (const std::string setting : {"budget 0.3", "threshold 0"}) {
    const bool main = setting == "budget 0.3";
    BarChart moved;
    moved.title = fmt::format("How far deferrals move to class 2 ({})",
                              main ? "30 % of the cases deferred" : "at threshold 0");
    moved.value_label = "share of the deferrals that lie in class 2, OOD minus ID";
    moved.mark = BarChart::Mark::kDot;
    moved.reference = 0;
    moved.reference_label = "no move";
    Table table{moved.title,
                {{"method"},
                 {"in class 0, ID", true},
                 {"in class 0, OOD", true},
                 {"in class 2, ID", true},
                 {"in class 2, OOD", true},
                 {"moved to class 2", true, "OOD minus ID"},
                 {"AURSAC, ID", true, "", Column::Best::kHighest},
                 {"AURSAC, OOD", true, "", Column::Best::kHighest}},
                {}};
    std::size_t cohorts = 0;
    for (const std::string& method : methods) {
      const auto move = summary.difference(share_cell(method, "ood", setting, 2),
                                           share_cell(method, "id", setting, 2));
      std::vector<std::string> row = {method};
      for (const int of_class : {0, 2}) {
        for (const char* group : {"id", "ood"}) {
          row.push_back(mean_text(summary.mean(share_cell(method, group, setting, of_class)), 2));
        }
      }
      row.push_back(move ? signed_number(move->mean.value) : "–");
      for (const char* group : {"id", "ood"}) {
        Cell area = share_cell(method, group, "", 0);
        area.measure = "aursac";
        row.push_back(mean_text(summary.mean(area)));
      }
      table.rows.push_back(std::move(row));
      if (!move) continue;
      add_dot(moved, method, move->mean,
              method == "ifd-peak" ? Emphasis::kStrong : Emphasis::kNormal);
      cohorts = std::max(cohorts, move->mean.count);
    }
    moved.note = interval_note(cohorts);
    if (main) document.chart("toy-moved", std::move(moved));
    document.table(std::move(table),
                   main ? StudyDocument::Reach::kEverywhere : StudyDocument::Reach::kPageOnly);
  }
  write_rerun(document, view, "toy", "toy/ifd-peak/seed-0");
}

}  // namespace ifd::experiments
