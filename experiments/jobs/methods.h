// The methods of the tables, by the names they have there.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "experiments/jobs/cohort_data.h"
#include "experiments/jobs/protocol.h"
#include "experiments/jobs/workshop.h"
#include "experiments/result/job_result.h"
#include "ifd/policy/policy_file.h"
#include "train/training_method.h"

namespace ifd::experiments {

// How many times longer than others a method is trained.
struct Stretch {
  std::size_t epochs = 1;
  std::size_t patience = 1;
};

// A method to train, with its settings.
struct Method {
  std::string name;                       // in the tables
  const train::TrainingMethod& training;  // in the catalogue
  train::MethodSettings settings;
  Stretch stretch = {};
};

// ifd-peak is the paper's: L = 1, six numbers, plain head. ifd-expected rewards expected accuracy
// by posterior means; ifd-residual does so from the plug-in rule on, with twelve numbers.
// pop-qi, pop-qc, pop-qi-perm, pop-qc-perm, multi-expert: the baselines; the first four draw their
// contexts from where `pop_context` says. Error(kUsage) for others.
Method method_named(const std::string& name, PopContext pop_context);

// What a method learns from. Answers on training cases are read by the baselines only; those of
// real people may be missing.
struct Lesson {
  const Predictions& training;
  const Predictions& validation;
  std::span<const ExpertContext> contexts;
  const AnswerTable& training_answers;
  const AnswerTable& validation_answers;
  train::ContextCoverage coverage = train::ContextCoverage::kEveryClass;
  const train::JointLesson* joint = nullptr;  // a classifier that learns too; null: it is frozen
};

// A policy file as 'ifd train' writes it.
PolicyFile train_method(const Method& method, const Lesson& lesson,
                        const train::Schedule& schedule);

// All that the policy depends on but the code, as a text for the workshop's cache. `lesson_hash`
// stands for the lesson.
std::string training_settings(const Method& method, const std::string& lesson_hash,
                              const train::Schedule& schedule);

// From the metadata: answers of experts used, epochs trained and the best of them.
std::vector<ResultRow> training_rows(const ResultRow& where, const PolicyFile& file);

}  // namespace ifd::experiments
