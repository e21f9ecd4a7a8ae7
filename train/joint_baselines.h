// L2D-Pop (query-independent) and Multi-Expert L2D with a classifier that learns too.
#pragma once

#include <memory>
#include <span>

#include "ifd/data/answer_table.h"
#include "ifd/data/expert_context.h"
#include "train/baseline_trainer.h"
#include "train/early_stopping.h"
#include "train/joint_trainer.h"
#include "train/schedule.h"
#include "train/support.h"
#include "train/trained_policy.h"
#include "train/training_loop.h"

namespace ifd::train {

// What both learn from. `answers` are the experts' on images.training, none missing; `contexts` are
// of the same experts, on training cases. A view: what it refers to must outlive it.
struct JointBaselineLesson {
  JointImages& images;
  const AnswerTable& answers;
  std::span<const ExpertContext> contexts;
  ClassifierUpdate update;
};

// Both leave `images.classifier` with the weights that, together with the policy handed back, had
// the best validation AURSAC, and run it as it will be used, as train_joint does. phi(x) scales
// features as those of the classifier at the start ask for, but none much further than others; the
// policy file holds that scaling.

// The rejector reads phi(x) with a gradient. The encoder reads the features of the context without
// one: the backbone does not learn through the context. The encoder is the query-independent one
// and classes keep their names.
TrainedPolicy train_joint_population(const JointBaselineLesson& lesson,
                                     const Validation& validation, const PopulationOptions& options,
                                     const Schedule& schedule, const Observer& observer = {},
                                     const Support& support = {});

// One head of K + J logits: the first K are the classifier's own last layer.
TrainedPolicy train_joint_multi_expert(const JointBaselineLesson& lesson,
                                       const Validation& validation, Surrogate surrogate,
                                       const Schedule& schedule, const Observer& observer = {},
                                       const Support& support = {});

// The learners behind them, for whoever wants to look at losses and gradients.
std::unique_ptr<Learner> joint_population_learner(const JointBaselineLesson& lesson,
                                                  const PopulationOptions& options,
                                                  std::uint64_t seed);
std::unique_ptr<Learner> joint_multi_expert_learner(const JointBaselineLesson& lesson,
                                                    Surrogate surrogate, std::uint64_t seed);

}  // namespace ifd::train
