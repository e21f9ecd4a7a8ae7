#include "experiments/claims/headline.h"

#include <fmt/format.h>

#include <utility>

#include "experiments/claims/answer_gains.h"
#include "experiments/claims/claim_evidence.h"
#include "experiments/claims/named_cells.h"
#include "experiments/claims/wording.h"

namespace ifd::experiments {
namespace {

constexpr double kChanceOfAnyMiss = .05;

// The differences that a comparison is averaged over, each as terms that add up to it.
using Place = std::vector<Term>;
struct Listed {
  std::string text;
  std::optional<PairedDifference> difference;
};

std::vector<Place> simulated(const Summary& summary, const MethodName& ours,
                             const MethodName& theirs, std::vector<GroupName> groups,
                             std::vector<ExpertsName> kinds) {
  std::vector<Place> places;
  for (const DataName& data : table1_data(summary)) {
    for (const ExpertsName& experts : kinds) {
      for (const GroupName& group : groups) {
        places.push_back(
            {{area(data, experts, group, ours), 1}, {area(data, experts, group, theirs), -1}});
      }
    }
  }
  return places;
}

// What `method` loses from one group of experts to another beyond what the ceiling loses.
std::vector<Place> own_falls(const Summary& summary, const MethodName& method,
                             const GroupName& from, const GroupName& to) {
  std::vector<Place> places;
  for (const DataName& data : table1_data(summary)) {
    places.push_back({{area(data, kVariable, from, method), 1},
                      {area(data, kVariable, to, method), -1},
                      {area(data, kVariable, from, kCeiling), -1},
                      {area(data, kVariable, to, kCeiling), 1}});
  }
  return places;
}

std::vector<Place> people(const MethodName& ours, const MethodName& theirs,
                          const std::vector<GroupName>& groups) {
  std::vector<Place> places;
  for (const GroupName& group : groups) {
    for (const int noise : kReportedNoises) {
      places.push_back({{people_area(kTwoPeople, group, ours, noise), 1},
                        {people_area(kTwoPeople, group, theirs, noise), -1}});
    }
  }
  return places;
}

// Everybody whom no policy met in training, each kind of experts or noise level as one place.
std::vector<Place> everybody_unseen(const Summary& summary, const MethodName& ours,
                                    const MethodName& theirs) {
  auto places = simulated(summary, ours, theirs, {kId, kOod}, {kVariable, kStable});
  for (Place& place : people(ours, theirs, unseen_people(summary))) {
    places.push_back(std::move(place));
  }
  return places;
}

// Beside either baseline, with few questions.
std::vector<Place> small_budgets(const Summary& summary) {
  std::vector<Place> places;
  for (const MethodName& baseline : {kPopQi, kPopQc}) {
    for (Place& place : simulated(summary, kIfdPeak, baseline, {kId, kOod}, {kVariable, kStable})) {
      for (Term& term : place) term.cell.measure = kAursacTo10;
      places.push_back(std::move(place));
    }
  }
  return places;
}

// With few questions, which is where answers are dear.
std::vector<Place> combined(const Summary& summary) {
  std::vector<Place> places;
  for (const AnswerPlace& place : answer_places(summary)) {
    if (place.data == kDodhData || place.data == kImageNet16HData) continue;
    places.push_back({{place.area(kPlugInCombined, kTemperatureOfContext, kAursacTo30), 1},
                      {place.area(kPlugIn, kTemperatureOfContext, kAursacTo30), -1}});
  }
  return places;
}

std::optional<PairedDifference> average(const Summary& summary, const std::vector<Place>& places) {
  std::vector<const Place*> measured;
  for (const Place& place : places) {
    if (summary.sum(place)) measured.push_back(&place);
  }
  std::vector<Term> terms;
  for (const Place* place : measured) {
    for (const Term& term : *place) {
      terms.push_back({term.cell, term.weight / static_cast<double>(measured.size())});
    }
  }
  return summary.sum(terms);
}

std::optional<PairedDifference> scorers(const Summary& summary, const MethodName& ours,
                                        const MethodName& theirs) {
  const auto cell = [](const MethodName& method) {
    return Cell{.experiment = kScorers,
                .data = kDodhData,
                .experts = kTwoScorers,
                .group = kEverybody,
                .method = method,
                .setting = kFifteenPerClass,
                .scale = kProbability,
                .measure = kAursac};
  };
  return difference_over_recordings(summary, cell(ours), cell(theirs));
}

std::vector<Listed> listed(const Summary& summary) {
  std::vector<Listed> all;
  const auto add = [&](std::string text, const std::vector<Place>& places) {
    all.push_back({std::move(text), average(summary, places)});
  };
  for (const MethodName& baseline : {kPopQi, kPopQc}) {
    add(fmt::format("ifd-peak minus {}, Variable OOD experts", baseline),
        simulated(summary, kIfdPeak, baseline, {kOod}, {kVariable}));
  }
  add("ifd-peak minus L2D-Pop (mean of both) over the budgets up to 10 %, all unseen simulated "
      "experts",
      small_budgets(summary));
  add("plug-in minus ifd-peak, all unseen experts, simulated and people",
      everybody_unseen(summary, kPlugIn, kIfdPeak));
  add("ifd-residual minus plug-in, all unseen experts, simulated and people",
      everybody_unseen(summary, kIfdResidual, kPlugIn));
  for (const auto& [from, to] : {std::pair(kId, kOod), {kSeen, kId}}) {
    for (const MethodName& baseline : {kPopQi, kPopQc}) {
      add(fmt::format("what {} loses from {} to {} beyond the ceiling, Variable experts", baseline,
                      group_title(from), group_title(to)),
          own_falls(summary, baseline, from, to));
    }
  }
  for (const MethodName& baseline : {kPopQi, kPopQc}) {
    add(fmt::format("ifd-peak minus {}, two people OOD", baseline),
        people(kIfdPeak, baseline, {kOod}));
  }
  for (const MethodName& ours : {kIfdPeak, kPlugIn}) {
    all.push_back({fmt::format("{} minus pop-qi, sleep scorers (interval over recordings)", ours),
                   scorers(summary, ours, kPopQi)});
  }
  add("combined minus final answers of plug-in over the budgets up to 30 %, simulated experts",
      combined(summary));
  return all;
}

// An interval that was not made from a standard error is stretched as one would be that was.
std::optional<Interval> stretched(const Mean& mean, double coverage) {
  if (mean.error || !mean.interval || mean.count < 2) return interval_at(mean, coverage);
  const double stretch =
      student_factor(coverage, mean.count - 1) / student_factor(.95, mean.count - 1);
  return Interval{mean.value - stretch * (mean.value - mean.interval->low),
                  mean.value + stretch * (mean.interval->high - mean.value)};
}

}  // namespace

Headline headline(const Summary& summary) {
  std::vector<Listed> all = listed(summary);
  Headline result{1 - kChanceOfAnyMiss / static_cast<double>(all.size()), {}};
  for (Listed& entry : all) {
    HeadlineComparison comparison{std::move(entry.text), entry.difference};
    if (comparison.difference) {
      comparison.interval = stretched(comparison.difference->mean, result.coverage);
      comparison.outcome = beyond(comparison.interval, Side::kAtLeast, 0);
    }
    result.comparisons.push_back(std::move(comparison));
  }
  return result;
}

}  // namespace ifd::experiments
