// The calibration a policy was trained with. Its file says so, and whoever uses the policy hands it
// probabilities that are calibrated in the same way.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ifd/data/expert_context.h"
#include "ifd/data/predictions.h"
#include "ifd/policy/calibration.h"
#include "ifd/policy/policy_file.h"

namespace ifd {

// kValidation: fitted once, on the validation cases of the training, and stored. kContext: fitted
// anew on the context in use, so that it follows the data and a coherent relabelling permutes it.
enum class CalibrationSource { kValidation, kContext };

struct PolicyCalibration {
  CalibrationKind kind = CalibrationKind::kTemperature;  // never kNone
  CalibrationSource source = CalibrationSource::kValidation;
  Calibration fitted;     // in the training
  std::size_t cases = 0;  // that it was fitted on
  double ece_before = 0;  // expected calibration error on the validation cases
  double ece_after = 0;
  // Of a stored bias, whose offsets belong to classes: the policy works for these only.
  std::vector<std::string> classes = {};
};

// The words of the metadata and of the command line: temperature, bias; validation, context.
const char* word_for(CalibrationKind kind);
const char* word_for(CalibrationSource source);

// The metadata "calibration" as a JSON object, and back; none where the file asks for none.
// Error(kBadInput) for what makes no sense.
std::string to_json(const PolicyCalibration& calibration);
std::optional<PolicyCalibration> policy_calibration(const PolicyFile& file);

// The context's cases that the predictions know, once each, with the context's truth.
// Error(kConflict) where two experts have different truths for a case.
Predictions context_cases(const Predictions& predictions, std::span<const ExpertContext> contexts);

// What a calibration of source kValidation does to predictions of `classes`. `place` is the
// policy's file in messages. Error(kBadInput) where the policy is bound to other classes.
Calibration stored_calibration(const PolicyCalibration& calibration, const ClassNames& classes,
                               const std::string& place);

}  // namespace ifd
