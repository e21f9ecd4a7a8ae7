// From files to what the trainers learn from.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ifd/data/answer_table.h"
#include "ifd/data/answers_format.h"
#include "ifd/data/expert_context.h"
#include "ifd/data/predictions.h"
#include "ifd/data/predictions_file.h"
#include "ifd/data/read_options.h"
#include "ifd/policy/policy_calibration.h"
#include "train/early_stopping.h"
#include "train/lesson.h"

namespace ifd::train {

struct TrainingFiles {
  std::filesystem::path predictions, validation, context;
  std::filesystem::path answers, validation_answers;  // empty: none
  std::filesystem::path classifier, images;           // of a joint training, instead of predictions
  ReadLimits limits = {};                             // of all of them
  PredictionsFormat format = {};                      // of both predictions
  NoteSink notes = {};                                // what was taken for granted about the files
  AnswersFormat answers_format = {};                  // of context and answers
};

// A calibration as it is asked for; kNone leaves the predictions as they are.
struct CalibrationChoice {
  CalibrationKind kind = CalibrationKind::kNone;
  CalibrationSource source = CalibrationSource::kValidation;
};

struct TrainingInputs {
  Predictions training;  // labelled; calibrated, as the validation cases are
  std::vector<ExpertContext> contexts;
  Validation validation;
  std::optional<AnswerTable> answers;  // the experts of the contexts, in their order
  double validation_ece = 0;           // expected calibration error of the classifier as it came
  std::optional<PolicyCalibration> calibration = {};
};

// Error(kBadInput), naming the file, for what does not fit together.
TrainingInputs read_inputs(const TrainingFiles& files, const CalibrationChoice& calibration);
// The same with predictions from elsewhere; `place` is where.
struct LabelledCases {
  Predictions training, validation;
};
TrainingInputs read_inputs(LabelledCases cases, const std::string& place,
                           const TrainingFiles& files, const CalibrationChoice& calibration);

// Calibrates training and validation cases alike and says how; none for kNone. `place` is the file
// of the training predictions.
std::optional<PolicyCalibration> calibrate(Predictions& training, Predictions& validation,
                                           std::span<const ExpertContext> contexts,
                                           const CalibrationChoice& choice,
                                           const std::string& place);

// "predictions", "validation", "context", "answers", "validation_answers", "classifier", "images";
// those that are there. A context or answers that are taken for something unusual hash differently.
Fingerprints file_hashes(const TrainingFiles& files);

}  // namespace ifd::train
