#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "experiments/claims/calibration_gains.h"
#include "experiments/claims/claim_checks.h"
#include "experiments/claims/claim_evidence.h"
#include "experiments/claims/wording.h"

namespace ifd::experiments {
namespace {

// Plug-in at home, calibrated on these cases, is behind plug-in calibrated on those.
void add_suspect(const Summary& summary, Claim& claim, FittedOn these, FittedOn those) {
  std::vector<DataName> data;
  for (const Cell& home : homes(summary)) data.push_back(home.data);
  data.erase(std::unique(data.begin(), data.end()), data.end());
  for (const DataName& name : data) {
    for (const GivenClassifier given : {GivenClassifier::kTemperature, GivenClassifier::kBias}) {
      add(claim, fmt::format("{}, {}", data_title(name), name_of(given)),
          change_at(summary, homes(summary, name), fitted(given, these), fitted(given, those)),
          Side::kAtMost, 0);
    }
  }
}

}  // namespace

Claim training_cases_mislead(const Summary& summary) {
  Claim claim{"calibration-on-training-cases",
              "At home plug-in loses by a classifier calibrated on the context because the "
              "classifier was trained on its cases: on other cases, balanced alike, it is better.",
              Claim::Source::kOurs,
              {}};
  add_suspect(summary, claim, FittedOn::kContext, FittedOn::kBalanced);
  return claim;
}

Claim balanced_classes_mislead(const Summary& summary) {
  Claim claim{"calibration-on-balanced-classes",
              "At home plug-in loses by a classifier calibrated on equally many cases of every "
              "class: on as many as they come it is better.",
              Claim::Source::kOurs,
              {}};
  add_suspect(summary, claim, FittedOn::kBalanced, FittedOn::kNatural);
  return claim;
}

}  // namespace ifd::experiments
