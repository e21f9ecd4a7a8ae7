// The methods of the tables, by the names they have there.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "experiments/jobs/cohort_data.h"
#include "experiments/jobs/workshop.h"
#include "experiments/result/job_result.h"
#include "ifd/policy/policy_file.h"
#include "train/baseline_trainer.h"
#include "train/ifd_trainer.h"
#include "train/schedule.h"

namespace ifd::experiments {

// A trained method with its settings.
struct Method {
  enum class Kind { kIdentityFree, kPopulation, kMultiExpert };
  std::string name;
  Kind kind = Kind::kIdentityFree;
  train::IfdOptions identity_free = {};
  train::PopulationOptions population = {};
};

// ifd-peak is the paper's: L = 1, six numbers, plain head. ifd-expected rewards expected accuracy
// by posterior means; ifd-residual does so from the plug-in rule on, with twelve numbers.
// pop-qi, pop-qc, pop-qi-perm, pop-qc-perm, multi-expert: the baselines.
Method method_named(const std::string& name);

// What a method learns from. Answers on training cases are read by the baselines only.
struct Lesson {
  const Predictions& training;
  const Predictions& validation;
  std::span<const ExpertContext> contexts;
  const AnswerTable& training_answers;
  const AnswerTable& validation_answers;
};

// A policy file with the number of annotations and the best epoch in its metadata.
PolicyFile train_method(const Method& method, const Lesson& lesson,
                        const train::Schedule& schedule);

// All that the policy depends on but the code, as a text for the workshop's cache. `lesson_hash`
// stands for the lesson.
std::string training_settings(const Method& method, const std::string& lesson_hash,
                              const train::Schedule& schedule);

// From the metadata: answers of experts used, epochs trained and the best of them.
std::vector<ResultRow> training_rows(const ResultRow& where, const PolicyFile& file);

}  // namespace ifd::experiments
