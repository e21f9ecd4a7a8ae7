#include <fmt/format.h>

#include <string>

#include "experiments/claims/answer_gains.h"
#include "experiments/claims/claim_checks.h"
#include "experiments/claims/claim_evidence.h"
#include "experiments/claims/wording.h"

namespace ifd::experiments {
namespace {

constexpr double kGainOnBlood = .03;
constexpr double kGainOnDodh = .012;
constexpr double kLargestLoss = .001;

}  // namespace

Claim combining_helps(const Summary& summary) {
  Claim claim{
      "combining-helps",
      "Combined answers are worth .03 or more on Blood Cells and .012 or more on the sleep "
      "scorers of DOD-H, over all budgets (classifier calibrated on the context).",
      Claim::Source::kOurs,
      {},
      "Most of the gain lies at large budgets, where experts are asked about cases on which "
      "the model is right and they are not: the better the experts, the less there is to "
      "win."};
  for (const AnswerPlace& place : answer_places(summary)) {
    const bool scorers = place.data == kDodhData;
    if (!scorers && place.data != DataName("blood")) continue;
    const auto gain = gain_at(summary, place, kTemperatureOfContext, kAursac);
    // With three digits a gain may look like the bound that it misses.
    const std::string exactly =
        gain ? fmt::format("; {} to four digits", signed_number(gain->mean.value, 4)) : "";
    add(claim, place.title(), gain, Side::kAtLeast, scorers ? kGainOnDodh : kGainOnBlood, exactly);
  }
  return claim;
}

Claim combining_never_hurts(const Summary& summary) {
  Claim claim{"combining-never-hurts",
              "Nowhere do combined answers cost more than .001 over all budgets (classifier "
              "calibrated on the context).",
              Claim::Source::kOurs,
              {},
              "Where the context's cases are ones that the classifier was trained on, the "
              "temperature is fitted on probabilities that are too good; a temperature from other "
              "cases stands beside it."};
  for (const AnswerPlace& place : answer_places(summary)) {
    add(claim, place.title(), gain_at(summary, place, kTemperatureOfContext, kAursac),
        Side::kAtLeast, -kLargestLoss);
  }
  return claim;
}

}  // namespace ifd::experiments
