// The sections on what a policy makes of experts' contexts: ablation, context size, priors.
#include <fmt/format.h>

#include <algorithm>

#include "experiments/claims/published.h"
#include "experiments/claims/wording.h"
#include "experiments/report/sections.h"
#include "ifd/report/html_text.h"

namespace ifd::experiments {
namespace {

using Reach = StudyDocument::Reach;
constexpr const char* kVariants[] = {"ifd-peak-lcb", "ifd-peak-mean", "ifd-peak-binary"};

}  // namespace

void write_ablation(StudyDocument& document, const StudyView& view) {
  if (!begin_experiment(document, view, "lcb", "Ablation: what weighs a deferral in the loss")) {
    return;
  }
  const Summary& summary = view.summary;
  document.paragraph(
      "The paper's loss with deferrals weighed by the lower confidence bound (full), the posterior "
      "mean, or 0 and 1, and the classifier alone. The published ablation is on another scale than "
      "the paper's own Table 1, so compare the differences between variants, not the values.");
  CellFilter filter;
  filter.experiment = "lcb";
  filter.scale = "probability";
  for (const char* measure : {"aursac", "aurdac"}) {
    const bool main = std::string(measure) == "aursac";
    filter.measure = measure;
    Table table{main ? "AURSAC over the full budget range" : "AURDAC over the full budget range",
                {{"data"},
                 {"experts"},
                 {"group"},
                 {"full", true},
                 {"mean", true},
                 {"binary", true},
                 {"classifier", true},
                 {"full minus mean", true},
                 {"published", true},
                 {"full minus binary", true},
                 {"published", true}},
                {}};
    for (const std::string& data : data_in_report_order(summary.distinct(filter, &Cell::data))) {
      for (const std::string experts : {"variable", "stable"}) {
        for (const std::string group : {"seen", "id", "ood"}) {
          Cell cell{"lcb", data, experts, group, kVariants[0], "", "probability", measure, 0};
          if (!summary.mean(cell)) continue;
          std::vector<std::string> row = {data_title(data), experts, group_title(group)};
          for (const char* variant : kVariants) {
            cell.method = variant;
            row.push_back(mean_text(summary.mean(cell)));
          }
          const Cell model{"table1", data, experts, group, "model", "", "", "accuracy", 0};
          const auto alone = main ? summary.mean(model) : std::nullopt;
          row.push_back(alone ? fixed(alone->value, 3) : "–");
          cell.method = kVariants[0];
          const auto full = published_ablation(data, kVariants[0], measure);
          for (const char* variant : {kVariants[1], kVariants[2]}) {
            Cell other = cell;
            other.method = variant;
            const auto difference = summary.difference(cell, other);
            row.push_back(difference ? signed_number(difference->mean.value) : "–");
            const auto theirs = published_ablation(data, variant, measure);
            row.push_back(full && theirs ? signed_number(full->mean - theirs->mean) : "");
          }
          table.rows.push_back(std::move(row));
        }
      }
    }
    document.table(std::move(table), main ? Reach::kEverywhere : Reach::kPageOnly);
  }
  filter.measure = "aursac";
  for (const std::string& data : data_in_report_order(summary.distinct(filter, &Cell::data))) {
    BarChart chart;
    chart.title = fmt::format("{}: full minus the other weighings, AURSAC", data_title(data));
    chart.value_label = "difference in AURSAC, paired by cohort";
    chart.mark = BarChart::Mark::kDot;
    chart.reference = 0;
    chart.reference_label = "level";
    std::size_t cohorts = 0;
    for (const std::string experts : {"variable", "stable"}) {
      for (const std::string group : {"id", "ood"}) {
        const Cell full{"lcb", data, experts, group, kVariants[0], "", "probability", "aursac", 0};
        for (const auto& [variant, name] :
             {std::pair{kVariants[1], "mean"}, std::pair{kVariants[2], "binary"}}) {
          Cell other = full;
          other.method = variant;
          const auto difference = summary.difference(full, other);
          if (!difference) continue;
          cohorts = std::max(cohorts, difference->mean.count);
          add_dot(chart, fmt::format("{}, {}, minus {}", experts, group_title(group), name),
                  difference->mean);
        }
      }
    }
    chart.note = interval_note(cohorts);
    document.chart("lcb-" + data, std::move(chart));
  }
  write_rerun(document, view, "lcb", "lcb/blood/variable/ifd-peak-lcb/seed-0");
}

void write_context(StudyDocument& document, const StudyView& view) {
  if (!begin_experiment(document, view, "context", "More answers at test time")) return;
  const Summary& summary = view.summary;
  document.paragraph(
      "Policies trained with n answers an expert meet experts with 15 to 1920 of them. Published: "
      "IFD turns more answers into a better system, L2D-Pop stays flat.");
  CellFilter filter;
  filter.experiment = "context";
  filter.measure = "aursac";
  const auto sizes = summary.distinct(filter, &Cell::x);
  for (const std::string& data : summary.distinct(filter, &Cell::data)) {
    filter.data = data;
    const std::string experts = summary.distinct(filter, &Cell::experts).front();
    for (const char* group : {"id", "ood"}) {
      for (const char* setting : {"n=10", "n=25", "n=50"}) {
        LineChart chart;
        chart.title = fmt::format("{}, {} experts, {}: trained with {} answers", data_title(data),
                                  experts, group_title(group), std::string(setting).substr(2));
        chart.x_label = "answers an expert at test time";
        chart.y_label = "AURSAC";
        chart.x_scale = Scale::kLogarithmic;
        Cell cell{"context", data, experts, group, "", setting, "probability", "aursac", 0};
        for (const char* method : {"ifd-peak", "ifd-residual", "plug-in", "pop-qi", "pop-qc"}) {
          cell.method = method;
          cell.setting = std::string(method) == "plug-in" ? "" : setting;
          add_series(chart, series_along_x(summary, cell, method));
        }
        cell.x = sizes.front();
        const auto at_first = summary.mean(cell);
        chart.note = interval_note(at_first ? at_first->count : 1);
        document.chart(fmt::format("context-{}-{}-{}", data, group, std::string(setting).substr(2)),
                       std::move(chart));
      }
    }
    for (const char* measure : {"aursac", "aurdac"}) {
      const bool main = std::string(measure) == "aursac";
      Table table{fmt::format("{}: {} by answers an expert at test time", data_title(data),
                              main ? "AURSAC" : "AURDAC"),
                  {{"method"}, {"trained with"}, {"group"}},
                  {}};
      for (const double size : sizes) {
        table.columns.push_back({fmt::format("{:.0f}", size), true});
      }
      table.columns.push_back({"gain", true, "last minus first"});
      CellFilter measured = filter;
      measured.measure = measure;
      for (const std::string& method : in_report_order(summary.distinct(measured, &Cell::method))) {
        measured.method = method;
        for (const std::string& setting : summary.distinct(measured, &Cell::setting)) {
          for (const char* group : {"id", "ood"}) {
            Cell cell{"context", data, experts, group, method, setting, "probability", measure, 0};
            std::vector<std::string> row = {method, setting.empty() ? "–" : setting,
                                            group_title(group)};
            for (const double size : sizes) {
              cell.x = size;
              const auto mean = summary.mean(cell);
              row.push_back(mean ? fixed(mean->value, 3) : "–");
            }
            Cell first = cell;
            first.x = sizes.front();
            const auto gain = summary.difference(cell, first);
            row.push_back(gain ? signed_number(gain->mean.value) : "–");
            table.rows.push_back(std::move(row));
          }
        }
      }
      document.table(std::move(table), main ? Reach::kEverywhere : Reach::kPageOnly);
    }
  }
  write_rerun(document, view, "context", "context/blood/variable/ifd-peak-25/cohort-0");
}

void write_priors(StudyDocument& document, const StudyView& view) {
  if (!begin_experiment(document, view, "priors", "Right, empty and wrong priors")) return;
  const Summary& summary = view.summary;
  document.paragraph(
      "A policy trained once meets profiles with priors of strength S: accurate, uninformative, "
      "adversarial (the specialty swapped with the next class), overconfident (.90 everywhere). "
      "The "
      "error is that of the posterior means against the true accuracies. A repeat draws new "
      "contexts.");
  CellFilter filter;
  filter.experiment = "priors";
  filter.measure = "mae";
  Table thresholds{
      "Answers a class from which on the error stays within .02 of the uniform prior's",
      {{"data"},
       {"experts"},
       {"prior"},
       {"S", true},
       {"answers a class", true},
       {"published", true, "for wrong priors, distance not stated"}},
      {}};
  Table effect{"What a prior does to AURSAC (minus the uniform prior's, paired by repeat)",
               {{"data"}, {"experts"}, {"policy"}, {"prior"}},
               {}};
  constexpr double kShown[] = {0, 5, 20, 80, 640};
  for (const double n : kShown) {
    effect.columns.push_back({fmt::format("n = {:.0f}", n), true});
  }
  for (const std::string& data : data_in_report_order(summary.distinct(filter, &Cell::data))) {
    for (const std::string experts : {"variable", "stable"}) {
      for (const int strength : {10, 30, 100}) {
        LineChart chart;
        chart.title = fmt::format("{}, {} experts: error of the profile, prior strength {}",
                                  data_title(data), experts, strength);
        chart.x_label = "answers a class";
        chart.y_label = "mean absolute error";
        chart.x_scale = Scale::kLogarithmic;
        Cell cell{"priors", data, experts, "ood", "", "", "probability", "mae", 0};
        std::size_t repeats = 0;
        std::string without;
        for (const std::string prior :
             {"uninformative", "accurate", "adversarial", "overconfident"}) {
          const bool empty = prior == "uninformative";
          cell.setting = empty ? prior : fmt::format("{} S={}", prior, strength);
          Series series = series_along_x(summary, cell, prior);
          if (series.x.empty()) continue;
          cell.x = series.x.front();
          repeats = std::max(repeats, summary.mean(cell)->count);
          if (series.x.front() == 0) {
            without += fmt::format("{}{} {}", without.empty() ? "" : ", ", prior,
                                   fixed(series.y.front(), 3));
          }
          cell.x = 0;
          add_series(chart, std::move(series));
          if (empty) continue;
          const auto at = prior_overcome_at(summary, data, experts, cell.setting);
          const auto theirs = published_prior_threshold(strength);
          thresholds.rows.push_back(
              {data_title(data), experts, prior, std::to_string(strength),
               at ? fmt::format("{:.0f}", *at) : "never",
               prior != "accurate" && theirs ? fmt::format("{:.0f}", *theirs) : ""});
        }
        chart.note = fmt::format(
            "Without any answer: {}. Means over {} repeats with 95 % intervals.", without, repeats);
        document.chart(fmt::format("priors-{}-{}-{}", data, experts, strength), std::move(chart));
      }
      for (const char* method : {"ifd-peak", "plug-in"}) {
        LineChart chart;
        chart.title = fmt::format("{}, {} experts, {}: AURSAC under priors of strength 100",
                                  data_title(data), experts, method);
        chart.x_label = "answers a class";
        chart.y_label = "AURSAC";
        chart.x_scale = Scale::kLogarithmic;
        chart.note = "Without any answer the profile is the prior: see the table.";
        Cell cell{"priors", data, experts, "ood", method, "", "probability", "aursac", 0};
        for (const std::string prior :
             {"uninformative", "accurate S=100", "adversarial S=100", "overconfident S=100"}) {
          cell.setting = prior;
          add_series(chart, series_along_x(summary, cell, prior));
        }
        document.chart(fmt::format("priors-{}-{}-{}-aursac", data, experts, method),
                       std::move(chart));
        for (const char* prior : {"accurate", "adversarial", "overconfident"}) {
          for (const int strength : {10, 30, 100}) {
            cell.setting = fmt::format("{} S={}", prior, strength);
            std::vector<std::string> row = {data_title(data), experts, method, cell.setting};
            bool any = false;
            for (const double n : kShown) {
              cell.x = n;
              Cell uniform = cell;
              uniform.setting = "uninformative";
              const auto difference = summary.difference(cell, uniform);
              any = any || difference;
              row.push_back(difference ? signed_number(difference->mean.value) : "–");
            }
            if (any) effect.rows.push_back(std::move(row));
          }
        }
      }
    }
  }
  document.table(std::move(thresholds));
  document.table(std::move(effect), Reach::kFolded);
  write_rerun(document, view, "priors", "priors/ham/variable/adversarial-30");
}

}  // namespace ifd::experiments
