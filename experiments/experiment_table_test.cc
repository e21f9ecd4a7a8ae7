#include "experiments/experiment_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "experiments/result/labels.h"

namespace ifd::experiments {
namespace {

using testing::ElementsAre;

std::vector<ExperimentName> names_of(const std::vector<Experiment>& some) {
  std::vector<ExperimentName> names;
  for (const Experiment& experiment : some) names.push_back(experiment.name);
  return names;
}

TEST(ExperimentTable, EveryRowIsComplete) {
  std::set<ExperimentName> names;
  for (const Experiment& experiment : experiments()) {
    SCOPED_TRACE(experiment.name.text());
    EXPECT_TRUE(names.insert(experiment.name).second);
    EXPECT_FALSE(experiment.title.empty());
    EXPECT_NE(experiment.write, nullptr);
  }
}

// Who is measured by another's jobs names one that has jobs.
TEST(ExperimentTable, WhoHasNoJobsNamesWhoHas) {
  for (const Experiment& experiment : experiments()) {
    const auto* by = work_of<MeasuredBy>(experiment);
    if (by == nullptr) continue;
    EXPECT_THAT(names_of(experiments_to_run({experiment.name})), ElementsAre(by->experiment));
  }
}

// Cross-fitting takes five classifiers more, so it is made where its experiment runs alone.
TEST(ExperimentTable, OneExperimentNeedsFolds) {
  for (const Experiment& experiment : experiments()) {
    const auto* work = work_of<OnDataSets>(experiment);
    if (work == nullptr) continue;
    EXPECT_EQ(work->folds, experiment.name == kCrossFit ? 5U : 0U) << experiment.name.text();
    EXPECT_FALSE(work->folds > 0 && work->takes(kGeneratedData)) << experiment.name.text();
  }
}

TEST(ExperimentTable, WhatIsWantedRunsOnceAndInOrder) {
  EXPECT_THAT(names_of(experiments_to_run({kInvariance, kToy, kTable1})),
              ElementsAre(kToy, kTable1));
  EXPECT_THAT(names_of(experiments_to_run({kAblation, kInvariance})),
              ElementsAre(kTable1, kAblation));
  EXPECT_TRUE(experiments_to_run({}).empty());
  EXPECT_EQ(experiments_to_run(experiment_names()).size() + 1, experiments().size());
}

// Every experiment runs one way or the other.
TEST(ExperimentTable, WhatIsNotNamedRunsOnlyIfItAlwaysDoes) {
  EXPECT_THAT(experiment_names(Runs::kWhenNamed), ElementsAre(kCrossFit, kPopContext, kJoint));
  EXPECT_EQ(experiment_names(Runs::kAlways).size() + 3, experiments().size());
  EXPECT_THAT(names_of(experiments_to_run({kJoint})), ElementsAre(kJoint));
}

}  // namespace
}  // namespace ifd::experiments
