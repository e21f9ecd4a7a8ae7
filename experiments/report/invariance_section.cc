#include "experiments/report/invariance_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "experiments/claims/wording.h"
#include "experiments/result/labels.h"
#include "ifd/report/html_text.h"

namespace ifd::experiments {
namespace {

// Of ascending values, by the nearest rank.
double quantile(const std::vector<double>& sorted, double p) {
  const auto at = static_cast<std::size_t>(p * static_cast<double>(sorted.size() - 1) + 0.5);
  return sorted[at];
}

std::string exact(double value) { return value == 0 ? "0" : fmt::format("{:.3g}", value); }

// What renamings of one kind do to one method; ascending, over renamings and cohorts.
struct Changes {
  std::vector<double> largest, mean, rerouted;

  bool measured() const { return !largest.empty() && !mean.empty() && !rerouted.empty(); }
};

Changes changes_of(const Summary& summary, const DataName& data, const MethodName& method,
                   const Setting& kind) {
  const auto values = [&](const MeasureName& measure) {
    std::vector<double> all = summary.pooled({.experiment = kInvariance,
                                              .data = data,
                                              .method = method,
                                              .setting = kind,
                                              .measure = measure});
    std::sort(all.begin(), all.end());
    return all;
  };
  return {values(kLargestMarginChange), values(kMeanMarginChange), values(kShareRerouted)};
}

// "pop-qi by up to 0.7, 12.1% of the cases (2.0% to 30.4%)"
std::string told_renaming(const Summary& summary, const DataName& data) {
  std::string still, moving;
  for (const MethodName& method : in_report_order(
           summary.distinct({.experiment = kInvariance, .data = data}, &Cell::method))) {
    const Changes changes = changes_of(summary, data, method, kCoherent);
    if (!changes.measured()) continue;
    if (changes.largest.back() == 0) {
      still += (still.empty() ? "" : ", ") + method.text();
      continue;
    }
    moving += fmt::format(
        "{}{} by up to {} and sends {} of the cases elsewhere (5 % to 95 % of "
        "renamings: {} to {})",
        moving.empty() ? "" : "; ", method, exact(changes.largest.back()),
        percent(quantile(changes.rerouted, .5), 1), percent(quantile(changes.rerouted, .05), 1),
        percent(quantile(changes.rerouted, .95), 1));
  }
  std::string text;
  if (!still.empty()) text += fmt::format(" Coherent renaming moves no margin of {}.", still);
  if (!moving.empty()) text += fmt::format(" It moves margins of {}.", moving);
  return text;
}

void write_data(Document& document, const Summary& summary, const DataName& data) {
  BarChart chart;
  chart.title = fmt::format("{}: share of cases that go elsewhere after a coherent renaming",
                            data_title(data));
  chart.value_label = "share rerouted: median, and 5 % to 95 % of renamings and cohorts";
  chart.mark = BarChart::Mark::kDot;
  chart.unit = Unit::kPercent;
  Table table{fmt::format("{}: what renaming does", data_title(data)),
              {{"method"},
               {"renaming"},
               {"largest change of a margin", true},
               {"mean change", true},
               {"rerouted, median", true},
               {"5 % to 95 %"},
               {"renamings", true}},
              {}};
  const auto methods =
      in_report_order(summary.distinct({.experiment = kInvariance, .data = data}, &Cell::method));
  for (const MethodName& method : methods) {
    for (const Setting& kind : {kCoherent, kExpertOnly}) {
      const Changes changes = changes_of(summary, data, method, kind);
      if (!changes.measured()) continue;
      const double median = quantile(changes.rerouted, .5);
      const double low = quantile(changes.rerouted, .05), high = quantile(changes.rerouted, .95);
      table.rows.push_back({method.text(), kind.text(), exact(changes.largest.back()),
                            exact(mean_of(changes.mean)->value), percent(median, 1),
                            fmt::format("{} to {}", percent(low, 1), percent(high, 1)),
                            std::to_string(changes.rerouted.size())});
      if (kind == kCoherent) chart.bars.push_back({method.text(), median, Range{low, high}});
    }
  }
  document.chart(fmt::format("invariance-{}", data), std::move(chart));
  document.table(std::move(table), Reach::kPageOnly);
}

}  // namespace

void write_invariance(Document& document, const SectionView& view) {
  if (!begin_section(document, view)) return;
  document.paragraph(
      "For every trained policy, classes are renamed at random in model and experts together "
      "(coherent) and in the experts alone (expert-only); margins of all experts and the routes at "
      "a budget of 20 % are compared with those before. A coherent renaming changes nothing about "
      "the task, so a policy blind to names must not move at all. L2D-Pop meets names in the "
      "answers of experts alone, its view of a case being features without names, so that both "
      "renamings are one to it.");
  const auto all_data =
      data_in_report_order(view.summary.distinct({.experiment = kInvariance}, &Cell::data));
  std::vector<std::vector<Words>> told;
  for (const DataName& data : all_data) {
    std::string text = told_renaming(view.summary, data);
    if (!text.empty()) told.push_back({strong(data_title(data) + "."), plain(std::move(text))});
  }
  document.list(std::move(told));
  for (const DataName& data : all_data) write_data(document, view.summary, data);
  write_rerun(document, view, kTable1, "table1/blood/variable/pop-qi/cohort-0");
}

}  // namespace ifd::experiments
