#include "experiments/jobs/small_contexts.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "experiments/jobs/generated_data_set.h"
#include "experiments/jobs/table1.h"
#include "experiments/result/labels.h"

namespace ifd::experiments {
namespace {

std::map<Cell, double> untrained_rows(const std::vector<Job>& jobs, Workshop& workshop) {
  std::map<Cell, double> found;
  for (const Job& job : jobs) {
    if (job.name.find("/untrained/") == std::string::npos) continue;
    for (const ResultRow& row : job.run(workshop).rows) found[row] = row.value;
  }
  return found;
}

// With 15 answers per class they are the experts of Table 1 with their very contexts.
TEST(SmallContexts, FifteenPerClassAreThoseOfTable1) {
  const DataSet data_set = generated_data_set(1);
  Workshop workshop("unused", "test");
  Effort effort;
  effort.cohorts = effort.scaling_cohorts = 1;
  const auto few = untrained_rows(small_context_jobs(data_set, effort), workshop);
  const auto table1 = untrained_rows(table1_jobs(data_set, effort), workshop);
  for (const ExpertsName& experts : {kVariable, kStable}) {
    for (const GroupName& group : {kId, kOod}) {
      for (const MethodName& method : {kPlugIn, kPeakRule, kConfidence, kConformal}) {
        Cell cell{.experiment = kTable1,
                  .data = data_set.name,
                  .experts = experts,
                  .group = group,
                  .method = method,
                  .scale = kProbability,
                  .measure = kAursac};
        const double published = table1.at(cell);
        cell.experiment = kSmallContexts;
        cell.x = 15;
        EXPECT_EQ(few.at(cell), published);
        cell.x = 1;
        EXPECT_TRUE(method != kPlugIn || few.at(cell) != published) << to_text(cell);
      }
    }
  }
}

// What is made of the answers is another label wherever the model and the expert disagree.
TEST(SmallContexts, CombineAnswersUnderTheStaffPrior) {
  const DataSet data_set = generated_data_set(1);
  Workshop workshop("unused", "test");
  Effort effort;
  effort.cohorts = effort.scaling_cohorts = 1;
  const auto few = untrained_rows(small_context_jobs(data_set, effort), workshop);
  for (const double answers : {1., 15.}) {
    Cell cell{.experiment = kSmallContexts,
              .data = data_set.name,
              .experts = kVariable,
              .group = kOod,
              .method = kPlugInStaffPrior,
              .scale = kProbability,
              .measure = kAursac,
              .x = answers};
    const double final_answers = few.at(cell);
    cell.measure = kModelAlone;
    const double alone = few.at(cell);
    cell.method = kStaffPriorCombined;
    EXPECT_EQ(few.at(cell), alone);
    cell.measure = kAursac;
    EXPECT_NE(few.at(cell), final_answers);
  }
}

// Only the area over all budgets keeps its resamples.
TEST(SmallContexts, KeepResamplesOfOneAreaAlone) {
  const DataSet data_set = generated_data_set(1);
  Workshop workshop("unused", "test");
  Effort effort;
  effort.cohorts = effort.scaling_cohorts = 1;
  for (const Job& job : small_context_jobs(data_set, effort)) {
    if (job.name != "small-contexts/generated/variable/untrained/cohort-0") continue;
    const auto rows = job.run(workshop).rows;
    EXPECT_GT(rows.size(), 0U);
    for (const ResultRow& row : rows) {
      EXPECT_EQ(row.replicates.empty(), row.measure != kAursac) << to_text(row);
    }
  }
}

}  // namespace
}  // namespace ifd::experiments
