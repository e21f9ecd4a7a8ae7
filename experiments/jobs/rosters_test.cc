#include "experiments/jobs/rosters.h"

#include <gtest/gtest.h>

#include <map>

#include "experiments/jobs/generated_data_set.h"
#include "experiments/result/labels.h"

namespace ifd::experiments {
namespace {

// Nobody's luck is shared, whoever the experts are.
TEST(Rosters, HaveLuckOfTheirOwn) {
  for (const Protocol protocol : {Protocol::kPopulation, Protocol::kPaper}) {
    const auto experts = large_roster(16, 5, {protocol, 3});
    ASSERT_EQ(experts.size(), 16U);
    for (const SimulatedExpert& expert : experts) EXPECT_EQ(expert.shared_luck, 0) << expert.name;
  }
}

// Of what is measured: the ceiling knows the experts and does not depend on their contexts, lower
// bounds promise less than means, and with more experts who have luck of their own it rises.
TEST(Rosters, KnowWhatTheyMeasure) {
  const DataSet data_set = generated_data_set(1);
  Workshop workshop("unused", "test");
  Effort effort;
  effort.cohorts = 1;
  std::map<Cell, double> found;
  for (const Job& job : roster_jobs(data_set, effort)) {
    for (const ResultRow& row : job.run(workshop).rows) found[row] = row.value;
  }
  const auto at = [&](const MethodName& method, std::size_t answers, const MeasureName& measure,
                      double size) {
    return found.at({.experiment = kRosters,
                     .data = data_set.name,
                     .experts = kVariable,
                     .group = kEverybody,
                     .method = method,
                     .setting = answers_per_class(answers),
                     .scale = kProbability,
                     .measure = measure,
                     .x = size});
  };
  for (const double size : {4., 8., 16., 32., 64.}) {
    EXPECT_EQ(at(kCeiling, 5, kAursac, size), at(kCeiling, 15, kAursac, size));
    EXPECT_LT(at(kPlugInLowerBound, 5, kPromisedMinusKeptByAll, size),
              at(kPlugIn, 5, kPromisedMinusKeptByAll, size));
    EXPECT_GT(at(kPlugIn, 5, kPromisedMinusKept, size),
              at(kPlugIn, 5, kPromisedMinusKeptByAll, size) - .05);
  }
  EXPECT_GE(at(kCeiling, 15, kAursac, 64), at(kCeiling, 15, kAursac, 4));
}

}  // namespace
}  // namespace ifd::experiments
