#include "experiments/report/result_csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/claims/named_cells.h"
#include "ifd/error.h"

namespace ifd::experiments {
namespace {

using testing::StartsWith;

std::vector<ResultRow> some_rows() {
  const Cell cell = area(DataName("blood"), kVariable, kOod, kIfdPeak);
  return {{cell, 0, .8}, {cell, 1, .9}, {people_area(kTwoPeople, kId, kPlugIn, 95), 2, .7}};
}

TEST(ResultCsv, RoundTrips) {
  auto rows = some_rows();
  rows[0].value = 0.1 + 0.2;
  rows[1].value = -1e-300;
  rows[1].x = 0.05;
  rows[2].setting = at_low_and_noise(.20, 95);
  EXPECT_EQ(rows_from_csv(to_csv(rows), "results.csv"), rows);
}

// The columns and their order are what others read.
TEST(ResultCsv, HasAColumnForEachLabel) {
  EXPECT_THAT(
      to_csv(some_rows()),
      StartsWith("experiment,data,experts,group,method,setting,scale,measure,x,cohort,value\n"
                 "table1,blood,variable,ood,ifd-peak,,probability,aursac,0,0,0.8\n"));
}

TEST(ResultCsv, RefusesWhatIsNoResult) {
  EXPECT_THROW(rows_from_csv("a,b\n1,2\n", "results.csv"), Error);
  std::string broken = to_csv(some_rows());
  broken.replace(broken.find(",0,0.8\n"), 3, ",-1,");
  EXPECT_THROW(rows_from_csv(broken, "results.csv"), Error);
}

}  // namespace
}  // namespace ifd::experiments
