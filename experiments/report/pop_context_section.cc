#include "experiments/report/pop_context_section.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "experiments/claims/wording.h"
#include "experiments/result/labels.h"
#include "ifd/report/html_text.h"

namespace ifd::experiments {
namespace {

constexpr const char* kIntervalWords = "95 % interval, cohorts ahead";

Cell pop_context_cell(const Cell& place, const GroupName& group, const Setting& contexts) {
  Cell cell = place;
  cell.group = group;
  cell.setting = contexts;
  return cell;
}

// Every place is a data set, experts and method; the group and where contexts come from are open.
std::vector<Cell> pop_context_places(const Summary& summary, const DataName& data,
                                     const ExpertsName& experts, const MeasureName& measure) {
  std::vector<Cell> places;
  const CellFilter here{.experiment = kPopContext, .data = data, .experts = experts};
  for (const MethodName& method : in_report_order(summary.distinct(here, &Cell::method))) {
    places.push_back({.experiment = kPopContext,
                      .data = data,
                      .experts = experts,
                      .method = method,
                      .scale = kProbability,
                      .measure = measure});
  }
  return places;
}

Table pop_context_table(const Summary& summary, const DataName& data, const ExpertsName& experts,
                        const MeasureName& measure, const std::string& words) {
  Table table{fmt::format("{}, {} experts: {} by where L2D-Pop's training contexts come from",
                          data_title(data), experts_title(experts), words),
              {{"method"},
               {"group"},
               {"all cases", true, "", Column::Best::kHighest},
               {"the pool", true, "", Column::Best::kHighest},
               {"all minus pool", true, kIntervalWords}},
              {}};
  for (const Cell& place : pop_context_places(summary, data, experts, measure)) {
    for (const GroupName& group : {kSeen, kId, kOod}) {
      const Cell all = pop_context_cell(place, group, kAllCasesContexts);
      const Cell pool = pop_context_cell(place, group, kPoolContexts);
      table.rows.push_back({place.method.text(), group_title(group), mean_text(summary.mean(all)),
                            mean_text(summary.mean(pool)),
                            difference_text(summary.difference(all, pool))});
    }
  }
  return table;
}

// How much better those are served whom a policy learnt with than others with their specialties.
Table familiarity_table(const Summary& summary, const DataName& data) {
  Table table{data_title(data) + ": AURSAC of seen minus ID experts",
              {{"method"},
               {"experts"},
               {"all cases", true, kIntervalWords},
               {"the pool", true, kIntervalWords},
               {"all minus pool", true, kIntervalWords}},
              {}};
  for (const ExpertsName& experts : {kVariable, kStable}) {
    for (const Cell& place : pop_context_places(summary, data, experts, kAursac)) {
      const auto of = [&](const GroupName& group, const Setting& contexts) {
        return pop_context_cell(place, group, contexts);
      };
      const auto seen_minus_id = [&](const Setting& contexts) {
        return difference_text(summary.difference(of(kSeen, contexts), of(kId, contexts)));
      };
      table.rows.push_back({place.method.text(), experts_title(experts),
                            seen_minus_id(kAllCasesContexts), seen_minus_id(kPoolContexts),
                            difference_text(summary.difference_of_differences(
                                of(kSeen, kAllCasesContexts), of(kId, kAllCasesContexts),
                                of(kSeen, kPoolContexts), of(kId, kPoolContexts)))});
    }
  }
  return table;
}

// "pop-qi seen +0.012 (...), ID ...": of Variable experts.
std::string told_of_contexts(const Summary& summary, const DataName& data) {
  std::string text;
  for (const Cell& place : pop_context_places(summary, data, kVariable, kAursac)) {
    text += (text.empty() ? "" : "; ") + place.method.text();
    for (const GroupName& group : {kSeen, kId, kOod}) {
      text += fmt::format(
          "{} {} {}", group == kSeen ? "" : ",", group_title(group),
          difference_text(summary.difference(pop_context_cell(place, group, kAllCasesContexts),
                                             pop_context_cell(place, group, kPoolContexts))));
    }
  }
  return text;
}

}  // namespace

void write_pop_context(Document& document, const SectionView& view) {
  if (!begin_section(document, view)) return;
  const Summary& summary = view.summary;
  document.paragraph(
      "While it learns, L2D-Pop is shown contexts of the experts. They are drawn from all training "
      "cases, or from the pool of 15 answers per class that is all that identity-free policies are "
      "given; the losses are over all training cases either way.");
  for (const DataName& data :
       data_in_report_order(summary.distinct({.experiment = kPopContext}, &Cell::data))) {
    document.paragraph(
        fmt::format("{}, Variable experts: AURSAC with all cases minus the pool: {}.",
                    data_title(data), told_of_contexts(summary, data)));
    for (const ExpertsName& experts : {kVariable, kStable}) {
      const auto add = [&](const MeasureName& measure, const char* words, Document::Reach reach) {
        document.table(pop_context_table(summary, data, experts, measure, words), reach);
      };
      add(kAursac, "AURSAC", Document::Reach::kEverywhere);
      add(kAursacTo10, "AURSAC to 10 %", Document::Reach::kPageOnly);
      add(kAursacTo30, "AURSAC to 30 %", Document::Reach::kPageOnly);
    }
    document.table(familiarity_table(summary, data));
  }
  write_rerun(document, view, kPopContext, "pop-context/blood/variable/pop-qi/cohort-0");
}

}  // namespace ifd::experiments
