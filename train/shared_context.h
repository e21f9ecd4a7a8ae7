// Cases that all experts answered: what L2D-Pop draws the contexts of its training from.
#pragma once

#include <torch/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ifd/data/answer_table.h"
#include "ifd/data/expert_context.h"
#include "ifd/data/predictions.h"
#include "ifd/experts/relabelling.h"
#include "train/baseline_trainer.h"
#include "train/population_net.h"

namespace ifd::train {

struct SharedContext {
  std::vector<std::string> cases;
  std::vector<std::int64_t> rows;  // of the training cases
  std::vector<ClassId> truths;
  std::vector<std::vector<Answer>> answers;  // J x n

  // All of them, to be chosen.
  std::vector<std::size_t> everything() const;
};

// Those in all the contexts. Error(kBadInput) where a context's case is no training case, and where
// there is none in common.
SharedContext shared_context(const Predictions& training, std::span<const ExpertContext> contexts);
SharedContext context_of_all_cases(const Predictions& training, const AnswerTable& answers);
SharedContext context_source(ContextSource source, const Predictions& training,
                             std::span<const ExpertContext> contexts, const AnswerTable& answers);

// The row of a context's case. Error(kBadInput) where it is not a training case.
std::size_t training_row(const CaseIndex& row_of, std::string_view name);
// An answer as the encoder reads it: the class, or one past the last for an answer outside.
std::int64_t number_of(Answer answer, std::size_t classes);

// The rows of the chosen cases among the training cases, int64.
torch::Tensor rows_of(const SharedContext& from, std::span<const std::size_t> chosen);
// The chosen cases as the encoder reads them, under other names of the classes; `features` are
// those of the chosen, n x D.
PopulationContext population_context(const SharedContext& from, std::span<const std::size_t> chosen,
                                     const Relabelling& naming, torch::Tensor features);

}  // namespace ifd::train
