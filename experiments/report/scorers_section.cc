#include "experiments/report/scorers_section.h"

#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "experiments/claims/answer_gains.h"
#include "experiments/claims/wording.h"
#include "experiments/report/chart_means.h"
#include "ifd/report/html_text.h"

namespace ifd::experiments {
namespace {

Cell scorers_cell(const MethodName& method, const Setting& setting, const MeasureName& measure) {
  return {.experiment = kScorers,
          .data = kDodhData,
          .experts = kTwoScorers,
          .group = kEverybody,
          .method = method,
          .setting = setting,
          .scale = kProbability,
          .measure = measure};
}

// Square brackets for a reference, since intervals stand in round ones.
std::string number_of(const MethodName& method, double value) {
  const std::string number = fixed(value, 3);
  return is_reference(method) ? "[" + number + "]" : number;
}

// "0.893 (0.871 to 0.911)"
std::string area_over_recordings(const Summary& summary, const Cell& cell) {
  const auto mean = mean_over_recordings(summary, cell);
  if (!mean) return "–";
  const std::string text = number_of(cell.method, mean->value);
  if (!mean->interval) return text;
  return fmt::format("{} ({} to {})", text, fixed(mean->interval->low, 3),
                     fixed(mean->interval->high, 3));
}

std::string minus_over_recordings(const Summary& summary, const Cell& cell) {
  const auto mean = mean_over_recordings(summary, cell);
  if (!mean) return "–";
  std::string text = signed_number(mean->value);
  if (mean->interval) {
    text += fmt::format(" ({} to {})", signed_number(mean->interval->low),
                        signed_number(mean->interval->high));
  }
  return text;
}

// Two of these people are on duty at a time: as many pairs as were measured, by their names.
struct ScorerCount {
  std::size_t pairs = 0, people = 0;
};
ScorerCount scorer_count(const Summary& summary) {
  std::set<std::string> people;
  ScorerCount count;
  for (const GroupName& group :
       summary.distinct({.experiment = kCombined, .data = kDodhData}, &Cell::group)) {
    const std::size_t plus = group.text().find('+');
    if (plus == std::string::npos) continue;
    ++count.pairs;
    people.insert(group.text().substr(0, plus));
    people.insert(group.text().substr(plus + 1));
  }
  count.people = people.size();
  return count;
}

std::vector<MethodName> scorers_methods(const Summary& summary, const Setting& setting) {
  return in_report_order(summary.distinct(
      {.experiment = kScorers, .setting = setting, .measure = kAursac}, &Cell::method));
}

BarChart scorers_chart(const Summary& summary) {
  BarChart chart;
  chart.title = "DOD-H, two scorers on duty: AURSAC";
  chart.value_label = "AURSAC";
  chart.mark = BarChart::Mark::kDot;
  for (const MethodName& method : scorers_methods(summary, kFifteenPerClass)) {
    add_dot(chart, method.text(),
            mean_over_recordings(summary, scorers_cell(method, kFifteenPerClass, kAursac)),
            is_reference(method) ? Emphasis::kQuiet : Emphasis::kNormal);
  }
  chart.note = "Means over pairs and draws of the contexts; 95 % intervals over recordings.";
  return chart;
}

Table scorers_table(const Summary& summary, const Setting& setting, const std::string& caption) {
  Table table{caption,
              {{"method"},
               {"all budgets", true, "95 % interval over recordings", Column::Best::kHighest},
               {"minus plug-in", true, "95 % interval over recordings"},
               {"to 10 %", true, "", Column::Best::kHighest},
               {"minus plug-in", true},
               {"to 30 %", true, "", Column::Best::kHighest},
               {"minus plug-in", true},
               {"± over draws", true, "standard deviation, all budgets"}},
              {}};
  for (const MethodName& method : scorers_methods(summary, setting)) {
    std::vector<std::string> row = {method.text()};
    for (const MeasureName& measure : {kAursac, kAursacTo10, kAursacTo30}) {
      const Cell cell = scorers_cell(method, setting, measure);
      const Cell minus = scorers_cell(method, setting, minus_plug_in(measure));
      if (measure == kAursac) {
        row.push_back(area_over_recordings(summary, cell));
      } else {
        row.push_back(number_of(method, summary.mean(cell)->value));
      }
      row.push_back(minus_over_recordings(summary, minus));
    }
    const auto mean = summary.mean(scorers_cell(method, setting, kAursac));
    row.push_back(mean && mean->deviation ? fixed(*mean->deviation, 4) : "–");
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

void write_scorers(Document& document, const SectionView& view) {
  if (!begin_section(document, view)) return;
  const Summary& summary = view.summary;
  const auto model = summary.mean(scorers_cell(kModel, kFifteenPerClass, kAccuracy));
  document.paragraph(fmt::format(
      "Nights of sleep, scored by five people; networks voted, and their votes are the model's "
      "probabilities{}. Two of the five are on duty at a time, and the majority of the other "
      "three is the truth; epochs without one are left out. Profiles come from the first half of "
      "the recordings, cases from the second. One temperature, fitted on all past epochs, "
      "calibrates the classifier for all methods. Trained policies never saw the two on duty: they "
      "learn from the other three, on past recordings alone; L2D-Pop, which encodes features, "
      "reads "
      "the logarithms of the votes. The ceiling knows how often each of "
      "the two is right on each class of these very cases; the oracle knows who will be right; "
      "these "
      "references stand in square brackets.",
      model ? fmt::format(" (right on {})", percent(model->value, 1)) : ""));
  const ScorerCount count = scorer_count(summary);
  document.paragraph(fmt::format(
      "Epochs of one night are alike{}. So the intervals resample recordings, each with all its "
      "epochs, and hold the people fixed: they speak of other nights, not of other scorers.",
      count.pairs > 0 ? fmt::format(" and the pairs ({}) are made of a few people ({})",
                                    count.pairs, count.people)
                      : ""));
  document.chart("scorers", scorers_chart(summary));
  document.table(scorers_table(summary, kFifteenPerClass,
                               "DOD-H: AURSAC with 15 answers per scorer and class"));
  document.table(
      scorers_table(summary, kAllPastEpochs, "DOD-H: AURSAC with all past epochs as contexts"),
      Document::Reach::kPageOnly);
  write_rerun(document, view, kScorers, "scorers/untrained/draw-0");
}

}  // namespace ifd::experiments
