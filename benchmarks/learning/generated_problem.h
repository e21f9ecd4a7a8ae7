// A training problem of a given size: predictions with features, specialists' contexts and answers.
#pragma once

#include <cstddef>
#include <vector>

#include "ifd/data/answer_table.h"
#include "ifd/data/expert_context.h"
#include "ifd/data/predictions.h"
#include "train/early_stopping.h"

namespace ifd::benchmark {

struct Problem {
  Predictions training;
  std::vector<ExpertContext> contexts;  // 15 training cases per class, the same for all experts
  AnswerTable answers;                  // on the training cases
  train::Validation validation;         // with answers
};

struct ProblemSize {
  std::size_t cases;
  std::size_t validation_cases;
  std::size_t classes;
  std::size_t experts;
  std::size_t features;
};

Problem generated_problem(const ProblemSize& size);

}  // namespace ifd::benchmark
