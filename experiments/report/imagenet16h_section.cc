#include <fmt/format.h>

#include <algorithm>

#include "experiments/claims/named_cells.h"
#include "experiments/claims/published.h"
#include "experiments/claims/wording.h"
#include "experiments/report/sections.h"
#include "ifd/report/html_text.h"

namespace ifd::experiments {
namespace {

using Reach = StudyDocument::Reach;

void write_who(StudyDocument& document, const Summary& summary) {
  const auto correlation = summary.mean(people_cell("fingerprint_correlation"));
  if (!correlation) return;
  const auto all = summary.mean(people_cell("people"));
  const auto dropped = summary.mean(people_cell("people_dropped"));
  document.paragraph(fmt::format(
      "{:.0f} people answered; the low-skill filter dropped {:.0f}. Their fingerprints (row-"
      "normalised confusion matrices) correlate by {} on average (published {}): people differ in "
      "skill, hardly in specialty, so specialists are made by sampling among real answers (target "
      "accuracies .99 on the specialty, .40 elsewhere).",
      all ? all->value : 0, dropped ? dropped->value : 0, fixed(correlation->value, 3),
      fixed(kPublishedFingerprintCorrelation, 3)));
  Table table{"How often people and the model are right",
              {{"noise", true},
               {"people", true},
               {"published", true},
               {"model", true},
               {"published", true}},
              {}};
  for (const int noise : {80, 95, 110, 125}) {
    const std::string setting = fmt::format("noise={}", noise);
    const auto people = summary.mean(people_cell("people_accuracy", setting));
    const auto model = summary.mean(people_cell("model_accuracy", setting));
    if (!people || !model) continue;
    table.rows.push_back({std::to_string(noise), percent(people->value, 1),
                          percent(*published_people_accuracy(noise), 1), percent(model->value, 1),
                          percent(*published_model_accuracy(noise), 1)});
  }
  document.table(std::move(table));
}

void write_areas(StudyDocument& document, const Summary& summary, const std::string& experts,
                 const std::string& group) {
  CellFilter filter;
  filter.experiment = "imagenet16h";
  filter.experts = experts;
  filter.group = group;
  filter.measure = "aursac";
  const auto methods = in_report_order(summary.distinct(filter, &Cell::method));
  if (methods.empty()) return;
  const bool main = experts == "2 people";
  LineChart chart;
  chart.title = fmt::format("{}, {}: AURSAC as pictures get noisier", experts, group_title(group));
  chart.x_label = "noise";
  chart.y_label = "AURSAC";
  std::size_t cohorts = 0;
  for (const char* method :
       {"ifd-peak", "ifd-residual", "plug-in", "pop-qi", "pop-qc", "plug-in-context-calibrated"}) {
    Series series;
    series.name = method;
    for (const int noise : kReportedNoises) {
      const auto mean = summary.mean(people_area(experts, group, method, noise));
      if (!mean) continue;
      cohorts = std::max(cohorts, mean->count);
      add_point(series, noise, *mean);
    }
    add_series(chart, std::move(series));
  }
  chart.note = interval_note(cohorts);
  document.chart(fmt::format("imagenet16h-{}-{}", experts.substr(0, 1), group), std::move(chart));

  Table table{fmt::format("{}, {}: AURSAC", experts, group_title(group)), {{"method"}}, {}};
  for (const int noise : kReportedNoises) {
    table.columns.push_back({fmt::format("noise {}", noise), true, "", Column::Best::kHighest});
    if (!main) continue;
    table.columns.push_back({"published", true});
    table.columns.push_back({"difference", true});
  }
  for (const std::string& method : methods) {
    std::vector<std::string> row = {method};
    for (const int noise : kReportedNoises) {
      const Cell cell = people_area(experts, group, method, noise);
      const auto mean = summary.mean(cell);
      row.push_back(mean_text_of(method, mean));
      if (!main) continue;
      const auto value = published(cell);
      row.push_back(value ? fixed(value->mean, 2) : "");
      row.push_back(value && mean ? signed_number(mean->value - value->mean) : "");
    }
    table.rows.push_back(std::move(row));
  }
  document.table(std::move(table), main ? Reach::kEverywhere : Reach::kFolded);

  Table pairs{fmt::format("{}, {}: paired differences in AURSAC", experts, group_title(group)),
              {{"pair"}},
              {}};
  for (const int noise : kReportedNoises) {
    pairs.columns.push_back({fmt::format("noise {}", noise), true, "95 % interval, cohorts ahead"});
  }
  constexpr std::pair<const char*, const char*> kPairs[] = {
      {"ifd-peak", "pop-qi"},
      {"ifd-peak", "pop-qc"},
      {"ifd-peak", "multi-expert"},
      {"plug-in", "ifd-peak"},
      {"ifd-residual", "plug-in"},
      {"pop-qi-perm", "pop-qi"},
      {"pop-qc-perm", "pop-qc"},
      {"plug-in-temperature", "plug-in"},
      {"plug-in-context-calibrated", "plug-in"}};
  for (const auto& [a, b] : kPairs) {
    std::vector<std::string> row = {fmt::format("{} minus {}", a, b)};
    bool any = false;
    for (const int noise : kReportedNoises) {
      const auto difference = summary.difference(people_area(experts, group, a, noise),
                                                 people_area(experts, group, b, noise));
      any = any || difference;
      row.push_back(difference_text(difference));
    }
    if (any) pairs.rows.push_back(std::move(row));
  }
  document.table(std::move(pairs), Reach::kPageOnly);
}

void write_sweep(StudyDocument& document, const Summary& summary) {
  LineChart chart;
  chart.title = "Two people, OOD: how specialised they are made";
  chart.x_label = "target accuracy outside the specialty";
  chart.y_label = "AURSAC";
  std::size_t cohorts = 0;
  for (const int noise : kReportedNoises) {
    for (const char* method : {"plug-in", "peak-rule"}) {
      Series series;
      series.name = fmt::format("{}, noise {}", method, noise);
      for (const double low : {.20, .40, .60, .80}) {
        Cell cell = people_area("2 people", "ood", method, noise);
        // .40 is the setting of all other results and carries no mark of it.
        if (low != .40) cell.setting = fmt::format("low={:.2f} {}", low, cell.setting);
        const auto mean = summary.mean(cell);
        if (!mean) continue;
        cohorts = std::max(cohorts, mean->count);
        add_point(series, low, *mean);
      }
      add_series(chart, std::move(series));
    }
  }
  chart.note = interval_note(cohorts);
  document.chart("imagenet16h-sweep", std::move(chart));

  Table table{
      "What the sampling made of its targets (.99 on the specialty, .40 elsewhere)",
      {{"people"}, {"group"}, {"noise", true}, {"on the specialty", true}, {"elsewhere", true}},
      {}};
  for (const char* experts : {"2 people", "4 people"}) {
    for (const char* group : {"id", "ood"}) {
      for (const int noise : {80, 95, 110, 125}) {
        Cell cell = people_cell("accuracy_on_specialty", fmt::format("noise={}", noise));
        cell.experts = experts;
        cell.group = group;
        const auto on = summary.mean(cell);
        cell.measure = "accuracy_elsewhere";
        const auto off = summary.mean(cell);
        if (!on || !off) continue;
        table.rows.push_back(
            {experts, group_title(group), std::to_string(noise), mean_text(on), mean_text(off)});
      }
    }
  }
  document.paragraph(
      "Only answers that somebody gave can be sampled, so on easy pictures, where everybody is "
      "right, the low target is out of reach and realised accuracies are higher.");
  document.table(std::move(table), Reach::kFolded);
}

// A published number that not even the oracle reaches here cannot come from the same classifier.
void write_out_of_reach(StudyDocument& document, const Summary& summary) {
  std::vector<std::string> beyond;
  for (const char* group : {"id", "ood"}) {
    for (const int noise : kReportedNoises) {
      const Cell cell = people_area("2 people", group, "ifd-peak", noise);
      const auto theirs = published(cell);
      const auto oracle = summary.mean(people_area("2 people", group, "oracle", noise));
      if (!theirs || !oracle || theirs->mean <= oracle->value) continue;
      beyond.push_back(fmt::format("noise {}, {}: {} against {}", noise, group_title(group),
                                   fixed(theirs->mean, 2), fixed(oracle->value, 3)));
    }
  }
  if (beyond.empty()) return;
  document.paragraph(fmt::format(
      "Published values of ifd-peak are above what our oracle reaches, who knows whether each "
      "person and the model are right ({}). No policy can get there with these probabilities and "
      "these answers, so the published system must have had a classifier that stands noise better "
      "than the study's own, or other people; compare the order of methods, not the values.",
      fmt::join(beyond, "; ")));
}

}  // namespace

void write_imagenet16h(StudyDocument& document, const StudyView& view) {
  if (!begin_experiment(document, view, "imagenet16h",
                        "ImageNet-16H: real people, noisier and noisier pictures")) {
    return;
  }
  document.paragraph(
      "Policies learn at noise 80 and decide at 95, 110 and 125, from the study's own ResNet-152 "
      "probabilities. ID people specialise in animals and household, OOD people in transport and "
      "tools; two or four are on duty.");
  write_who(document, view.summary);
  for (const char* experts : {"2 people", "4 people"}) {
    for (const char* group : {"id", "ood"}) write_areas(document, view.summary, experts, group);
  }
  write_out_of_reach(document, view.summary);
  write_sweep(document, view.summary);
  write_rerun(document, view, "imagenet16h", "imagenet16h/two/ifd-peak/cohort-0");
}

}  // namespace ifd::experiments
