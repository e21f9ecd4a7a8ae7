#include "experiments/result/job_result.h"

#include <gtest/gtest.h>

#include "experiments/result/labels.h"
#include "ifd/error.h"

namespace ifd::experiments {
namespace {

// Seven digits are all that is kept of a replicate, so those of a job lie on that grid.
TEST(JobResult, ReadsTheReplicatesThatWereWritten) {
  JobResult result;
  ResultRow row{{.experiment = kTable1, .measure = kAursac, .x = .5}, 3, 1.0 / 3};
  for (int step = 0; step < 1000; ++step) {
    row.replicates.push_back(static_cast<double>(step * 9973 - 1000000) / kReplicateSteps);
  }
  result.rows = {row, {{.experiment = kTable1, .measure = kAurdac}, 0, .25}};
  EXPECT_EQ(result_from_json(to_json(result, "job", "key")), result);
}

TEST(JobResult, RefusesReplicatesThatAreNoSteps) {
  const auto with = [](const std::string& replicates) {
    return R"({"began":0,"seconds":0,"processor_seconds":0,"points":[],"rows":[)"
           R"(["","","","","","","","",0,0,0.5,)" +
           replicates + "]]}";
  };
  EXPECT_EQ(result_from_json(with("[1]")).rows[0].replicates, std::vector<double>{1e-7});
  for (const char* bad : {"3", "[0.5]", "[\"1\"]", "[99999999999]"}) {
    SCOPED_TRACE(bad);
    EXPECT_THROW(result_from_json(with(bad)), Error);
  }
}

}  // namespace
}  // namespace ifd::experiments
