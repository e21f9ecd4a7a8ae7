#include "experiments/jobs/cohort_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "experiments/jobs/generated_data_set.h"

namespace ifd::experiments {
namespace {

using testing::SizeIs;

class Cohorts : public testing::TestWithParam<std::uint64_t> {
 protected:
  const DataSet data_set_ = generated_data_set(0);
};

// Specialties partition the classes; unseen experts of a specialty share it, not the context.
TEST_P(Cohorts, GroupsPartitionTheClassesAndContextsDiffer) {
  const CohortData data = make_cohort_data(data_set_, Archetype::kVariable, GetParam());
  std::set<ClassId> all(data.cohort.id_specialties.begin(), data.cohort.id_specialties.end());
  all.insert(data.cohort.ood_specialties.begin(), data.cohort.ood_specialties.end());
  EXPECT_THAT(all, SizeIs(6));
  ASSERT_THAT(data.groups, SizeIs(3));
  EXPECT_THAT(data.groups[0].experts, SizeIs(3));
  for (const ExpertGroup& group : data.groups) {
    for (const ExpertContext& context : group.contexts) EXPECT_THAT(context.rows, SizeIs(6 * 15));
  }
  std::set<std::string> seen, id;
  for (const auto& row : data.groups[0].contexts[0].rows) seen.insert(row.case_name);
  for (const auto& row : data.groups[1].contexts[0].rows) id.insert(row.case_name);
  EXPECT_NE(seen, id);
}

// Solvability is a property of the case: experts with the same skills are right on the same cases.
TEST_P(Cohorts, ACaseIsAsHardForTheUnseenAsForTheSeen) {
  const CohortData data = make_cohort_data(data_set_, Archetype::kVariable, GetParam());
  const AnswerTable& seen = data.groups[0].answers;
  const AnswerTable& id = data.groups[1].answers;
  std::size_t other_mistakes = 0;
  for (std::size_t i = 0; i < data_set_.test.size(); ++i) {
    const ClassId truth = data_set_.test.label(i);
    for (std::size_t j = 0; j < seen.experts(); ++j) {
      const Answer of_seen = seen.at(case_id(i), expert_id(j));
      const Answer of_id = id.at(case_id(i), expert_id(j));
      ASSERT_EQ(of_seen.is(truth), of_id.is(truth));
      if (!(of_seen == of_id)) ++other_mistakes;
    }
  }
  EXPECT_GT(other_mistakes, 0U);  // but wrong answers are their own
}

INSTANTIATE_TEST_SUITE_P(Seeds, Cohorts, testing::Values(0, 1, 2));

}  // namespace
}  // namespace ifd::experiments
