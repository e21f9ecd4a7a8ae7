// Training the rejector of identity-free deferral from contexts alone.
//
// The interface has no place for experts' answers on training cases: what supervises deferral is
// the profile of each expert's context.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "ifd/data/expert_context.h"
#include "ifd/data/predictions.h"
#include "ifd/profile/expert_profile.h"
#include "ifd/rejector/role_rejector.h"
#include "train/early_stopping.h"
#include "train/schedule.h"
#include "train/support.h"
#include "train/trained_policy.h"

namespace ifd::train {

// The weight w of -log p_perp for a case of class y.
// kPeak is the paper's Eq. ea-lce: w = L_y 1{k_best = y}, where 1{y in T} / |T| stands for the
//   indicator, T being the classes that tie for the best: the expectation over a random tie-break.
// kExpected: w = L_y whatever the peak. Its minimiser defers where max eta <= sum_y eta_y theta_y,
//   the Bayes rule for experts who are class-conditional.
enum class Objective { kPeak, kExpected };

// L_y: the lower confidence bound [mu - lcb_width sigma]_+, the mean mu, 1{k_best = y}, or 1.
enum class Trust { kLowerBound, kMean, kBinary, kOne };

struct IfdOptions {
  Objective objective = Objective::kPeak;
  Trust trust = Trust::kLowerBound;
  double lcb_width = 1;  // of Trust::kLowerBound, in standard deviations
  StateSet state = StateSet::kPaper;
  Head head = Head::kPlain;  // kResidual: r = 0 at the start, which is the plug-in rule
  std::size_t width = 256;
  std::size_t context_size = 35;  // answers of each expert, drawn anew every epoch
};

// What a rejector reads of every case and expert, N x J x width_of(state).
std::vector<float> state_numbers(const Predictions& cases, std::span<const ExpertProfile> profiles,
                                 StateSet state);

// w by class for one expert.
std::vector<double> deferral_weights(const ExpertProfile& profile, const IfdOptions& options);
// K x J for all experts.
std::vector<float> deferral_weight_table(std::span<const ExpertProfile> profiles,
                                         const IfdOptions& options);

// `training` has labels; a class that an expert's context lacks keeps its prior. `validation` has
// the experts of `contexts` in their order. Tensors: layer0.weight, layer0.bias, ... layer5.bias.
TrainedPolicy train_ifd(const Predictions& training, std::span<const ExpertContext> contexts,
                        const Validation& validation, const IfdOptions& options,
                        const Schedule& schedule, const Observer& observer = {},
                        const Support& support = {});

}  // namespace ifd::train
