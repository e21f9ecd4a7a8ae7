#include "experiments/report/priors_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "experiments/claims/claims.h"
#include "experiments/claims/published.h"
#include "experiments/claims/wording.h"
#include "experiments/report/chart_means.h"
#include "experiments/report/small_budgets.h"
#include "experiments/result/labels.h"
#include "ifd/report/html_text.h"

namespace ifd::experiments {
namespace {

constexpr int kStrengths[] = {10, 30, 100};
constexpr const char* kInformativePriors[] = {"accurate", "adversarial", "overconfident"};
constexpr double kShownSizes[] = {0, 5, 30, 80, 640};

// Who the section is about, and their cells without a prior.
struct PriorsPlace {
  DataName data;
  ExpertsName experts;

  std::string title() const { return fmt::format("{}, {} experts", data_title(data), experts); }
  Cell error_under(const Setting& prior) const {
    return {.experiment = kPriors,
            .data = data,
            .experts = experts,
            .group = kOod,
            .setting = prior,
            .scale = kProbability,
            .measure = kMeanAbsoluteError};
  }
  Cell area_under(const Setting& prior, const MethodName& method, double size = 0) const {
    return {.experiment = kPriors,
            .data = data,
            .experts = experts,
            .group = kOod,
            .method = method,
            .setting = prior,
            .scale = kProbability,
            .measure = kAursac,
            .x = size};
  }
};

LineChart error_chart(const Summary& summary, const PriorsPlace& place, int strength) {
  LineChart chart;
  chart.title = fmt::format("{}: error of the profile, prior strength {}", place.title(), strength);
  chart.x_label = "answers per class";
  chart.y_label = "mean absolute error";
  chart.x_scale = Scale::kLogarithmic;
  std::size_t cohorts = 0;
  std::string without;
  const auto add = [&](const std::string& prior, const Setting& setting) {
    Cell cell = place.error_under(setting);
    Series series = series_along_x(summary, cell, prior);
    if (series.x.empty()) return;
    cell.x = series.x.front();
    cohorts = std::max(cohorts, summary.mean(cell)->count);
    if (series.x.front() == 0) {
      without +=
          fmt::format("{}{} {}", without.empty() ? "" : ", ", prior, fixed(series.y.front(), 3));
    }
    add_series(chart, std::move(series));
  };
  add(kUninformativePrior.text(), kUninformativePrior);
  for (const char* prior : kInformativePriors) add(prior, prior_of_strength(prior, strength));
  chart.note = fmt::format("Without any answer: {}. Means over {} cohorts with 95 % intervals.",
                           without, cohorts);
  return chart;
}

LineChart area_chart(const Summary& summary, const PriorsPlace& place, const MethodName& method) {
  LineChart chart;
  chart.title = fmt::format("{}, {}: AURSAC under priors of strength 100", place.title(), method);
  chart.x_label = "answers per class";
  chart.y_label = "AURSAC";
  chart.x_scale = Scale::kLogarithmic;
  chart.note = "Without any answer the profile is the prior: see the table.";
  const auto add = [&](const Setting& prior) {
    add_series(chart, series_along_x(summary, place.area_under(prior, method), prior.text()));
  };
  add(kUninformativePrior);
  for (const char* prior : kInformativePriors) add(prior_of_strength(prior, 100));
  return chart;
}

// From how many answers on each prior of this strength is overcome.
void add_thresholds(Table& table, const Summary& summary, const PriorsPlace& place, int strength) {
  for (const std::string prior : kInformativePriors) {
    const Setting setting = prior_of_strength(prior, strength);
    if (series_along_x(summary, place.error_under(setting), prior).x.empty()) continue;
    const auto at = prior_overcome_at(summary, place.data, place.experts, setting);
    const auto theirs = published_prior_threshold(strength);
    table.rows.push_back({data_title(place.data), place.experts.text(), prior,
                          std::to_string(strength), at ? fmt::format("{:.0f}", *at) : "never",
                          prior != "accurate" && theirs ? fmt::format("{:.0f}", *theirs) : ""});
  }
}

// What each prior does to a policy, against the uniform one.
void add_effects(Table& table, const Summary& summary, const PriorsPlace& place,
                 const MethodName& method) {
  for (const char* prior : kInformativePriors) {
    for (const int strength : kStrengths) {
      const Setting setting = prior_of_strength(prior, strength);
      std::vector<std::string> row = {data_title(place.data), place.experts.text(), method.text(),
                                      setting.text()};
      bool any = false;
      for (const double size : kShownSizes) {
        const auto difference =
            summary.difference(place.area_under(setting, method, size),
                               place.area_under(kUninformativePrior, method, size));
        any = any || difference;
        row.push_back(difference ? signed_number(difference->mean.value) : "–");
      }
      if (any) table.rows.push_back(std::move(row));
    }
  }
}

Table empty_threshold_table() {
  return {"Answers per class from which on the error stays within .02 of the uniform prior's",
          {{"data"},
           {"experts"},
           {"prior"},
           {"S", true},
           {"answers per class", true},
           {"published", true, "for wrong priors, distance not stated"}},
          {}};
}

Table empty_effect_table() {
  Table table{"What a prior does to AURSAC (minus the uniform prior's, paired by cohort)",
              {{"data"}, {"experts"}, {"policy"}, {"prior"}},
              {}};
  for (const double size : kShownSizes) {
    table.columns.push_back({fmt::format("n = {:.0f}", size), true});
  }
  return table;
}

// What the strongest prior of each kind does to the paper's policy with few, some and most answers.
std::string told_priors(const Summary& summary, const PriorsPlace& place) {
  std::string text;
  for (const char* prior : kInformativePriors) {
    const Setting setting = prior_of_strength(prior, kStrengths[2]);
    std::string sizes;
    for (const double size : {0., 30., 640.}) {
      const auto effect = summary.difference(place.area_under(setting, kIfdPeak, size),
                                             place.area_under(kUninformativePrior, kIfdPeak, size));
      if (!effect) continue;
      sizes +=
          fmt::format("{}n = {:.0f} {}", sizes.empty() ? "" : ", ", size, difference_text(effect));
    }
    if (!sizes.empty()) text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", prior, sizes);
  }
  if (text.empty()) return "";
  return fmt::format(
      "{}, AURSAC of ifd-peak under priors of strength {} minus the uniform prior's, with n "
      "answers "
      "per class: {}.",
      place.title(), kStrengths[2], text);
}

BudgetRows rows_of_priors(const Summary& summary, const PriorsPlace& place) {
  BudgetRows rows{{"policy", "prior", "answers per class"}, {}};
  for (const Cell& cell : summary.cells({.experiment = kPriors,
                          .data = place.data,
                          .experts = place.experts,
                          .measure = kAursac})) {
    rows.rows.push_back(
        {{cell.method.text(), cell.setting.text(), fmt::format("{:.0f}", cell.x)}, cell});
  }
  return rows;
}

}  // namespace

void write_priors(Document& document, const SectionView& view) {
  if (!begin_section(document, view)) return;
  const Summary& summary = view.summary;
  document.paragraph(
      "A policy trained once meets profiles with priors of strength S: accurate, uninformative, "
      "adversarial (the specialty swapped with the next class), overconfident (.90 everywhere). "
      "The "
      "error is that of the posterior means against the true accuracies. Of each cohort the mean "
      "over a few draws of the answers.");
  Table thresholds = empty_threshold_table();
  Table effects = empty_effect_table();
  std::vector<std::vector<Words>> all_told;
  const auto all_data = data_in_report_order(
      summary.distinct({.experiment = kPriors, .measure = kMeanAbsoluteError}, &Cell::data));
  for (const DataName& data : all_data) {
    for (const ExpertsName& experts : {kVariable, kStable}) {
      const PriorsPlace place{data, experts};
      if (std::string told = told_priors(summary, place); !told.empty()) {
        all_told.push_back({plain(std::move(told))});
      }
      write_small_budgets(document, summary, place.title() + ", by prior",
                          rows_of_priors(summary, place));
      for (const int strength : kStrengths) {
        document.chart(fmt::format("priors-{}-{}-{}", data, experts, strength),
                       error_chart(summary, place, strength));
        add_thresholds(thresholds, summary, place, strength);
      }
      for (const MethodName& method : {kIfdPeak, kPlugIn}) {
        document.chart(fmt::format("priors-{}-{}-{}-aursac", data, experts, method),
                       area_chart(summary, place, method));
        add_effects(effects, summary, place, method);
      }
    }
  }
  document.list(std::move(all_told));
  document.table(std::move(thresholds), Document::Reach::kPageOnly);
  document.table(std::move(effects), Document::Reach::kPageOnly);
  write_rerun(document, view, kPriors, "priors/ham/variable/adversarial-30/cohort-0");
}

}  // namespace ifd::experiments
