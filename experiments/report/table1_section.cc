#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/claims/named_cells.h"
#include "experiments/claims/published.h"
#include "experiments/claims/wording.h"
#include "experiments/report/sections.h"
#include "ifd/report/html_text.h"

namespace ifd::experiments {
namespace {

using Reach = StudyDocument::Reach;

std::vector<std::string> published_and_difference(const Cell& cell,
                                                  const std::optional<Mean>& ours) {
  const auto value = published(cell);
  if (!value) return {"", ""};
  return {fixed(value->mean, 2), ours ? signed_number(ours->value - value->mean) : ""};
}

std::vector<std::string> methods_of(const Summary& summary, const std::string& data,
                                    const std::string& experts) {
  CellFilter filter;
  filter.experiment = "table1";
  filter.data = data;
  filter.experts = experts;
  filter.measure = "aursac";
  return in_report_order(summary.distinct(filter, &Cell::method));
}

void write_measure(StudyDocument& document, const Summary& summary, const std::string& data,
                   const std::string& experts, const std::string& measure, Reach reach) {
  const std::string name = measure == "aursac" ? "AURSAC" : "AURDAC";
  Table table{fmt::format("{}, {} experts: {}", data_title(data), experts, name),
              {{"method"},
               {"ID", true, "", Column::Best::kHighest},
               {"published", true},
               {"ours minus", true},
               {"OOD", true, "", Column::Best::kHighest},
               {"published", true},
               {"ours minus", true},
               {"ID minus OOD", true},
               {"seen", true, "", Column::Best::kHighest}},
              {}};
  for (const std::string& method : methods_of(summary, data, experts)) {
    const Cell seen = area(data, experts, "seen", method, measure);
    const Cell id = area(data, experts, "id", method, measure);
    const Cell ood = area(data, experts, "ood", method, measure);
    std::vector<std::string> row = {method};
    for (const Cell& cell : {id, ood}) {
      const auto mean = summary.mean(cell);
      row.push_back(mean_text_of(method, mean));
      for (std::string& text : published_and_difference(cell, mean)) {
        row.push_back(std::move(text));
      }
    }
    const auto fall = summary.difference(id, ood);
    row.push_back(fall ? signed_number(fall->mean.value) : "–");
    row.push_back(mean_text_of(method, summary.mean(seen)));
    table.rows.push_back(std::move(row));
  }
  document.table(std::move(table), reach);
}

void write_scales(StudyDocument& document, const Summary& summary, const std::string& data,
                  const std::string& experts) {
  Table table{fmt::format("{}, {} experts: AURSAC by margin scale, and answers of experts used",
                          data_title(data), experts),
              {{"method"},
               {"ID, probability", true},
               {"ID, logit", true},
               {"OOD, probability", true},
               {"OOD, logit", true},
               {"answers used", true, "in training and context of the seen experts"}},
              {}};
  for (const std::string& method : methods_of(summary, data, experts)) {
    std::vector<std::string> row = {method};
    for (const char* group : {"id", "ood"}) {
      for (const char* scale : {"probability", "logit"}) {
        Cell cell = area(data, experts, group, method);
        cell.scale = scale;
        row.push_back(mean_text_of(method, summary.mean(cell)));
      }
    }
    Cell annotations = area(data, experts, "", method, "annotations");
    annotations.scale = "";
    const auto used = summary.mean(annotations);
    row.push_back(used ? fmt::format("{:.0f}", used->value) : "");
    table.rows.push_back(std::move(row));
  }
  document.table(std::move(table), Reach::kFolded);
}

void write_differences(StudyDocument& document, const Summary& summary, const std::string& data,
                       const std::string& experts) {
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
  for (const std::string& method : methods_of(summary, data, experts)) {
    if (method == "ifd-peak") continue;
    std::vector<std::string> row = {method};
    for (const char* group : {"seen", "id", "ood"}) {
      const auto difference = summary.difference(area(data, experts, group, "ifd-peak"),
                                                 area(data, experts, group, method));
      row.push_back(difference_text(difference));
      if (!difference || std::string(group) != "ood" || is_reference(method)) continue;
      add_dot(chart, method, difference->mean);
      cohorts = std::max(cohorts, difference->mean.count);
    }
    table.rows.push_back(std::move(row));
  }
  chart.note = "Right of the line ifd-peak is ahead. " + interval_note(cohorts);
  document.chart(fmt::format("table1-{}-{}-differences", data, experts), std::move(chart));
  document.table(std::move(table), Reach::kPageOnly);
}

void write_charts(StudyDocument& document, const Summary& summary, const std::string& data,
                  const std::string& experts) {
  BarChart dots;
  dots.title = fmt::format("{}, {} experts, OOD: AURSAC", data_title(data), experts);
  dots.value_label = "AURSAC";
  dots.mark = BarChart::Mark::kDot;
  Cell model = area(data, experts, "ood", "model", "accuracy");
  model.scale = "";
  if (const auto alone = summary.mean(model)) {
    dots.reference = alone->value;
    dots.reference_label = "classifier alone";
  }
  std::size_t cohorts = 0;
  for (const std::string& method : methods_of(summary, data, experts)) {
    if (method == "random") continue;  // would push the others together
    const auto mean = summary.mean(area(data, experts, "ood", method));
    if (mean) cohorts = std::max(cohorts, mean->count);
    add_dot(dots, method, mean,
            method == "ifd-peak"   ? Emphasis::kStrong
            : is_reference(method) ? Emphasis::kQuiet
                                   : Emphasis::kNormal);
  }
  dots.note = interval_note(cohorts);
  document.chart(fmt::format("table1-{}-{}-ood", data, experts), std::move(dots));

  LineChart curves;
  curves.title =
      fmt::format("{}, {} experts, OOD: accuracy at every budget", data_title(data), experts);
  curves.x_label = "deferral budget";
  curves.y_label = "system accuracy";
  curves.x_range = Range{0, 1};
  curves.x_unit = curves.y_unit = Unit::kPercent;
  curves.note = interval_note(cohorts);
  for (const char* method :
       {"ifd-peak", "ifd-residual", "plug-in", "pop-qi", "pop-qc", "ceiling"}) {
    Series series =
        series_along_x(summary, area(data, experts, "ood", method, "system_accuracy"), method);
    if (is_reference(method)) {
      series.emphasis = Emphasis::kQuiet;
      series.low.clear();
      series.high.clear();
    }
    add_series(curves, std::move(series));
  }
  document.chart(fmt::format("table1-{}-{}-budgets", data, experts), std::move(curves));
}

// Why a baseline is better here than in the paper.
void write_surprises(StudyDocument& document, const Summary& summary, const std::string& data) {
  constexpr double kBetter = 0.01;
  std::vector<std::string> better, multi;
  for (const char* experts : {"variable", "stable"}) {
    for (const char* group : {"id", "ood"}) {
      for (const char* method : {"pop-qi", "pop-qc", "multi-expert"}) {
        const Cell cell = area(data, experts, group, method);
        const auto ours = summary.mean(cell);
        const auto theirs = published(cell);
        if (!ours || !theirs || ours->value <= theirs->mean + kBetter) continue;
        auto& to = std::string(method) == "multi-expert" ? multi : better;
        to.push_back(fmt::format("{} {} {} by {}", method, experts, group_title(group),
                                 fixed(ours->value - theirs->mean, 2)));
      }
    }
  }
  if (better.empty() && multi.empty()) return;
  const auto joined = [](const std::vector<std::string>& texts) {
    std::string out;
    for (const std::string& text : texts) out += (out.empty() ? "" : ", ") + text;
    return out;
  };
  std::string text = "Better than published: " + joined(better) +
                     (better.empty() || multi.empty() ? "" : ", ") + joined(multi) + ".";
  Cell model = area(data, "variable", "ood", "model", "accuracy");
  model.scale = "";
  auto alone = summary.mean(model);
  if (!alone) {
    model.experts = "stable";
    alone = summary.mean(model);
  }
  if (!better.empty()) {
    text += fmt::format(
        " Every method here reads the frozen features and probabilities of one classifier, trained "
        "to the end beforehand{}; a better classifier lifts every curve.",
        alone ? " and alone right on " + percent(alone->value, 1) + " of the test cases" : "");
  }
  if (!multi.empty()) {
    text +=
        " Multi-Expert L2D is scored with each expert's own column, its strongest reading, and a "
        "fresh expert with the same specialty takes the seat of the one it was trained with.";
  }
  Cell logit = area(data, "variable", "ood", "pop-qi");
  logit.scale = "logit";
  const auto scales = summary.difference(area(data, "variable", "ood", "pop-qi"), logit);
  if (scales && !better.empty()) {
    text += fmt::format(
        " The margin scale {}: pop-qi on Variable OOD experts changes by {} from logits to "
        "probabilities, the published scale.",
        std::abs(scales->mean.value) < kBetter ? "explains little of it" : "matters too",
        signed_number(scales->mean.value));
  }
  document.paragraph(text);
}

}  // namespace

void write_table1(StudyDocument& document, const StudyView& view) {
  if (!begin_experiment(document, view, "table1",
                        "Table 1: seen, unseen and out-of-distribution experts")) {
    return;
  }
  const Summary& summary = view.summary;
  document.paragraph(
      "Simulated specialists, Variable (accuracy falls sharply with difficulty) and Stable "
      "(hardly). "
      "Means ± standard deviations over cohorts on the scale of probabilities, with the published "
      "numbers beside them. Absolute values move with the classifier, so order and gaps count. In "
      "brackets: references that know more than a policy can, or nothing.");
  for (const std::string& data : table1_data(summary)) {
    for (const std::string experts : {"variable", "stable"}) {
      if (methods_of(summary, data, experts).empty()) continue;
      Cell model = area(data, experts, "ood", "model", "accuracy");
      model.scale = "";
      const auto alone = summary.mean(model);
      document.paragraph({strong(fmt::format("{}, {} experts. ", data_title(data),
                                             experts == "stable" ? "Stable" : "Variable")),
                          plain(alone ? "The classifier alone is right on " +
                                            percent(alone->value, 1) + " of the test cases."
                                      : "")});
      write_charts(document, summary, data, experts);
      write_measure(document, summary, data, experts, "aursac", Reach::kEverywhere);
      write_differences(document, summary, data, experts);
      write_measure(document, summary, data, experts, "aurdac", Reach::kFolded);
      write_scales(document, summary, data, experts);
    }
    write_surprises(document, summary, data);
  }
  for (const std::string& line : view.run.absent) document.paragraph("Left out: " + line);
  write_rerun(document, view, "table1", "table1/blood/variable/ifd-peak/cohort-0");
}

}  // namespace ifd::experiments
