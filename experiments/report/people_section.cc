#include "experiments/report/people_section.h"

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

constexpr int kPeopleNoise[] = {80, 95, 110, 125};

Cell person_cell(const MethodName& method, int noise, const MeasureName& measure) {
  return {.experiment = kPeopleAsTheyAre,
          .data = kImageNet16HData,
          .experts = kEverydayPeople,
          .group = kEverybody,
          .method = method,
          .setting = at_noise(noise),
          .scale = kProbability,
          .measure = measure};
}

Table people_table(const Summary& summary, const MeasureName& measure, const std::string& caption) {
  Table table{caption, {{"method"}}, {}};
  for (const int noise : kPeopleNoise) {
    table.columns.push_back({fmt::format("noise {}", noise), true, "", Column::Best::kHighest});
    table.columns.push_back({"minus plug-in", true, "95 % interval, cohorts ahead"});
  }
  for (const MethodName& method : in_report_order(
           summary.distinct({.experiment = kPeopleAsTheyAre, .measure = measure}, &Cell::method))) {
    std::vector<std::string> row = {method.text()};
    for (const int noise : kPeopleNoise) {
      const Cell cell = person_cell(method, noise, measure);
      row.push_back(mean_text_of(method, summary.mean(cell)));
      row.push_back(method == kPlugIn ? ""
                                      : difference_text(summary.difference(
                                            cell, person_cell(kPlugIn, noise, measure))));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

// Why combining loses here.
std::string told_combined(const Summary& summary) {
  std::string losses;
  for (const int noise : kPeopleNoise) {
    const auto change = summary.difference(person_cell(kPlugInCombined, noise, kAursac),
                                           person_cell(kPlugIn, noise, kAursac));
    if (!change) continue;
    losses += fmt::format("{}{} at noise {}", losses.empty() ? "" : ", ",
                          signed_number(change->mean.value), noise);
  }
  if (losses.empty()) return "";
  return "The classifier is raw here, for all methods. Combined answers take its probabilities at "
         "their word, and where those claim too much that changes AURSAC (" +
         losses +
         " beside final answers); what combining does with a calibrated one stands in the section "
         "on combined answers.";
}

}  // namespace

void write_people(Document& document, const SectionView& view) {
  if (!begin_section(document, view)) return;
  const Summary& summary = view.summary;
  const auto on_duty = summary.mean(person_cell(kModel, kPeopleNoise[0], kPeopleCount));
  document.paragraph(fmt::format(
      "Nobody's answers are sampled: cohorts of about {} people who share nobody, profiled by "
      "their "
      "answers on other pictures of the same noise; only who answered a case competes for it. "
      "Trained policies learn from everybody who is not on duty. L2D-Pop's authors have an "
      "answer of every person on every training picture; here its loss is over those there are, "
      "and contexts are each person's own, without the pictures that are learnt from in the same "
      "batch. Intervals are over cohorts of people and over pictures.",
      on_duty ? fixed(on_duty->value, 0) : "–"));
  if (const std::string told = told_combined(summary); !told.empty()) document.paragraph(told);
  document.table(people_table(summary, kAursac, "ImageNet-16H, people as they are: AURSAC"),
                 Document::Reach::kEverywhere, rows_for_the_page());
  for (const int noise : kPeopleNoise) {
    const auto methods = in_report_order(summary.distinct(
        {.experiment = kPeopleAsTheyAre, .setting = at_noise(noise), .measure = kAursac},
        &Cell::method));
    write_small_budgets(document, summary,
                        fmt::format("ImageNet-16H, people as they are, noise {}", noise),
                        rows_by_method(methods, [&](const MethodName& method) {
                          return person_cell(method, noise, kAursac);
                        }));
  }
  document.table(people_table(summary, kAursacTo30, "ImageNet-16H, people as they are: to 30 %"),
                 Document::Reach::kPageOnly);
  document.table(people_table(summary, kAursacTo10, "ImageNet-16H, people as they are: to 10 %"),
                 Document::Reach::kPageOnly);
  write_rerun(document, view, kPeopleAsTheyAre, "people/untrained/cohort-0");
}

}  // namespace ifd::experiments
