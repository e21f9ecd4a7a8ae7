#include "ifd/router/watch_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace ifd {
namespace {

constexpr std::size_t kMostSteps = 400;

double evidence(double p) { return 0 - std::log10(p); }

// So that the line of the alarm is not lost at the bottom.
double most_drawn(const Watch& watch) {
  return std::max(kMostEvidenceDrawn, 2 * evidence(watch.options().false_alarms));
}

// A watch that begins as this one did.
Watch begun_alike(const Watch& watch) {
  std::vector<OldAnswers> before;
  for (std::size_t j = 0; j < watch.founders(); ++j) {
    before.push_back({watch.names()[j], watch.old_answers(j)});
  }
  return Watch(watch.classes(), before, {}, watch.options());
}

// By the evidence, then by their places.
std::vector<bool> drawn_experts(const Watch& watch) {
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t j = 0; j < watch.names().size(); ++j) {
    if (!watch.new_answers(j).empty()) order.emplace_back(watch.standing(j).p, j);
  }
  std::sort(order.begin(), order.end());
  if (order.size() > kMostExpertsDrawn) order.resize(kMostExpertsDrawn);
  std::vector<bool> drawn(watch.names().size(), false);
  for (const auto& [p, j] : order) drawn[j] = true;
  return drawn;
}

}  // namespace

LineChart watch_chart(const Watch& watch) {
  LineChart chart;
  chart.title = "Has somebody changed? The evidence, answer by answer";
  chart.x_label = "new answers of the expert";
  chart.y_label = "evidence: log10 of 1/p";
  const std::vector<bool> drawn = drawn_experts(watch);
  const double most = most_drawn(watch);
  Watch again = begun_alike(watch);
  double last = 1;
  // Those who came later join in their order, with their first answers.
  for (std::size_t j = 0; j < watch.names().size(); ++j) {
    const std::vector<ContextRow>& rows = watch.new_answers(j);
    const std::size_t each = rows.size() / kMostSteps + 1;
    Series series;
    series.name = watch.names()[j];
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t found = again.observe(watch.names()[j], rows[i]);
      if (!drawn[j] || (found == 0 && (i + 1) % each != 0 && i + 1 < rows.size())) continue;
      series.x.push_back(static_cast<double>(i + 1));
      series.y.push_back(std::min(most, evidence(again.standing(j).p)));
    }
    if (!drawn[j]) continue;
    last = std::max(last, static_cast<double>(rows.size()));
    chart.series.push_back(std::move(series));
  }
  const double alarm = evidence(watch.options().false_alarms);
  chart.series.push_back({.name = "found from here on",
                          .x = {0, last},
                          .y = {alarm, alarm},
                          .low = {},
                          .high = {},
                          .emphasis = Emphasis::kQuiet});
  chart.note = fmt::format(
      "Of each expert the test with the most evidence, drawn up to {:g}. Where nothing is to be "
      "found, at most {:g} of 100 watches ever cross the line.",
      most, 100 * watch.options().false_alarms);
  return chart;
}

}  // namespace ifd
