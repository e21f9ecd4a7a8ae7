#include "experiments/jobs/combined.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "experiments/jobs/generated_data_set.h"
#include "experiments/jobs/scorers.h"
#include "experiments/jobs/table1.h"
#include "experiments/jobs/workshop.h"
#include "experiments/result/labels.h"
#include "tests/invented_sleep.h"
#include "tests/scratch_directory.h"

namespace ifd::experiments {
namespace {

JobResult run_named(const std::vector<Job>& jobs, const std::string& name) {
  const ScratchDirectory scratch;
  Workshop workshop(scratch / "cache", "code");
  for (const Job& job : jobs) {
    if (job.name == name) return job.run(workshop);
  }
  ADD_FAILURE() << name;
  return {};
}

// The same experts on the same cases as in Table 1: final answers, not calibrated, are its plug-in.
TEST(Combined, FinalAnswersAreTable1s) {
  const DataSet data_set = generated_data_set(0);
  const Effort effort = quick_effort();
  const JobResult combined =
      run_named(combined_jobs(data_set, effort), "combined/generated/stable/cohort-1");
  const JobResult table1 =
      run_named(table1_jobs(data_set, effort), "table1/generated/stable/untrained/cohort-1");
  std::size_t compared = 0;
  for (const ResultRow& row : combined.rows) {
    if (row.method != kPlugIn || row.setting != kRaw || row.measure != kAursac) continue;
    for (const ResultRow& other : table1.rows) {
      if (other.group != row.group || other.method != kPlugIn || other.measure != kAursac ||
          other.scale != kProbability) {
        continue;
      }
      EXPECT_EQ(row.value, other.value);
      ++compared;
    }
  }
  EXPECT_EQ(compared, 2u);
  // Groups, classifiers, methods; ranges, the model alone and AURDAC, small budgets.
  EXPECT_EQ(combined.rows.size(), 2u * 3 * 3 * (3 + 2 + 3));
}

// Both experiments say the same of the same pairs, contexts and calibration.
TEST(Combined, ScorersAgreeWithTheExperimentOfTheirOwn) {
  const SleepScorers scorers = invented_sleep();
  Effort effort = quick_effort();
  effort.resamples = 5;
  const JobResult combined =
      run_named(combined_scorers_jobs(scorers, effort), "combined/dodh/draw-0");
  const JobResult alone = run_named(scorers_jobs(scorers, effort), "scorers/untrained/draw-0");
  std::set<std::tuple<MethodName, MeasureName, double>> compared;
  for (const ResultRow& row : combined.rows) {
    if (row.setting != kTemperatureOfOthers || row.group != kEverybody) continue;
    for (const ResultRow& other : alone.rows) {
      if (other.setting != kFifteenPerClass || other.method != row.method ||
          other.measure != row.measure || other.x != row.x) {
        continue;
      }
      EXPECT_EQ(row.value, other.value) << to_text(row);
      compared.emplace(row.method, row.measure, row.x);
    }
  }
  // Three areas and three small budgets with their ends for each; differences with theirs.
  EXPECT_EQ(compared.size(), 18u + 36u);
}

}  // namespace
}  // namespace ifd::experiments
