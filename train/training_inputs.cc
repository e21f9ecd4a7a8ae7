#include "train/training_inputs.h"

#include <fmt/format.h>

#include <algorithm>

#include "ifd/data/answers_file.h"
#include "ifd/data/class_order.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/predictions_file.h"
#include "ifd/error.h"
#include "ifd/fnv_hash.h"
#include "ifd/policy/roster.h"
#include "train/context_sampler.h"

namespace ifd::train {
namespace {

ReadOptions reading(const TrainingFiles& files) { return {files.limits, files.notes}; }

// The answers with the experts of the contexts in their order, none missing.
AnswerTable complete_answers(const std::filesystem::path& path, const Predictions& predictions,
                             std::span<const ExpertContext> contexts, const TrainingFiles& files) {
  const AnswersFile file = read_answers(path, predictions, reading(files), files.answers_format);
  std::vector<std::string> names;
  for (const ExpertContext& context : contexts) names.push_back(context.expert);
  AnswerTable aligned(names, predictions.size());
  for (std::size_t j = 0; j < names.size(); ++j) {
    const auto& there = file.table.expert_names();
    const auto column =
        static_cast<std::size_t>(std::find(there.begin(), there.end(), names[j]) - there.begin());
    for (std::size_t i = 0; i < predictions.size(); ++i) {
      if (column == there.size() || file.table.at(case_id(i), expert_id(column)).is_missing()) {
        throw bad_input(fmt::format(
            "{}: no answer of expert '{}' on case '{}'; expected every expert of the context on "
            "every case",
            path.string(), names[j], predictions.case_name(i)));
      }
      aligned.set(case_id(i), expert_id(j), file.table.at(case_id(i), expert_id(column)));
    }
  }
  return aligned;
}

void require_labelled_cases(const Predictions& predictions, const std::string& place,
                            const char* purpose) {
  if (predictions.size() == 0 || !predictions.has_labels()) {
    throw bad_input(fmt::format("{}: no labelled cases; expected some to {} on", place, purpose));
  }
}

// What is other than usual, so that the same bytes read otherwise are not taken for the same data.
std::string unusual_format(const AnswersFormat& format) {
  const AnswersFormat usual;
  std::string text;
  if (format.truth != usual.truth) text += fmt::format(" truth {}", word_for(format.truth));
  if (format.blanks) text += *format.blanks == BlankAnswers::kSkip ? " skip" : " wrong";
  if (format.labels != usual.labels) text += " numbers";
  return text;
}

}  // namespace

std::optional<PolicyCalibration> calibrate(Predictions& training, Predictions& validation,
                                           std::span<const ExpertContext> contexts,
                                           const CalibrationChoice& choice,
                                           const std::string& place) {
  if (choice.kind == CalibrationKind::kNone) return {};
  PolicyCalibration made{choice.kind, choice.source, {}};
  const bool on_validation = choice.source == CalibrationSource::kValidation;
  const Predictions fit_cases = on_validation ? validation : context_cases(training, contexts);
  if (fit_cases.size() == 0) {
    throw bad_input(
        fmt::format("{}: none of the context's cases is there, so there is nothing to calibrate "
                    "on; expected them among the training cases",
                    place));
  }
  made.fitted = fit_calibration(fit_cases, choice.kind);
  made.cases = fit_cases.size();
  if (on_validation && choice.kind == CalibrationKind::kBias) {
    made.classes = training.classes().names();
  }
  made.ece_before = calibration_quality(validation).expected_calibration_error;
  training = calibrated(training, made.fitted);
  validation = calibrated(validation, made.fitted);
  made.ece_after = calibration_quality(validation).expected_calibration_error;
  return made;
}

TrainingInputs read_inputs(const TrainingFiles& files, const CalibrationChoice& choice) {
  const auto read = [&](const std::filesystem::path& path) {
    return read_predictions(path, files.format, reading(files));
  };
  LabelledCases cases{read(files.predictions), read(files.validation)};
  require_labelled_cases(cases.training, files.predictions.string(), "train");
  require_labelled_cases(cases.validation, files.validation.string(), "validate");
  cases.validation =
      in_class_order(cases.validation, cases.training.classes(), files.validation.string());
  return read_inputs(std::move(cases), files.validation.string(), files, choice);
}

TrainingInputs read_inputs(LabelledCases cases, const std::string& validation_place,
                           const TrainingFiles& files, const CalibrationChoice& choice) {
  auto& [training, validation] = cases;
  std::vector<ExpertContext> contexts = read_contexts(files.context, training.classes(), &training,
                                                      reading(files), files.answers_format);
  check_contexts(contexts, training.classes(), files.context.string());
  const double ece = calibration_quality(validation).expected_calibration_error;
  auto calibration = calibrate(training, validation, contexts, choice, files.predictions.string());
  const Roster roster = make_roster(contexts, training.classes().size());
  Validation scores =
      files.validation_answers.empty()
          ? Validation::from_profiles(validation, roster.names, roster.profiles, validation_place)
          : Validation::from_answers(
                validation, complete_answers(files.validation_answers, validation, contexts, files),
                validation_place);
  std::optional<AnswerTable> answers;
  if (!files.answers.empty()) answers = complete_answers(files.answers, training, contexts, files);
  return {std::move(training),   std::move(contexts), std::move(scores), std::move(answers), ece,
          std::move(calibration)};
}

Fingerprints file_hashes(const TrainingFiles& files) {
  Fingerprints hashes;
  for (const auto& [name, path] : {std::pair{"predictions", &files.predictions},
                                   {"validation", &files.validation},
                                   {"context", &files.context},
                                   {"answers", &files.answers},
                                   {"validation_answers", &files.validation_answers},
                                   {"classifier", &files.classifier},
                                   {"images", &files.images}}) {
    if (path->empty()) continue;
    FnvHash hash;
    hash.add(read_file(*path, files.limits));
    const bool of_answers =
        path == &files.context || path == &files.answers || path == &files.validation_answers;
    const std::string unusual = of_answers ? unusual_format(files.answers_format) : "";
    if (!unusual.empty()) hash.add(unusual);
    hashes.emplace_back(name, hash.hex());
  }
  return hashes;
}

}  // namespace ifd::train
