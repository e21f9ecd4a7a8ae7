#include "experiments/report/minute_section.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "experiments/claims/named_cells.h"
#include "experiments/claims/rival_wins.h"
#include "experiments/claims/wording.h"
#include "experiments/report/chart_means.h"
#include "ifd/report/html_text.h"

namespace ifd::experiments {
namespace {

std::string interval_text(const HeadlineComparison& comparison) {
  if (!comparison.difference) return "not measured";
  const std::string mean = signed_number(comparison.difference->mean.value);
  if (!comparison.interval) return mean + ", without an interval";
  return fmt::format("{} ({} to {})", mean, signed_number(comparison.interval->low),
                     signed_number(comparison.interval->high));
}

std::string side_of(const HeadlineComparison& comparison) {
  if (!comparison.difference) return "";
  switch (comparison.outcome) {
    case Outcome::kShown:
      return "above 0";
    case Outcome::kContradicted:
      return "below 0";
    case Outcome::kOpen:
      return "open";
  }
  return "";
}

// One sentence for each of the outcomes that comparisons have, and who is behind what. What is open
// is only named: its intervals stand in the table.
std::string told(const Headline& list, Outcome outcome, const std::string& what) {
  std::string text;
  for (const HeadlineComparison& comparison : list.comparisons) {
    if (!comparison.difference || comparison.outcome != outcome) continue;
    if (!text.empty()) text += "; ";
    text += comparison.text;
    if (outcome != Outcome::kOpen) text += ": " + interval_text(comparison);
  }
  return text.empty() ? fmt::format("{}: none of the headline comparisons.", what)
                      : fmt::format("{}: {}.", what, text);
}

std::string largest_of(const RivalWins& found) {
  if (found.wins.empty()) return "";
  const RivalWin& win = found.wins.front();
  return fmt::format(", by most in {} ({} {})", win.where, win.rival,
                     difference_text(win.difference));
}

// Against the paper's policy and ours.
struct Rivals {
  RivalWins of_peak, of_plug_in;
};

// What is against us, in one sentence more.
std::string told(const Rivals& rivals) {
  const auto& [of_peak, of_plug_in] = rivals;
  if (of_peak.places + of_plug_in.places == 0) return "";
  return fmt::format(
      " Place by place, with 95 % intervals of which chance alone puts 2.5 % above 0, pop-qi or "
      "pop-qc is ahead of ifd-peak in {} of {}{}, and of plug-in in {} of {}{}.",
      of_peak.wins.size(), of_peak.places, largest_of(of_peak), of_plug_in.wins.size(),
      of_plug_in.places, largest_of(of_plug_in));
}

Table wins_of(const Rivals& rivals) {
  Table table{"Where an L2D-Pop baseline is ahead, AURSAC",
              {{"ahead of"}, {"where"}, {"method"}, {"by", true, "95 % interval, cohorts ahead"}},
              {}};
  const auto add = [&](const MethodName& ours, const RivalWins& found) {
    for (const RivalWin& win : found.wins) {
      table.rows.push_back(
          {ours.text(), win.where, win.rival.text(), difference_text(win.difference)});
    }
  };
  add(kIfdPeak, rivals.of_peak);
  add(kPlugIn, rivals.of_plug_in);
  return table;
}

void add_place(BarChart& chart, const Summary& summary, const std::string& title, Cell plug_in) {
  for (const MethodName& method : {kIfdPeak, kIfdResidual, kPopQi, kPopQc, kConfidence}) {
    Cell cell = plug_in;
    cell.method = method;
    const auto difference = summary.difference(cell, plug_in);
    if (!difference) continue;
    add_dot(chart, fmt::format("{} · {}", title, method), difference->mean,
            method == kIfdPeak ? Emphasis::kStrong : Emphasis::kNormal);
  }
}

BarChart who_wins_where(const Summary& summary) {
  BarChart chart;
  chart.title = "Who wins where: AURSAC minus that of the untrained plug-in rule, OOD experts";
  chart.value_label = "difference in AURSAC, paired by cohort";
  chart.mark = BarChart::Mark::kDot;
  chart.reference = 0;
  chart.reference_label = "plug-in";
  for (const DataName& data : table1_data(summary)) {
    add_place(chart, summary, data_title(data), area(data, kVariable, kOod, kPlugIn));
  }
  for (const int noise : kReportedNoises) {
    add_place(chart, summary, fmt::format("noise {}", noise),
              people_area(kTwoPeople, kOod, kPlugIn, noise));
  }
  chart.note =
      "Simulated Variable experts by data set, and two people of ImageNet-16H by noise. Right of "
      "the line is better than plug-in. 95 % intervals.";
  return chart;
}

Table comparisons_of(const Headline& list) {
  Table table{fmt::format("Headline comparisons, intervals at {} each so that all {} hold at once",
                          percent(list.coverage, 2), list.comparisons.size()),
              {{"comparison in AURSAC"}, {"mean and interval", true}, {"cohorts", true}, {"says"}},
              {}};
  for (const HeadlineComparison& comparison : list.comparisons) {
    table.rows.push_back(
        {comparison.text, interval_text(comparison),
         comparison.difference ? std::to_string(comparison.difference->mean.count) : "",
         side_of(comparison)});
  }
  return table;
}

}  // namespace

void write_minute(Document& document, const Summary& summary, const Headline& list) {
  document.section("In one minute", "minute");
  const Rivals rivals{rival_wins(summary, kIfdPeak), rival_wins(summary, kPlugIn)};
  document.list({
      {plain("A classifier answers or asks an expert, at most as often as a budget allows; AURSAC "
             "is the accuracy of both together, averaged over all budgets. OOD experts are good at "
             "other classes than those in training, ID experts at the same.")},
      {plain("ifd-peak is the paper's policy, pop-qi and pop-qc are the L2D-Pop baselines, plug-in "
             "is a rule without training: expected accuracy of the expert minus the model's "
             "confidence.")},
      {plain(told(list, Outcome::kContradicted, "Behind") + told(rivals))},
      {plain(told(list, Outcome::kShown, "Ahead"))},
      {plain(told(list, Outcome::kOpen, "Not decided"))},
  });
  document.chart("who-wins-where", who_wins_where(summary));
  document.table(comparisons_of(list));
  if (Table wins = wins_of(rivals); !wins.rows.empty()) {
    document.table(std::move(wins), Document::Reach::kPageOnly);
  }
  document.paragraph(
      "Intervals of areas cover new cases and new cohorts: cases are resampled for all methods and "
      "cohorts at once, cohorts beside them, and the width is that of Student's t for the number "
      "of cohorts. Where cases were not resampled (rings, priors, annotation counts) they cover "
      "cohorts only; of the sleep scorers, recordings only.");
}

}  // namespace ifd::experiments
