#include "experiments/jobs/scorers.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "experiments/jobs/workshop.h"
#include "experiments/result/labels.h"
#include "ifd/policy/calibration.h"
#include "tests/invented_sleep.h"
#include "tests/scratch_directory.h"

namespace ifd::experiments {
namespace {

Effort brief_effort() {
  Effort effort = quick_effort();
  effort.scorer_pairs = 1;
  effort.resamples = 20;
  effort.epochs = 2;
  return effort;
}

std::map<Cell, double> measured(const SleepScorers& scorers, const std::string& job_name) {
  const ScratchDirectory scratch;
  Workshop workshop(scratch.path(), "test");
  std::map<Cell, double> found;
  for (const Job& job : scorers_jobs(scorers, brief_effort())) {
    if (!job.name.starts_with(job_name)) continue;
    for (const ResultRow& row : job.run(workshop).rows) found[row] = row.value;
  }
  return found;
}

Cell scorers_area(const MethodName& method) {
  return {.experiment = kScorers,
          .data = kDodhData,
          .experts = kTwoScorers,
          .group = kEverybody,
          .method = method,
          .setting = kFifteenPerClass,
          .scale = kProbability,
          .measure = kAursac};
}

TEST(Scorers, EveryMethodTakesPart) {
  const auto found = measured(invented_sleep(), "scorers/");
  for (const MethodName& method : {kIfdPeak, kIfdExpected, kIfdResidual, kPopQi, kPopQc, kPlugIn,
                                   kPlugInCombined, kConfidence, kConformal, kCeiling}) {
    Cell cell = scorers_area(method);
    const double area = found.at(cell);
    EXPECT_LE(area, found.at(scorers_area(kOracle)) + .05) << to_text(cell);
    if (method == kPlugIn) continue;
    cell.measure = minus_plug_in(kAursac);
    EXPECT_DOUBLE_EQ(found.at(cell), area - found.at(scorers_area(kPlugIn))) << to_text(cell);
    if (method != kPopQi && method != kPopQc) continue;
    cell.measure = minus_ifd_peak(kAursac);
    EXPECT_DOUBLE_EQ(found.at(cell), area - found.at(scorers_area(kIfdPeak))) << to_text(cell);
  }
}

// Networks' votes that are surer or less sure are the same votes once calibrated, and features are
// made of those: L2D-Pop, which reads them, learns and decides the same.
TEST(Scorers, PopDecidesByCalibratedProbabilities) {
  const SleepScorers scorers = invented_sleep();
  SleepScorers surer = scorers;
  surer.epochs = calibrated(scorers.epochs, {2, {}});
  for (const char* job : {"scorers/pop-qi", "scorers/pop-qc"}) {
    const auto found = measured(scorers, job), sharpened = measured(surer, job);
    ASSERT_FALSE(found.empty());
    const Cell cell = scorers_area(MethodName(std::string(job).substr(8)));
    EXPECT_NEAR(sharpened.at(cell), found.at(cell), 1e-3);
  }
}

}  // namespace
}  // namespace ifd::experiments
