// What a method learns from.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ifd/data/answer_table.h"
#include "ifd/data/expert_context.h"
#include "ifd/data/predictions.h"
#include "ifd/policy/policy_calibration.h"
#include "train/context_sampler.h"
#include "train/early_stopping.h"

namespace ifd::train {

struct JointLesson;  // joint_trainer.h

// Fingerprints of data by what it is for: "predictions", "context", ...
using Fingerprints = std::vector<std::pair<std::string, std::string>>;

// A view: what it refers to must outlive it.
struct Lesson {
  const Predictions& training;              // labelled
  const Validation& validation;             // the experts of `contexts`, in their order
  std::span<const ExpertContext> contexts;  // one for each expert
  const AnswerTable* answers = nullptr;     // of these experts on the training cases; null: none
  const JointLesson* joint = nullptr;       // a classifier that learns too; null: it is frozen
  std::optional<PolicyCalibration> calibration = {};        // of the training and validation cases
  Fingerprints data = {};                                   // of what all this was made from
  std::string context_place = "the contexts";               // where they come from, for messages
  ContextCoverage coverage = ContextCoverage::kEveryClass;  // what they must hold
};

}  // namespace ifd::train
