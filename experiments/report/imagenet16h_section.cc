#include "experiments/report/imagenet16h_section.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "experiments/claims/calibration_gains.h"
#include "experiments/claims/named_cells.h"
#include "experiments/claims/published.h"
#include "experiments/claims/wording.h"
#include "experiments/report/chart_means.h"
#include "experiments/report/small_budgets.h"
#include "ifd/report/html_text.h"

namespace ifd::experiments {
namespace {

using Reach = Document::Reach;

void write_who(Document& document, const Summary& summary) {
  const auto correlation = summary.mean(people_cell(kFingerprintCorrelation));
  if (!correlation) return;
  const auto all = summary.mean(people_cell(kPeopleCount));
  const auto dropped = summary.mean(people_cell(kPeopleDropped));
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
    const auto people = summary.mean(people_cell(kPeopleAccuracy, at_noise(noise)));
    const auto model = summary.mean(people_cell(kModelAccuracy, at_noise(noise)));
    if (!people || !model) continue;
    table.rows.push_back({std::to_string(noise), percent(people->value, 1),
                          percent(*published_people_accuracy(noise), 1), percent(model->value, 1),
                          percent(*published_model_accuracy(noise), 1)});
  }
  document.table(std::move(table), Reach::kPageOnly);
}

// Who is on duty.
struct Duty {
  ExpertsName experts;  // how many people
  GroupName group;

  std::string title() const { return fmt::format("{}, {}", experts, group_title(group)); }
  // The published numbers are those of two people.
  bool is_the_papers() const { return experts == kTwoPeople; }
  Cell area(const MethodName& method, int noise,
            GivenClassifier given = GivenClassifier::kRaw) const {
    return people_area(experts, group, method, noise, given);
  }
};

LineChart noise_chart(const Summary& summary, const Duty& duty) {
  LineChart chart;
  chart.title = duty.title() + ": AURSAC as pictures get noisier";
  chart.x_label = "noise";
  chart.y_label = "AURSAC";
  std::size_t cohorts = 0;
  const auto add = [&](const MethodName& method, GivenClassifier given, std::string name) {
    Series series;
    series.name = std::move(name);
    for (const int noise : kReportedNoises) {
      const auto mean = summary.mean(duty.area(method, noise, given));
      if (!mean) continue;
      cohorts = std::max(cohorts, mean->count);
      add_point(series, noise, *mean);
    }
    add_series(chart, std::move(series));
  };
  for (const MethodName& method : {kIfdPeak, kIfdResidual, kPlugIn, kPopQi, kPopQc}) {
    add(method, GivenClassifier::kRaw, method.text());
  }
  add(kPlugIn, GivenClassifier::kBias, "plug-in, bias");
  chart.note = interval_note(cohorts);
  return chart;
}

Table area_table(const Summary& summary, const Duty& duty, const std::vector<MethodName>& methods) {
  const bool beside_published = duty.is_the_papers();
  Table table{duty.title() + ": AURSAC", {{"method"}}, {}};
  for (const int noise : kReportedNoises) {
    table.columns.push_back({fmt::format("noise {}", noise), true, "", Column::Best::kHighest});
    if (!beside_published) continue;
    table.columns.push_back({"published", true});
    table.columns.push_back({"difference", true});
  }
  for (const MethodName& method : methods) {
    std::vector<std::string> row = {method.text()};
    for (const int noise : kReportedNoises) {
      const Cell cell = duty.area(method, noise);
      const auto mean = summary.mean(cell);
      row.push_back(mean_text_of(method, mean));
      if (!beside_published) continue;
      const auto value = published(cell);
      row.push_back(value ? fixed(value->mean, 2) : "");
      row.push_back(value && mean ? signed_number(mean->value - value->mean) : "");
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table pair_table(const Summary& summary, const Duty& duty) {
  Table table{duty.title() + ": paired differences in AURSAC", {{"pair"}}, {}};
  for (const int noise : kReportedNoises) {
    table.columns.push_back({fmt::format("noise {}", noise), true, "95 % interval, cohorts ahead"});
  }
  const std::pair<MethodName, MethodName> pairs[] = {
      {kIfdPeak, kPopQi},      {kIfdPeak, kPopQc},   {kIfdPeak, kMultiExpert}, {kPlugIn, kIfdPeak},
      {kIfdResidual, kPlugIn}, {kPopQiPerm, kPopQi}, {kPopQcPerm, kPopQc}};
  for (const auto& [a, b] : pairs) {
    std::vector<std::string> row = {fmt::format("{} minus {}", a, b)};
    bool any = false;
    for (const int noise : kReportedNoises) {
      const auto difference = summary.difference(duty.area(a, noise), duty.area(b, noise));
      any = any || difference;
      row.push_back(difference_text(difference));
    }
    if (any) table.rows.push_back(std::move(row));
  }
  return table;
}

void write_areas(Document& document, const Summary& summary, const Duty& duty) {
  const auto methods = in_report_order(summary.distinct({.experiment = kImageNet16H,
                                                         .experts = duty.experts,
                                                         .group = duty.group,
                                                         .measure = kAursac},
                                                        &Cell::method));
  if (methods.empty()) return;
  document.chart(fmt::format("imagenet16h-{}-{}", duty.experts.text().substr(0, 1), duty.group),
                 noise_chart(summary, duty));
  const bool in_summary = duty.is_the_papers() && duty.group == kOod;
  document.table(area_table(summary, duty, methods),
                 in_summary ? Reach::kEverywhere : Reach::kPageOnly, rows_for_the_page());
  for (const int noise : kReportedNoises) {
    write_small_budgets(document, summary, fmt::format("{}, noise {}", duty.title(), noise),
                        rows_by_method(methods, [&](const MethodName& method) {
                          return duty.area(method, noise);
                        }));
  }
  document.table(pair_table(summary, duty), Reach::kPageOnly);
}

constexpr int kShownNoise = kReportedNoises[1];  // the middle one stands for the others

constexpr GivenClassifier kGiven[] = {GivenClassifier::kRaw, GivenClassifier::kTemperature,
                                      GivenClassifier::kBias};

// Of the contexts of two people OOD; those of other groups are other draws.
Table model_table(const Summary& summary) {
  Table table{"How often the model alone is right, two people OOD", {{"noise", true}}, {}};
  for (const GivenClassifier given : kGiven) {
    table.columns.push_back({std::string(name_of(given)), true, "", Column::Best::kHighest});
  }
  for (const int noise : kReportedNoises) {
    std::vector<std::string> row = {std::to_string(noise)};
    for (const GivenClassifier given : kGiven) {
      Cell cell = people_area(kTwoPeople, kOod, kPlugIn, noise, given);
      cell.measure = kModelAlone;
      row.push_back(mean_text(summary.mean(cell)));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string told_model(const Summary& summary) {
  std::string text = "How often the model alone is right, two people OOD:";
  for (const int noise : kReportedNoises) {
    text += fmt::format("{} noise {}", noise == kReportedNoises[0] ? "" : ";", noise);
    for (const GivenClassifier given : kGiven) {
      Cell cell = people_area(kTwoPeople, kOod, kPlugIn, noise, given);
      cell.measure = kModelAlone;
      const auto mean = summary.mean(cell);
      text += fmt::format("{} {} {}", given == kGiven[0] ? "" : ",", name_of(given),
                          mean ? fixed(mean->value, 3) : "–");
    }
  }
  return text + ".";
}

// The methods that were measured with calibrated classifiers.
std::vector<MethodName> calibrated_methods(const Summary& summary, const Duty& duty) {
  return in_report_order(
      summary.distinct({.experiment = kImageNet16H,
                        .experts = duty.experts,
                        .group = duty.group,
                        .setting = at_noise(kReportedNoises[0], GivenClassifier::kTemperature)},
                       &Cell::method));
}

// AURSAC with each classifier, and what it is above the model alone with the same one.
Table classifier_table(const Summary& summary, const Duty& duty, int noise) {
  Table table{fmt::format("{}, noise {}: AURSAC by classifier, and the gain over the model alone "
                          "with the same one",
                          duty.title(), noise),
              {{"method"}},
              {}};
  for (const GivenClassifier given : kGiven) {
    table.columns.push_back({std::string(name_of(given)), true, "", Column::Best::kHighest});
    table.columns.push_back({"gain", true, "95 % interval, cohorts ahead"});
  }
  for (const MethodName& method : calibrated_methods(summary, duty)) {
    std::vector<std::string> row = {method.text()};
    for (const GivenClassifier given : kGiven) {
      const Cell cell = duty.area(method, noise, given);
      Cell model = cell;
      model.measure = kModelAlone;
      row.push_back(mean_text_of(method, summary.mean(cell)));
      row.push_back(difference_text(summary.difference(cell, model)));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

// Of all noise levels in one table.
Table all_classifiers_table(const Summary& summary, const Duty& duty) {
  Table table{duty.title() +
                  ": AURSAC by noise and classifier, in brackets the gain over the "
                  "model alone with the same one",
              {{"method"}},
              {}};
  for (const int noise : kReportedNoises) {
    for (const GivenClassifier given : kGiven) {
      table.columns.push_back(
          {fmt::format("{} {}", noise, name_of(given)), true, "", Column::Best::kHighest});
    }
  }
  for (const MethodName& method : calibrated_methods(summary, duty)) {
    std::vector<std::string> row = {method.text()};
    for (const int noise : kReportedNoises) {
      for (const GivenClassifier given : kGiven) {
        const Cell cell = duty.area(method, noise, given);
        Cell model = cell;
        model.measure = kModelAlone;
        const auto mean = summary.mean(cell);
        const auto gain = summary.difference(cell, model);
        row.push_back(mean && gain ? fmt::format("{} ({})", fixed(mean->value, 3),
                                                 signed_number(gain->mean.value))
                                   : "–");
      }
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

// What a calibration gives plug-in, in its two parts.
Table parts_table(const Summary& summary, const GroupName& group) {
  Table table{fmt::format("Plug-in with a calibrated classifier minus plug-in with the raw one, {} "
                          "people, AURSAC",
                          group_title(group)),
              {{"noise", true},
               {"calibration"},
               {"in all", true, "95 % interval, cohorts ahead"},
               {"the model's own answers", true, "95 % interval, cohorts ahead"},
               {"deferral", true, "95 % interval, cohorts ahead"}},
              {}};
  for (const int noise : kReportedNoises) {
    for (const CalibrationGain& gain : gains_under_shift(summary, {{group, noise}})) {
      table.rows.push_back({std::to_string(noise), std::string(name_of(gain.given)),
                            difference_text(gain.whole), difference_text(gain.of_answers),
                            difference_text(gain.of_deferral)});
    }
  }
  return table;
}

void write_classifiers(Document& document, const Summary& summary) {
  Table parts = parts_table(summary, kOod);
  if (parts.rows.empty()) return;
  document.paragraph(
      "Every method is also given the classifier calibrated on the images of the contexts at the "
      "noise level at hand: by a temperature, or by a temperature and an offset per class (bias). "
      "Policies that were trained on raw probabilities at noise 80 are not trained anew; they read "
      "the calibrated ones, and where they read features, the logarithms of these. Offsets change "
      "the model's own answers, which no deferral has earned. What is deferral's: the model "
      "answers as with offsets while the raw classifier still orders the cases and chooses the "
      "experts, and then the calibrated one orders and chooses, too.");
  document.paragraph(told_model(summary));
  document.table(model_table(summary), Reach::kPageOnly);
  document.table(std::move(parts), Reach::kPageOnly);
  document.table(parts_table(summary, kId), Reach::kPageOnly);
  for (const GroupName& group : {kOod, kId}) {
    const Duty duty{kTwoPeople, group};
    document.table(all_classifiers_table(summary, duty), Reach::kPageOnly);
    for (const int noise : kReportedNoises) {
      const bool in_summary = group == kOod && noise == kShownNoise;
      document.table(classifier_table(summary, duty, noise),
                     in_summary ? Reach::kFolded : Reach::kPageOnly, rows_for_the_page());
    }
  }
}

LineChart sweep_chart(const Summary& summary) {
  LineChart chart;
  chart.title = "Two people, OOD: how specialised they are made";
  chart.x_label = "target accuracy outside the specialty";
  chart.y_label = "AURSAC";
  std::size_t cohorts = 0;
  for (const int noise : kReportedNoises) {
    for (const MethodName& method : {kPlugIn, kPeakRule}) {
      Series series;
      series.name = fmt::format("{}, noise {}", method, noise);
      for (const double low : {.20, .40, .60, .80}) {
        Cell cell = people_area(kTwoPeople, kOod, method, noise);
        // .40 is the setting of all other results and carries no mark of it.
        if (low != .40) cell.setting = at_low_and_noise(low, noise);
        const auto mean = summary.mean(cell);
        if (!mean) continue;
        cohorts = std::max(cohorts, mean->count);
        add_point(series, low, *mean);
      }
      add_series(chart, std::move(series));
    }
  }
  chart.note = interval_note(cohorts);
  return chart;
}

void write_sweep(Document& document, const Summary& summary) {
  document.chart("imagenet16h-sweep", sweep_chart(summary));
  Table table{
      "What the sampling made of its targets (.99 on the specialty, .40 elsewhere)",
      {{"people"}, {"group"}, {"noise", true}, {"on the specialty", true}, {"elsewhere", true}},
      {}};
  for (const ExpertsName& experts : {kTwoPeople, kFourPeople}) {
    for (const GroupName& group : {kSeen, kId, kOod}) {
      for (const int noise : {80, 95, 110, 125}) {
        Cell cell = people_cell(kAccuracyOnSpecialty, at_noise(noise));
        cell.experts = experts;
        cell.group = group;
        const auto on = summary.mean(cell);
        cell.measure = kAccuracyElsewhere;
        const auto off = summary.mean(cell);
        if (!on || !off) continue;
        table.rows.push_back({experts.text(), group_title(group), std::to_string(noise),
                              mean_text(on), mean_text(off)});
      }
    }
  }
  document.paragraph(
      "Only answers that somebody gave can be sampled, so on easy pictures, where everybody is "
      "right, the low target is out of reach and realised accuracies are higher.",
      Reach::kPageOnly);
  document.table(std::move(table), Reach::kPageOnly);
}

// A published number that not even the oracle reaches here cannot come from the same classifier.
void write_out_of_reach(Document& document, const Summary& summary) {
  std::vector<std::string> beyond;
  // The paper's ID people are those of the training.
  const bool has_seen = summary.has({.experiment = kImageNet16H, .group = kSeen});
  for (const GroupName& group : {has_seen ? kSeen : kId, kOod}) {
    for (const int noise : kReportedNoises) {
      const auto theirs = published(people_area(kTwoPeople, group, kIfdPeak, noise));
      const auto oracle = summary.mean(people_area(kTwoPeople, group, kOracle, noise));
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
      "than the data set's own, or other people; compare the order of methods, not the values.",
      fmt::join(beyond, "; ")));
}

}  // namespace

void write_imagenet16h(Document& document, const SectionView& view) {
  if (!begin_section(document, view)) return;
  document.paragraph(
      "Policies learn at noise 80 and decide at 95, 110 and 125, from the data set's own "
      "ResNet-152 "
      "probabilities. ID people specialise in animals and household, OOD people in transport and "
      "tools; two or four of the four on each side are on duty. " +
      who_id_people_are(view.summary));
  write_who(document, view.summary);
  for (const ExpertsName& experts : {kTwoPeople, kFourPeople}) {
    for (const GroupName& group : {kSeen, kId, kOod}) {
      write_areas(document, view.summary, {experts, group});
    }
  }
  write_classifiers(document, view.summary);
  write_out_of_reach(document, view.summary);
  write_sweep(document, view.summary);
  write_rerun(document, view, kImageNet16H, "imagenet16h/two/ifd-peak/cohort-0");
}

}  // namespace ifd::experiments
