// Every claim, checked; by the experiment it is about.
#pragma once

#include "experiments/claims/claims.h"
#include "experiments/claims/summary.h"

namespace ifd::experiments {

// Table 1.
Claim ahead_ood(const Summary& summary);
Claim ahead_ood_aurdac(const Summary& summary);
Claim pop_falls(const Summary& summary);
Claim ifd_does_not_fall(const Summary& summary);
Claim falls_less(const Summary& summary);
Claim stable_tied(const Summary& summary);
Claim multi_behind(const Summary& summary);
Claim fewer_annotations(const Summary& summary);
Claim plug_in_above_peak(const Summary& summary);
Claim plug_in_near_ceiling(const Summary& summary);
Claim residual_ahead_of_plug_in(const Summary& summary);
Claim renaming_helps_pop(const Summary& summary);

// ImageNet-16H.
Claim people_order(const Summary& summary);
Claim gains_grow_with_noise(const Summary& summary);
Claim homogeneous(const Summary& summary);
Claim calibration_helps(const Summary& summary);

// Combined answers.
Claim combining_helps(const Summary& summary);
Claim combining_never_hurts(const Summary& summary);

// Calibration.
Claim training_cases_mislead(const Summary& summary);
Claim balanced_classes_mislead(const Summary& summary);

// Rings, ablation, more answers, priors, renaming.
Claim toy_moves(const Summary& summary);
Claim lcb_ahead(const Summary& summary);
Claim ablation_beats_classifier(const Summary& summary);
Claim context_helps(const Summary& summary);
Claim context_never_hurts(const Summary& summary);
Claim pop_flat(const Summary& summary);
Claim priors_overcome(const Summary& summary);
Claim priors_alike(const Summary& summary);
Claim exactly_invariant(const Summary& summary);
Claim baselines_move(const Summary& summary);

}  // namespace ifd::experiments
