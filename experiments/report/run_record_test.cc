#include "experiments/report/run_record.h"

#include <gtest/gtest.h>

namespace ifd::experiments {
namespace {

// Jobs side by side count once, and what lies between two runs does not count.
TEST(WorkingTime, IsTheUnionOfAllJobs) {
  RunRecord run;
  EXPECT_EQ(working_time(run).pieces, 0U);
  const auto add = [&](double began, double seconds) {
    run.results.emplace_back();
    run.results.back().began = began;
    run.results.back().seconds = seconds;
  };
  add(1000, 100);
  add(1050, 20);   // within the first
  add(1090, 60);   // goes on after it
  add(1180, 10);   // half a minute later
  add(0, 0);       // failed
  add(9000, 300);  // another run
  EXPECT_EQ(working_time(run).seconds, 150 + 10 + 300);
  EXPECT_EQ(working_time(run).pieces, 2U);
}

}  // namespace
}  // namespace ifd::experiments
