#include "train/training_inputs.h"

#include <gtest/gtest.h>

#include "ifd/policy/roster.h"
#include "tests/refusal.h"
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

}  // namespace
}  // namespace ifd::train
