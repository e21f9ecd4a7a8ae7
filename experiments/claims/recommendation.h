// What a user should start with, computed from the results of a run.
#pragma once

#include <optional>
#include <string>
#include <vector>

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
  // What recalibrating on the context gives to plug-in, at home and under a shift of the input.
  std::optional<PairedDifference> calibration_simulated, calibration_people;
  // From so many answers per expert on, the policy named is within .005 of what it reaches with the
  // largest context, on ID and OOD experts together.
  std::optional<double> enough_answers;
  MethodName enough_answers_of;
};

// Plug-in unless another policy earns its place: ahead by more than .001 with an interval above 0,
// and behind by more than .001 neither with simulated experts nor with people; first recalibration,
// then the trained ones.
Recommendation recommend(const Summary& summary);

// The paper's names for what the policy is: state, objective, head; empty for untrained rules.
std::string training_of(const MethodName& policy);

}  // namespace ifd::experiments
