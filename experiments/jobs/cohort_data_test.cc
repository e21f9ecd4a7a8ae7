#include "experiments/jobs/cohort_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
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
  const CohortData data =
      make_cohort_data(data_set_, Archetype::kVariable, {Protocol::kPopulation, GetParam()});
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

// As the paper has it, luck is a property of the case: experts with the same skills are right on
// the same cases.
TEST_P(Cohorts, InThePaperUnseenExpertsAreRightWhereTheSeenAre) {
  const CohortData data =
      make_cohort_data(data_set_, Archetype::kVariable, {Protocol::kPaper, GetParam()});
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

// In a population an unseen expert of a seen specialty is somebody else: other accuracies, and
// errors that go together with those of the seen one no more than people's do.
TEST_P(Cohorts, InAPopulationUnseenExpertsAreOtherPeople) {
  const CohortData data =
      make_cohort_data(data_set_, Archetype::kVariable, {Protocol::kPopulation, GetParam()});
  const auto& seen = data.groups[0];
  const auto& id = data.groups[1];
  const auto test = data_set_.test.size();
  for (std::size_t j = 0; j < seen.experts.size(); ++j) {
    EXPECT_NE(seen.experts[j].curve_by_class, id.experts[j].curve_by_class);
    double wrong_seen = 0, wrong_id = 0, both = 0;
    for (std::size_t i = 0; i < test; ++i) {
      const ClassId truth = data_set_.test.label(i);
      const bool a = !seen.answers.at(case_id(i), expert_id(j)).is(truth);
      const bool b = !id.answers.at(case_id(i), expert_id(j)).is(truth);
      wrong_seen += a ? 1 : 0;
      wrong_id += b ? 1 : 0;
      both += a && b ? 1 : 0;
    }
    const auto n = static_cast<double>(test);
    const double phi = (n * both - wrong_seen * wrong_id) /
                       std::sqrt(wrong_seen * (n - wrong_seen) * wrong_id * (n - wrong_id));
    EXPECT_GT(phi, .15) << j;
    EXPECT_LT(phi, .6) << j;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Cohorts, testing::Values(0, 1, 2));

}  // namespace
}  // namespace ifd::experiments
