// What a user should start with, computed from the results of a run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/claims/calibration_gains.h"
#include "experiments/claims/summary.h"

namespace ifd::experiments {

// A policy over everything measured: mean AURSAC (scale of probabilities) over data sets and kinds
// of experts, and over noise levels of ImageNet-16H with two people.
struct Standing {
  MethodName method;
  std::optional<double> simulated_id, simulated_ood, people_id, people_ood;
  // Over all cells that have both; paired by cohort, each cohort's difference being the mean of
  // its cells.
  std::optional<PairedDifference> against_plug_in;
};

// Whether to calibrate the classifier, and how; places in `gains`. `for_deferral` is what deferral
// gains most by, beyond the model's own answers; `for_accuracy` what gives the highest accuracy of
// the system in all. Nothing where no calibration gains more than .001 with an interval above 0.
struct CalibrationAdvice {
  std::vector<CalibrationGain> gains;
  std::optional<std::size_t> for_deferral, for_accuracy;
};

struct Recommendation {
  MethodName policy;  // empty where plug-in was not measured
  std::vector<Standing> standings;
  std::optional<PairedDifference> against_peak;  // the policy minus the paper's
  MethodName best_trained;  // the highest on average; empty where none was measured

  // The standing of one of the methods in `standings`.
  const Standing& of(const MethodName& method) const;
  // The margin scale: of the policy, and how far the scale of probabilities is ahead of logits.
  ScaleName scale;
  std::optional<PairedDifference> probability_minus_logit;
  CalibrationAdvice at_home, under_shift;
  // From so many answers per expert on, the policy named is by its means within .005 of what it
  // reaches with the largest context, on ID and OOD experts of one data set together.
  std::optional<double> enough_answers;
  MethodName enough_answers_of;
  DataName enough_answers_on;
  std::optional<PairedDifference> enough_minus_most;
};

// Plug-in unless a trained policy earns its place: ahead by more than .001 with an interval above
// 0, and behind by more than .001 neither with simulated experts nor with people. All with the raw
// classifier.
Recommendation recommend(const Summary& summary);

// The paper's names for what the policy is: state, objective, head; empty for untrained rules.
std::string training_of(const MethodName& policy);

}  // namespace ifd::experiments
