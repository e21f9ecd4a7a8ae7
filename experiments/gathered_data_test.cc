#include "experiments/gathered_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/jobs/generated_data_set.h"
#include "experiments/result/labels.h"
#include "ifd/error.h"
#include "tests/scratch_directory.h"

namespace ifd::experiments {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

Job job_named(std::string name) { return {std::move(name), "", 1, {}}; }

// The order of the jobs is the order of the rows in results.csv.
TEST(PlanJobs, NothingFirstThenDataSetByDataSet) {
  const ScratchDirectory scratch;
  Workshop workshop(scratch / "cache", "code");
  GatheredData data;
  for (const char* name : {"one", "two"}) {
    DataSet data_set = generated_data_set(0);
    data_set.name = DataName(name);
    data.data_sets.push_back(data_set.name);
    workshop.add(std::move(data_set));
  }
  const std::vector<Experiment> some = {
      {ExperimentName("a"),
       "A",
       {OnScorers{[](const SleepScorers&, const Effort&) { return std::vector{job_named("e")}; }},
        OnDataSets{[](const DataSet& set, const Effort&) {
          return std::vector{job_named("a/" + set.name.text())};
        }}},
       nullptr},
      {ExperimentName("b"),
       "B",
       {OnNothing{[](const Effort&) { return std::vector{job_named("b")}; }}},
       nullptr},
      {ExperimentName("c"),
       "C",
       {OnDataSets{[](const DataSet& set, const Effort&) {
                     return std::vector{job_named("c/" + set.name.text())};
                   },
                   {DataName("two")}}},
       nullptr},
      {ExperimentName("d"),
       "D",
       {OnPeople{[](const RealAnnotators&, const Effort&) { return std::vector{job_named("d")}; }}},
       nullptr},
      {ExperimentName("f"),
       "F",
       {OnImages{[](const PretrainedImages& images, const Effort&) {
         return std::vector{job_named("f/" + images.data_set.name.text())};
       }}},
       nullptr},
  };
  std::vector<std::string> names;
  for (const Job& job : plan_jobs(some, data, workshop, {})) names.push_back(job.name);
  EXPECT_THAT(names, ElementsAre("b", "a/one", "a/two", "c/two"));
  EXPECT_THAT(people_not_there(some, data), ElementsAre(kDodhData, kImageNet16HData));

  data.scorers = SleepScorers{generated_data_set(0).test, AnswerTable({"ann"}, 1), {}};
  EXPECT_EQ(plan_jobs(some, data, workshop, {}).back().name, "e");
  EXPECT_THAT(people_not_there(some, data), ElementsAre(kImageNet16HData));

  data.images.push_back({generated_data_set(0), {}, {}, {}, {}});
  const auto jobs = plan_jobs(some, data, workshop, {});
  EXPECT_EQ(jobs[jobs.size() - 2].name, "f/generated");
}

TEST(GatherData, SaysWhatIsNotThereAndAsksForNothingThatIsNotNeeded) {
  const ScratchDirectory scratch;
  Workshop workshop(scratch / "cache", "code");
  const Ranks alone;
  const auto gather = [&](const std::vector<ExperimentName>& wanted, DataPlace::Form form) {
    return gather_data(experiments_to_run(wanted), {scratch.path(), form}, workshop, alone, {});
  };
  EXPECT_THAT(gather({kToy}, DataPlace::Form::kWhole).absent, IsEmpty());
  EXPECT_THAT(gather({kImageNet16H}, DataPlace::Form::kWhole).missing, ElementsAre("imagenet16h/"));
  EXPECT_THAT(gather({kScorers}, DataPlace::Form::kWhole).missing, ElementsAre("dodh/"));
  EXPECT_THAT(gather({kPriors}, DataPlace::Form::kWhole).absent, SizeIs(3));
  EXPECT_THAT(gather({kJoint}, DataPlace::Form::kWhole).absent, SizeIs(2));
  EXPECT_THAT(gather({kJoint, kPriors}, DataPlace::Form::kWhole).absent, SizeIs(3));
  EXPECT_THAT(gather({kCombined}, DataPlace::Form::kQuick).absent, SizeIs(2));
  EXPECT_THAT(gather({kPriors}, DataPlace::Form::kQuick).data_sets, ElementsAre(kGeneratedData));
}

TEST(DataFolder, OneThatWasAskedForMustBeThere) {
  const ScratchDirectory scratch;
  EXPECT_EQ(data_folder(scratch.path()), scratch.path());
  EXPECT_THROW(data_folder(scratch / "nowhere"), Error);
}

}  // namespace
}  // namespace ifd::experiments
