#include "experiments/jobs/pop_context.h"

#include <gtest/gtest.h>

#include <map>

#include "experiments/jobs/generated_data_set.h"
#include "experiments/jobs/table1.h"
#include "experiments/result/labels.h"
#include "tests/scratch_directory.h"

namespace ifd::experiments {
namespace {

std::map<Cell, double> pop_qi_areas(const std::vector<Job>& jobs, Workshop& workshop) {
  std::map<Cell, double> found;
  for (const Job& job : jobs) {
    if (job.name.find("/variable/pop-qi/") == std::string::npos) continue;
    for (const ResultRow& row : job.run(workshop).rows) {
      if (row.measure == kAursac && row.scale == kProbability) found[row] = row.value;
    }
  }
  return found;
}

// Either way is what Table 1 measures where it is asked to draw the contexts from there.
TEST(PopContext, IsTable1EitherWay) {
  const ScratchDirectory scratch;
  const DataSet data_set = generated_data_set(1);
  Workshop workshop(scratch.path(), "test");
  Effort effort;
  effort.cohorts = effort.scaling_cohorts = 1;
  effort.epochs = 2;
  const auto both = pop_qi_areas(pop_context_jobs(data_set, effort), workshop);
  EXPECT_EQ(both.size(), 6U);
  for (const PopContext from : {PopContext::kAllCases, PopContext::kPool}) {
    effort.pop_context = from;
    const auto table1 = pop_qi_areas(table1_jobs(data_set, effort), workshop);
    EXPECT_EQ(table1.size(), 3U);
    for (const auto& [where, area] : table1) {
      Cell cell = where;
      cell.experiment = kPopContext;
      cell.setting = from == PopContext::kPool ? kPoolContexts : kAllCasesContexts;
      EXPECT_EQ(both.at(cell), area) << to_text(cell);
      cell.setting = from == PopContext::kPool ? kAllCasesContexts : kPoolContexts;
      EXPECT_NE(both.at(cell), area) << to_text(cell);
    }
  }
}

}  // namespace
}  // namespace ifd::experiments
