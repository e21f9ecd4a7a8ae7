// Training the baselines, which learn from every expert's answer on every training case.
#pragma once

#include <cstddef>
#include <span>

#include "ifd/data/answer_table.h"
#include "ifd/data/expert_context.h"
#include "ifd/data/predictions.h"
#include "train/early_stopping.h"
#include "train/schedule.h"
#include "train/support.h"
#include "train/trained_policy.h"

namespace ifd::train {

// kQueryIndependent averages the encoded context; kQueryConditioned lets the case attend to it.
enum class PopulationEncoder { kQueryIndependent, kQueryConditioned };

// kRandom renames the classes anew for every batch, coherently for truths, answers and the model.
// The loss does not notice; the context's tokens do.
enum class ClassNaming { kFixed, kRandom };

// Where a batch's context is drawn from (context_pool.h). kAllCases: from all answers on training
// cases, as the method's authors do. kPool: from the experts' contexts, the few cases that are read
// at test time as well, which a network can learn by heart.
enum class ContextSource { kAllCases, kPool };

struct PopulationOptions {
  PopulationEncoder encoder = PopulationEncoder::kQueryIndependent;
  ClassNaming naming = ClassNaming::kFixed;
  std::size_t width = 256;        // of the rejector
  std::size_t context_size = 35;  // cases, drawn anew every batch
  ContextSource source = ContextSource::kAllCases;
};

// L2D-Pop on a frozen classifier: g_k = log rho_k. Cases of the contexts must be training cases;
// validation reads the contexts whole, as a policy does later, wherever batches draw theirs from.
// `answers` has the experts of `contexts` in their order; every training case has features and a
// label. The authors' loss is over all experts and cases; where answers are missing it is over the
// pairs that have one, and contexts are each expert's own. Tensors: feature_mean, feature_scale,
// embedding.weight, encoder.*, self_attention.*, cross_attention.*, rejector.*.
TrainedPolicy train_population(const Predictions& training, std::span<const ExpertContext> contexts,
                               const AnswerTable& answers, const Validation& validation,
                               const PopulationOptions& options, const Schedule& schedule,
                               const Observer& observer = {}, const Support& support = {});

// kSoftmax: one softmax over K + J logits. kOneVsAll: each logit against all others.
enum class Surrogate { kSoftmax, kOneVsAll };

// Multi-Expert L2D: one linear layer from the features to K + J logits, a column for each expert.
// With one expert and kSoftmax it is the softmax surrogate of L2D. No answer is missing. Tensors:
// feature_mean, feature_scale, head.weight, head.bias.
TrainedPolicy train_multi_expert(const Predictions& training, const AnswerTable& answers,
                                 const Validation& validation, Surrogate surrogate,
                                 const Schedule& schedule, const Observer& observer = {},
                                 const Support& support = {});

}  // namespace ifd::train
