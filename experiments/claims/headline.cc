#include "experiments/claims/headline.h"

#include <utility>

#include "experiments/claims/answer_gains.h"
#include "experiments/claims/claim_evidence.h"
#include "experiments/claims/named_cells.h"

namespace ifd::experiments {
namespace {

constexpr double kChanceOfAnyMiss = .05;

// The differences that a comparison is averaged over, each as terms that add up to it.
using Place = std::vector<Term>;
struct Listed {
  std::string text;
  std::vector<Place> places;
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

std::vector<Place> people(const MethodName& ours, const MethodName& theirs) {
  std::vector<Place> places;
  for (const int noise : kReportedNoises) {
    places.push_back({{people_area(kTwoPeople, kOod, ours, noise), 1},
                      {people_area(kTwoPeople, kOod, theirs, noise), -1}});
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

std::vector<Listed> listed(const Summary& summary) {
  return {
      {"ifd-peak minus pop-qi, Variable OOD experts",
       simulated(summary, kIfdPeak, kPopQi, {kOod}, {kVariable})},
      {"ifd-peak minus pop-qc, Variable OOD experts",
       simulated(summary, kIfdPeak, kPopQc, {kOod}, {kVariable})},
      {"plug-in minus ifd-peak, all unseen simulated experts",
       simulated(summary, kPlugIn, kIfdPeak, {kId, kOod}, {kVariable, kStable})},
      {"ifd-residual minus plug-in, all unseen simulated experts",
       simulated(summary, kIfdResidual, kPlugIn, {kId, kOod}, {kVariable, kStable})},
      {"what pop-qi loses from ID to OOD beyond the ceiling, Variable experts",
       own_falls(summary, kPopQi, kId, kOod)},
      {"what pop-qi loses from seen to ID beyond the ceiling, Variable experts",
       own_falls(summary, kPopQi, kSeen, kId)},
      {"ifd-peak minus pop-qi, two people OOD", people(kIfdPeak, kPopQi)},
      {"plug-in minus ifd-peak, two people OOD", people(kPlugIn, kIfdPeak)},
      {"combined minus final answers of plug-in over the budgets up to 30 %, simulated experts",
       combined(summary)},
  };
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

}  // namespace

Headline headline(const Summary& summary) {
  const std::vector<Listed> all = listed(summary);
  Headline result{1 - kChanceOfAnyMiss / static_cast<double>(all.size()), {}};
  for (const Listed& entry : all) {
    HeadlineComparison comparison{entry.text, average(summary, entry.places)};
    if (comparison.difference) {
      comparison.interval = interval_at(comparison.difference->mean, result.coverage);
      comparison.outcome = beyond(comparison.interval, Side::kAtLeast, 0);
    }
    result.comparisons.push_back(std::move(comparison));
  }
  return result;
}

}  // namespace ifd::experiments
