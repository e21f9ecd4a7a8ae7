#include "train/training_inputs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ifd/data/predictions_file.h"
#include "ifd/policy/roster.h"
#include "tests/refusal.h"
#include "tests/scratch_directory.h"
#include "tests/synthetic_problem.h"
#include "train/ifd_trainer.h"

namespace ifd::train {
namespace {

// The classifier of the problem, too sure of itself: its logits are doubled.
Predictions overconfident(const Predictions& predictions) {
  return calibrated(predictions, Calibration{2, {}});
}

// Calibrating before the training is the training's own calibration, bit for bit.
TEST(TrainingInputs, CalibrationIsThatOfTheCore) {
  const SyntheticProblem problem = synthetic_problem(3, 400, 1);
  const Predictions training = overconfident(problem.training);
  const Predictions validation = overconfident(problem.validation);
  for (const auto kind : {CalibrationKind::kTemperature, CalibrationKind::kBias}) {
    for (const auto source : {CalibrationSource::kValidation, CalibrationSource::kContext}) {
      Predictions a = training, b = validation;
      const auto made = calibrate(a, b, problem.contexts, {kind, source}, "train.npz");
      ASSERT_TRUE(made);
      const bool on_validation = source == CalibrationSource::kValidation;
      const Predictions cases =
          on_validation ? validation : context_cases(training, problem.contexts);
      const Calibration expected = fit_calibration(cases, kind);
      EXPECT_EQ(made->fitted.scale, expected.scale);
      EXPECT_EQ(made->fitted.bias, expected.bias);
      EXPECT_EQ(made->cases, cases.size());
      EXPECT_EQ(a.parts().probabilities, calibrated(training, expected).parts().probabilities);
      EXPECT_EQ(b.parts().probabilities, calibrated(validation, expected).parts().probabilities);
      EXPECT_EQ(made->ece_before, calibration_quality(validation).expected_calibration_error);
      EXPECT_EQ(made->ece_after, calibration_quality(b).expected_calibration_error);
      EXPECT_LT(made->ece_after, made->ece_before);
      // Only offsets that are stored and applied bind the policy to its classes.
      EXPECT_EQ(made->classes.empty(), !(on_validation && kind == CalibrationKind::kBias));
    }
  }
}

TEST(TrainingInputs, NoCalibrationChangesNothing) {
  const SyntheticProblem problem = synthetic_problem(3, 40, 2);
  Predictions a = problem.training, b = problem.validation;
  EXPECT_FALSE(calibrate(a, b, problem.contexts, {}, "train.npz"));
  EXPECT_EQ(a.parts().probabilities, problem.training.parts().probabilities);
}

TEST(TrainingInputs, AContextOfOtherCasesCalibratesNothing) {
  const SyntheticProblem problem = synthetic_problem(3, 40, 2);
  Predictions a = problem.training, b = problem.validation;
  auto contexts = problem.contexts;
  for (auto& context : contexts) {
    for (auto& row : context.rows) row.case_name += "x";
  }
  EXPECT_EQ(refusal([&] {
              calibrate(a, b, contexts,
                        {CalibrationKind::kTemperature, CalibrationSource::kContext}, "train.npz");
            }),
            "train.npz: none of the context's cases is there, so there is nothing to calibrate on; "
            "expected them among the training cases");
}

// The context is of training cases, by their row numbers where these have no names, whatever the
// validation rows of the same numbers are.
TEST(TrainingInputs, ContextsBelongToTheTrainingCases) {
  const SyntheticProblem problem = synthetic_problem(3, 40, 4);
  const ScratchDirectory scratch;
  const auto without_names = [](const Predictions& predictions) {
    Predictions::Parts parts = predictions.parts();
    parts.cases.clear();
    return Predictions(std::move(parts));
  };
  write_predictions(scratch / "train.npz", without_names(problem.training));
  write_predictions(scratch / "val.npz", without_names(problem.validation));
  std::string context = "expert,case,answer\n";
  for (std::size_t row = 0; row < 40; ++row) {
    context += "ann," + std::to_string(row) + ",0\nbob," + std::to_string(row) + ",1\n";
  }
  scratch.put("context.csv", context);
  TrainingFiles files;
  files.predictions = scratch / "train.npz";
  files.validation = scratch / "val.npz";
  files.context = scratch / "context.csv";
  const TrainingInputs inputs = read_inputs(files, {});
  ASSERT_EQ(inputs.contexts.size(), 2U);
  for (std::size_t row = 0; row < 40; ++row) {
    EXPECT_EQ(inputs.contexts[0].rows[row].truth, problem.training.label(row));
  }
  // A truth that is another than the label says that the context is of another file.
  const std::size_t label = index(problem.training.label(7));
  scratch.put("context.csv",
              "expert,case,answer,truth\nann,7,0," + std::to_string((label + 1) % 3) + "\n");
  EXPECT_EQ(
      refusal([&] { read_inputs(files, {}); }),
      fmt::format(
          "{}:2: truth '{}' for case '7', but the label of that row is '{}'; expected "
          "the same, or names of the cases in an array 'cases' of the predictions, or --truth "
          "row",
          files.context.string(), (label + 1) % 3, label));
}

// The same bytes, taken for something else, are other data: a training is not resumed with them.
TEST(TrainingInputs, FormatOfTheAnswersIsPartOfTheirHash) {
  const ScratchDirectory scratch;
  scratch.put("context.csv", "expert,case,answer,truth\nann,x,0,0\n");
  TrainingFiles files;
  files.context = scratch / "context.csv";
  const Fingerprints usual = file_hashes(files);
  EXPECT_EQ(file_hashes(files), usual);
  files.answers_format.truth = TruthKind::kRow;
  EXPECT_NE(file_hashes(files), usual);
  files.answers_format = {};
  files.answers_format.blanks = BlankAnswers::kSkip;
  EXPECT_NE(file_hashes(files), usual);
}

}  // namespace
}  // namespace ifd::train
