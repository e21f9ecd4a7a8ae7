// The answers that L2D-Pop's contexts are drawn from.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "ifd/data/answer_table.h"
#include "ifd/data/expert_context.h"
#include "ifd/data/predictions.h"
#include "ifd/experts/relabelling.h"
#include "ifd/random/keyed_random.h"
#include "train/population_net.h"

namespace ifd::train {

// What the network gets to see of every expert.
struct DrawnContext {
  PopulationContext context;
  // N x J over the training cases, true where the expert's answer is to be learnt from; undefined:
  // everywhere.
  torch::Tensor counted = {};
};

class ContextPool {
 public:
  virtual ~ContextPool() = default;
  // `count` cases, all where there are fewer, under these names of the classes.
  virtual DrawnContext draw(std::size_t count, const Key& key, const Relabelling& naming) const = 0;
  // All there is, as a policy reads it later.
  virtual PopulationContext whole() const = 0;
};

// Where every expert has answered every training case, the same cases are drawn for all of them; a
// case of the batch may be among them, which with a few of thousands hardly ever happens.
//
// Where answers are missing, each expert's context is drawn from what that expert has answered. An
// expert may have few, so a draw is at most half of them, and only the others are learnt from: in a
// context that holds the very case that is asked about, its answer could be read off.
//
// `phi` holds the training cases' features as the network reads them.
std::unique_ptr<ContextPool> pool_of_cases(const Predictions& training, const AnswerTable& answers,
                                           const torch::Tensor& phi);
// The same from the experts' contexts, the cases of which must be training cases: those that all
// experts share or, where answers are missing, each expert's own. Error(kBadInput) where there are
// none.
std::unique_ptr<ContextPool> pool_of_contexts(const Predictions& training,
                                              std::span<const ExpertContext> contexts,
                                              const AnswerTable& answers, const torch::Tensor& phi);

// How many answers are not missing.
std::size_t given_answers(const AnswerTable& answers);

}  // namespace ifd::train
