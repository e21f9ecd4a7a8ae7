#include "experiments/report/calibration_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "experiments/claims/calibration_gains.h"
#include "experiments/claims/wording.h"
#include "experiments/report/chart_means.h"
#include "ifd/report/html_text.h"

namespace ifd::experiments {
namespace {

constexpr GivenClassifier kKinds[] = {GivenClassifier::kTemperature, GivenClassifier::kBias};

// The raw classifier, then every calibration.
std::vector<Setting> calibrated_classifiers() {
  std::vector<Setting> all = {kRaw};
  for (const GivenClassifier given : kKinds) {
    for (const FittedOn on : kFittedOn) all.push_back(fitted(given, on));
  }
  return all;
}

std::string mean_of_homes(const std::optional<PairedDifference>& mean) {
  return mean ? fixed(mean->mean.value, 3) : "–";
}

Table quality_table(const Summary& summary, const std::string& title,
                    const std::vector<Cell>& places) {
  Table table{title,
              {{"classifier"},
               {"accuracy", true, "", Column::Best::kHighest},
               {"log loss", true, "nats", Column::Best::kLowest},
               {"calibration error", true, "15 bins", Column::Best::kLowest},
               {"plug-in", true, "AURSAC", Column::Best::kHighest},
               {"minus raw", true, "95 % interval, cohorts ahead"},
               {"to 10 %", true, "", Column::Best::kHighest},
               {"to 30 %", true, "", Column::Best::kHighest},
               {"above the model alone", true, "AURSAC, with the same classifier"},
               {"confidence", true, "AURSAC", Column::Best::kHighest}},
              {}};
  for (const Setting& classifier : calibrated_classifiers()) {
    const auto mean = [&](const MeasureName& measure, const MethodName& method = kPlugIn) {
      return mean_at(summary, places, classifier, measure, method);
    };
    const auto area = mean(kAursac), model = mean(kModelAlone);
    if (!area || !model) continue;
    table.rows.push_back(
        {classifier.text(), mean_of_homes(mean(kAccuracy, kModel)),
         mean_of_homes(mean(kLogLoss, kModel)), mean_of_homes(mean(kCalibrationError, kModel)),
         mean_of_homes(area),
         classifier == kRaw ? "" : difference_text(change_at(summary, places, classifier, kRaw)),
         mean_of_homes(mean(kAursacTo10)), mean_of_homes(mean(kAursacTo30)),
         signed_number(area->mean.value - model->mean.value),
         mean_of_homes(mean(kAursac, kConfidence))});
  }
  return table;
}

BarChart calibration_chart(const Summary& summary, const std::vector<DataName>& data) {
  BarChart chart;
  chart.title = "Plug-in with a calibrated classifier minus plug-in with the raw one, AURSAC";
  chart.value_label = "AURSAC gained";
  chart.mark = BarChart::Mark::kDot;
  chart.reference = 0;
  chart.reference_label = "raw";
  std::size_t cohorts = 0;
  for (const DataName& name : data) {
    for (const Setting& classifier : calibrated_classifiers()) {
      const auto change = change_at(summary, homes(summary, name), classifier, kRaw);
      if (classifier == kRaw || !change) continue;
      cohorts = std::max(cohorts, change->mean.count);
      add_dot(chart, fmt::format("{} · {}", data_title(name), classifier), change->mean);
    }
  }
  chart.note = interval_note(cohorts);
  return chart;
}

// Every step of both kinds, in AURSAC or another measure.
Table step_table(const Summary& summary, const std::vector<DataName>& data) {
  Table table{"What a calibration on the context gains or loses in AURSAC of plug-in, step by step",
              {{"data"}, {"calibration"}, {"in all", true, "95 % interval, cohorts ahead"}},
              {}};
  for (const CalibrationStep& step : calibration_steps(GivenClassifier::kBias)) {
    table.columns.push_back({step.suspect, true, "95 % interval, cohorts ahead"});
  }
  for (const DataName& name : data) {
    const std::vector<Cell> places = homes(summary, name);
    for (const GivenClassifier given : kKinds) {
      std::vector<std::string> row = {
          data_title(name), std::string(name_of(given)),
          difference_text(change_at(summary, places, fitted(given, FittedOn::kContext), kRaw))};
      for (const CalibrationStep& step : calibration_steps(given)) {
        row.push_back(difference_text(change_at(summary, places, step.upper, step.lower)));
      }
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

// "temperature of the context: −0.012, of which the classifier was trained on the cases −0.010,
// ..."
std::string told_steps(const Summary& summary, const std::vector<Cell>& places,
                       GivenClassifier given) {
  const auto all = change_at(summary, places, fitted(given, FittedOn::kContext), kRaw);
  if (!all) return "";
  std::vector<std::pair<double, std::string>> parts;
  for (const CalibrationStep& step : calibration_steps(given)) {
    const auto change = change_at(summary, places, step.upper, step.lower);
    if (!change) return "";
    parts.emplace_back(change->mean.value,
                       fmt::format("{} {}", signed_number(change->mean.value), step.suspect));
  }
  std::ranges::sort(parts, {}, [](const auto& part) { return -std::abs(part.first); });
  std::string text =
      fmt::format("{} of the context {}: ", name_of(given), signed_number(all->mean.value));
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? "" : ", ") + parts[i].second;
  return text;
}

std::string told_weights(const Summary& summary, const std::vector<Cell>& places) {
  std::string text;
  for (const GivenClassifier given : kKinds) {
    for (const auto& [weighed, plain] : {std::pair{FittedOn::kWeighedContext, FittedOn::kContext},
                                         {FittedOn::kWeighedBalanced, FittedOn::kBalanced}}) {
      const auto change = change_at(summary, places, fitted(given, weighed), fitted(given, plain));
      if (!change) continue;
      text += fmt::format("{}{} of {} {}", text.empty() ? "" : "; ", name_of(given), name_of(plain),
                          difference_text(change));
    }
  }
  return text;
}

// "raw 0.771, bias of the context 0.740, ..."
std::string told_accuracies(const Summary& summary, const std::vector<Cell>& places) {
  std::string text;
  std::vector<Setting> classifiers = {kRaw};
  for (const FittedOn on : kFittedOn) classifiers.push_back(fitted(GivenClassifier::kBias, on));
  for (const Setting& classifier : classifiers) {
    const auto right = mean_at(summary, places, classifier, kAccuracy, kModel);
    if (!right) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", classifier, mean_of_homes(right));
  }
  return text.empty() ? text : text + "; a temperature changes no answer";
}

void write_calibrations_on(Document& document, const Summary& summary, const DataName& name) {
  const std::vector<Cell> places = homes(summary, name);
  std::string steps;
  for (const GivenClassifier given : kKinds) {
    const std::string told = told_steps(summary, places, given);
    if (!told.empty()) steps += (steps.empty() ? "" : "; ") + told;
  }
  document.paragraph(
      fmt::format("{}, AURSAC of plug-in, the largest part first: {}.", data_title(name), steps),
      Document::Reach::kPageOnly);
  const std::string right = told_accuracies(summary, places);
  document.paragraph(fmt::format(
      "{}{} Weighing the cases so that classes count as often as they occur in training changes "
      "AURSAC of plug-in: {}.",
      data_title(name),
      right.empty() ? "." : fmt::format(", how often the classifier alone is right: {}.", right),
      told_weights(summary, places)));
  document.table(
      quality_table(summary, data_title(name) + ": means over experts and groups", places),
      Document::Reach::kPageOnly);
  for (const Cell& home : places) {
    document.table(quality_table(summary,
                                 fmt::format("{}, {}, {}", data_title(name),
                                             experts_title(home.experts), group_title(home.group)),
                                 {home}),
                   Document::Reach::kPageOnly);
  }
}

}  // namespace

void write_calibration(Document& document, const SectionView& view) {
  if (!begin_section(document, view)) return;
  const Summary& summary = view.summary;
  std::vector<DataName> data;
  for (const Cell& home : homes(summary)) {
    if (std::ranges::count(data, home.data) == 0) data.push_back(home.data);
  }
  document.paragraph(
      "The context carries the truth, so the classifier can be calibrated on it: by a temperature, "
      "or by a temperature and an offset per class (bias). But its cases are ones that the "
      "classifier was trained on, 15 of each class and few. Each calibration is therefore also "
      "fitted on validation cases: balanced like the context (all of a class that has fewer than "
      "15), as many as they come, and all of them. From the context to balanced validation cases "
      "only who trained on them changes, from there to as many as they come only the mixture of "
      "classes, from there to all only their number.");
  document.chart("calibration", calibration_chart(summary, data));
  document.table(step_table(summary, data));
  for (const DataName& name : data) write_calibrations_on(document, summary, name);
  write_rerun(document, view, kCalibration, "calibration/blood/variable/cohort-0");
}

}  // namespace ifd::experiments
