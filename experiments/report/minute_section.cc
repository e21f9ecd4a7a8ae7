#include "experiments/report/minute_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "experiments/claims/answer_gains.h"
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

// Against the paper's policy and ours.
struct Rivals {
  RivalWins of_peak, of_plug_in;
};

std::string range_text(const MeasureName& measure) {
  if (measure == kAursacTo10) return "0-10 %";
  if (measure == kAursacTo30) return "0-30 %";
  return measure == kAursac ? "all budgets" : "AURDAC";
}

// "of ifd-peak in 14 of 52 places over 0-10 %, ..., with intervals that say so in 3, 2, ..."
std::string told(const MethodName& ours, const RivalWins& found) {
  std::string by_means, shown;
  std::size_t places = 0, intervals = 0;
  for (const MeasureName& measure : kRivalMeasures) {
    const RivalTally all = found.over_all(measure);
    if (all.places == 0) continue;
    places += all.places;
    intervals += all.intervals;
    by_means += fmt::format("{}{} of {} ({})", by_means.empty() ? "" : ", ", all.ahead, all.places,
                            range_text(measure));
    shown += fmt::format("{}{}", shown.empty() ? "" : ", ", all.above);
  }
  if (places == 0) return "";
  std::string text = fmt::format("of {} in {}, ", ours, by_means);
  text += intervals == 0 ? "none of them with an interval" : "with an interval above 0 in " + shown;
  if (intervals > 0 && intervals < places) {
    text += fmt::format(" ({} of the {} have none)", places - intervals, places);
  }
  if (!found.largest) return text;
  const RivalWin& win = found.wins.empty() ? *found.largest : found.wins.front();
  return text + fmt::format(", by most in {}, {} ({} {})", win.where, range_text(win.measure),
                            win.rival, difference_text(win.difference));
}

// What is against us, in one sentence more.
std::string told(const Rivals& rivals) {
  const std::string of_peak = told(kIfdPeak, rivals.of_peak);
  const std::string of_plug_in = told(kPlugIn, rivals.of_plug_in);
  if (of_peak.empty() && of_plug_in.empty()) return "";
  return fmt::format(
      " Place by place, by the means, pop-qi or pop-qc is ahead {}{}{}. Of 95 % intervals chance "
      "alone puts 2.5 % above 0.",
      of_peak, of_peak.empty() || of_plug_in.empty() ? "" : "; and ", of_plug_in);
}

// "14 of 24 (3 / 6)"
std::string tally_text(const RivalTally& tally) {
  if (tally.places == 0) return "";
  const std::string means = fmt::format("{} of {}", tally.ahead, tally.places);
  if (tally.intervals == 0) return means + " (–)";
  return fmt::format("{} ({} / {}{})", means, tally.above, tally.below,
                     tally.intervals < tally.places ? fmt::format(" of {}", tally.intervals) : "");
}

Table tallies_of(const Rivals& rivals) {
  Table table{
      "Where L2D-Pop is ahead: in how many places the mean of pop-qi or pop-qc is the higher one, "
      "and in brackets how many 95 % intervals lie above 0 / below it (–: there are none)",
      {{"where"}},
      {}};
  for (const MethodName& ours : {kIfdPeak, kPlugIn}) {
    for (const MeasureName& measure : kRivalMeasures) {
      table.columns.push_back({fmt::format("of {}, {}", ours, range_text(measure)), true});
    }
  }
  for (const RivalPart& part : rivals.of_plug_in.parts) {
    std::vector<std::string> row = {part.title};
    for (const RivalWins* found : {&rivals.of_peak, &rivals.of_plug_in}) {
      const auto same = std::ranges::find(found->parts, part.title, &RivalPart::title);
      for (std::size_t i = 0; i < std::size(kRivalMeasures); ++i) {
        row.push_back(same == found->parts.end() ? "" : tally_text(same->tallies[i]));
      }
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table wins_of(const Rivals& rivals) {
  Table table{
      "Where an L2D-Pop baseline is ahead with its 95 % interval above 0",
      {{"ahead of"}, {"where"}, {"area"}, {"method"}, {"by", true, "95 % interval, cohorts ahead"}},
      {}};
  const auto add = [&](const MethodName& ours, const RivalWins& found) {
    for (const RivalWin& win : found.wins) {
      table.rows.push_back({ours.text(), win.where, range_text(win.measure), win.rival.text(),
                            difference_text(win.difference)});
    }
  };
  add(kIfdPeak, rivals.of_peak);
  add(kPlugIn, rivals.of_plug_in);
  return table;
}

// One place of the picture: cells of plug-in whose differences are averaged.
struct PictureSpot {
  std::string title;
  std::vector<Cell> plug_in;
};

std::vector<PictureSpot> picture_spots(const Summary& summary) {
  std::vector<PictureSpot> spots;
  for (const GroupName& group : {kOod, kId}) {
    for (const DataName& data : table1_data(summary)) {
      spots.push_back(
          {data.text() + " " + group_title(group), {area(data, kVariable, group, kPlugIn)}});
    }
  }
  for (const GroupName& group : unseen_people(summary)) {
    PictureSpot people{"people " + group_title(group), {}};
    for (const int noise : kReportedNoises) {
      people.plug_in.push_back(people_area(kTwoPeople, group, kPlugIn, noise));
    }
    spots.push_back(std::move(people));
  }
  return spots;
}

void add_spot(BarChart& chart, const Summary& summary, const PictureSpot& spot,
              const std::string& name, const std::vector<MethodName>& methods,
              const MeasureName& measure) {
  std::vector<CellPair> pairs;
  for (Cell cell : spot.plug_in) {
    cell.measure = measure;
    for (const MethodName& method : methods) {
      pairs.push_back({cell, cell});
      pairs.back().upper.method = method;
    }
  }
  const auto difference = summary.mean_difference(pairs);
  if (!difference) return;
  add_dot(chart, fmt::format("{} · {}{}", spot.title, name, measure == kAursac ? "" : ", 0-10 %"),
          difference->mean, methods.size() > 1 ? Emphasis::kStrong : Emphasis::kNormal);
}

void add_scorers(BarChart& chart, const Summary& summary) {
  Cell plug_in{.experiment = kScorers,
               .data = kDodhData,
               .experts = kTwoScorers,
               .group = kEverybody,
               .method = kPlugIn,
               .setting = kFifteenPerClass,
               .scale = kProbability,
               .measure = kAursac};
  for (const MethodName& method : {kIfdPeak, kPopQi, kPopQc}) {
    Cell cell = plug_in;
    cell.method = method;
    const auto difference = difference_over_recordings(summary, cell, plug_in);
    if (!difference) continue;
    add_dot(chart, fmt::format("sleep scorers · {}", method), difference->mean,
            method == kIfdPeak ? Emphasis::kNormal : Emphasis::kStrong);
  }
}

BarChart who_wins_where(const Summary& summary) {
  BarChart chart;
  chart.title = "Who wins where: AURSAC minus that of the untrained plug-in rule";
  chart.value_label = "difference in AURSAC, over all budgets or the first 10 %";
  chart.mark = BarChart::Mark::kDot;
  chart.reference = 0;
  chart.reference_label = "plug-in";
  for (const PictureSpot& spot : picture_spots(summary)) {
    for (const MeasureName& measure : {kAursac, kAursacTo10}) {
      add_spot(chart, summary, spot, kIfdPeak.text(), {kIfdPeak}, measure);
      add_spot(chart, summary, spot, "L2D-Pop", {kPopQi, kPopQc}, measure);
    }
  }
  add_scorers(chart, summary);
  chart.note =
      "Right of the line is better than plug-in. Simulated Variable experts by data set, two "
      "people "
      "of ImageNet-16H over the noise levels, two sleep scorers; L2D-Pop: the mean of pop-qi and "
      "pop-qc. 95 % intervals.";
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

// Where nothing was resampled is found out, not known beforehand.
std::string what_intervals_cover(const Summary& summary) {
  std::string cohorts_only;
  for (const ExperimentName& experiment : summary.distinct({}, &Cell::experiment)) {
    const auto areas = summary.cells({.experiment = experiment, .measure = kAursac});
    const bool any = std::ranges::any_of(areas, [&](const Cell& cell) {
      if (cell.data == kDodhData || cell.scale == kLogit) return false;
      const Mean mean = *summary.mean(cell);
      return mean.interval && mean.covers == Covers::kCohorts;
    });
    if (any) cohorts_only += (cohorts_only.empty() ? "" : ", ") + experiment.text();
  }
  return "Intervals of areas cover new cases and new cohorts: cases are resampled for all methods "
         "and cohorts at once, cohorts beside them, and the width is that of Student's t for the "
         "number of cohorts. " +
         (cohorts_only.empty() ? ""
                               : "Cases were not resampled in all or a part of " + cohorts_only +
                                     ", nor for anything but areas and accuracies: there they "
                                     "cover cohorts only. ") +
         "Of the sleep scorers they cover recordings only, with the people as they are.";
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
  document.chart("who-wins-where", who_wins_where(summary), Document::Reach::kEverywhere);
  document.table(tallies_of(rivals));
  document.table(comparisons_of(list));
  document.table(wins_of(rivals), Document::Reach::kPageOnly);
  document.paragraph(what_intervals_cover(summary));
}

}  // namespace ifd::experiments
