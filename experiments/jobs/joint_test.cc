#include "experiments/jobs/joint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "experiments/jobs/workshop.h"
#include "experiments/result/labels.h"
#include "tests/coloured_shapes.h"
#include "tests/scratch_directory.h"

namespace ifd::experiments {
namespace {

class JointJobs : public testing::Test {
 protected:
  JointJobs() {
    scratch_.put("shapes.npz", train::coloured_shapes_npz(45, 12));
    effort_.joint_cohorts = 1;
    effort_.epochs = effort_.joint_epochs = 2;
    images_ = std::make_unique<PretrainedImages>(
        pretrained_images(workshop_, {DataName("shapes"), 1, 1e-3}, scratch_ / "shapes.npz", {},
                          [](const std::string&) {}));
  }
  JobResult run(const std::string& name) {
    for (const Job& job : joint_jobs(*images_, effort_)) {
      if (job.name == "joint/shapes/" + name + "/cohort-0") return job.run(workshop_);
    }
    ADD_FAILURE() << name;
    return {};
  }
  // The rows of a method by all that they are rows of but the classifier.
  static std::map<Cell, ResultRow> rows_of(const JobResult& result, const MethodName& method) {
    std::map<Cell, ResultRow> found;
    for (ResultRow row : result.rows) {
      if (row.method != method) continue;
      row.setting = {};
      EXPECT_TRUE(found.emplace(row, row).second);
    }
    return found;
  }

  ScratchDirectory scratch_;
  Workshop workshop_{scratch_ / "cache", "code"};
  Effort effort_;
  std::unique_ptr<PretrainedImages> images_;
};

// A classifier that does not move reads what the frozen one reads: whoever is asked, with whatever
// context and answers, plug-in beside it has the frozen plug-in's numbers, resamples included.
TEST_F(JointJobs, AClassifierThatDoesNotMoveIsTheFrozenOne) {
  effort_.classifier_rate = 0;
  const auto frozen = rows_of(run("plug-in/frozen"), kPlugIn);
  EXPECT_EQ(frozen.size(), 3U * 8);  // groups; areas, model, AURDAC, small budgets
  EXPECT_EQ(rows_of(run("ifd-peak/joint"), kPlugIn), frozen);
}

// Answers are simulated from the pretrained classifier's features, also where it has moved on.
TEST_F(JointJobs, FrozenAndJointMeetTheSameAnswers) {
  effort_.classifier_rate = 1e-3;
  const auto frozen = run("plug-in/frozen");
  EXPECT_EQ(rows_of(frozen, kExperts).size(), 3U);
  std::size_t moved = 0;
  for (const char* name : {"ifd-peak/joint", "pop-qi/joint", "multi-expert/joint"}) {
    const JobResult joint = run(name);
    EXPECT_EQ(rows_of(joint, kExperts), rows_of(frozen, kExperts)) << name;
    moved += rows_of(joint, kPlugIn) != rows_of(frozen, kPlugIn) ? 1 : 0;
  }
  EXPECT_GT(moved, 0U) << "every classifier stayed as it was";
}

TEST_F(JointJobs, AreReproducible) {
  for (const char* name : {"pop-qi/joint", "multi-expert/joint"}) {
    EXPECT_EQ(run(name).rows, run(name).rows) << name;
  }
}

// Nobody was trained with an OOD expert, so Multi-Expert L2D has no column for one.
TEST_F(JointJobs, MeasureEveryGroupThatAMethodKnows) {
  std::set<std::string> names;
  for (const Job& job : joint_jobs(*images_, effort_)) {
    EXPECT_TRUE(names.insert(job.name).second) << job.name;
    std::set<GroupName> groups;
    for (const ResultRow& row : job.run(workshop_).rows) {
      if (row.measure == kAursac && row.method != kPlugIn) groups.insert(row.group);
    }
    const std::size_t expected = job.name.starts_with("joint/shapes/plug-in")        ? 0
                                 : job.name.starts_with("joint/shapes/multi-expert") ? 2
                                                                                     : 3;
    EXPECT_EQ(groups.size(), expected) << job.name;
  }
  EXPECT_EQ(names.size(), 7U);
}

}  // namespace
}  // namespace ifd::experiments
