#include "experiments/report/calibration_section.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/claims/calibration_gains.h"
#include "tests/invented_results.h"

namespace ifd::experiments {
namespace {

using testing::HasSubstr;

// From the context to all validation cases and from these to the raw classifier, one thing changes
// at each step: together they are what the context gains.
TEST(CalibrationSection, StepsAddUp) {
  Invention of;
  of.cohorts = 4;
  const Summary summary(invent(of).rows());
  const auto places = homes(summary, DataName("blood"));
  ASSERT_EQ(places.size(), 4u);
  for (const GivenClassifier given : {GivenClassifier::kTemperature, GivenClassifier::kBias}) {
    double sum = 0;
    for (const CalibrationStep& step : calibration_steps(given)) {
      sum += change_at(summary, places, step.upper, step.lower)->mean.value;
    }
    EXPECT_NEAR(sum,
                change_at(summary, places, fitted(given, FittedOn::kContext), kRaw)->mean.value,
                1e-12);
  }
}

// Invented: calibrating gives .01 to deferral and .02 to the model's own answers with offsets; on
// the context .015 is lost because the classifier was trained on its cases.
TEST(CalibrationSection, NamesTheLargestSuspectFirst) {
  Invention of;
  of.cohorts = 3;
  of.noise = 0;
  const Summary summary(invent(of).rows());
  const RunRecord run;
  Document document("", "");
  write_calibration(document, {run, summary, kCalibration, "Calibrating"});
  const std::string text = document.html();
  EXPECT_THAT(text,
              HasSubstr("temperature of the context −0.005: −0.015 the classifier was trained "
                        "on the cases, +0.010 calibrating as such"));
  EXPECT_THAT(text, HasSubstr("bias of the context +0.015: +0.030 calibrating as such, −0.015 the "
                              "classifier was trained on the cases"));
}

// By hand: at home the classifier alone is right on .77, and on .70 with offsets of the context.
TEST(CalibrationSection, TellsHowOftenTheClassifierAloneIsRight) {
  std::vector<ResultRow> rows;
  const auto add = [&](const MethodName& method, const ScaleName& scale, const Setting& setting,
                       const MeasureName& measure, double value) {
    rows.push_back({{.experiment = kCalibration,
                     .data = DataName("ham"),
                     .experts = kVariable,
                     .group = kId,
                     .method = method,
                     .setting = setting,
                     .scale = scale,
                     .measure = measure},
                    0,
                    value});
  };
  add(kPlugIn, kProbability, kRaw, kAursac, .8);
  add(kModel, {}, kRaw, kAccuracy, .77);
  add(kModel, {}, fitted(GivenClassifier::kBias, FittedOn::kContext), kAccuracy, .70);
  const Summary summary(rows);
  const RunRecord run;
  Document document("", "");
  write_calibration(document, {run, summary, kCalibration, "Calibrating"});
  EXPECT_THAT(document.markdown(),
              HasSubstr("HAM10000, how often the classifier alone is right: raw 0.770, bias of the "
                        "context 0.700; a temperature changes no answer."));
}

}  // namespace
}  // namespace ifd::experiments
