#include "experiments/jobs/people_on_duty.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "experiments/result/labels.h"
#include "tests/invented_people.h"

namespace ifd::experiments {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

class PeopleOnDuty : public testing::TestWithParam<std::uint64_t> {
 protected:
  Duty duty(CohortSize size, Protocol protocol) const {
    return {people_, size, kLowTarget, GetParam(), protocol};
  }
  static std::vector<std::string> names(const Duty& duty, const GroupName& group) {
    std::vector<std::string> all;
    for (const SpecialistProfile& expert : duty.experts(group)) all.push_back(expert.name);
    return all;
  }

  const RealAnnotators people_ = invented_people();
};

// Two of the side's four train and the other two are ID, each in the seat of the one of the same
// group.
TEST_P(PeopleOnDuty, InAPopulationSeenAndIdPartitionThePool) {
  const Duty two = duty(CohortSize::kTwo, Protocol::kPopulation);
  EXPECT_THAT(two.groups(), ElementsAre(kSeen, kId, kOod));
  EXPECT_THAT(two.unseen(), ElementsAre(kId, kOod));
  const auto seen = names(two, kSeen), id = names(two, kId);
  ASSERT_THAT(seen, SizeIs(2));
  ASSERT_THAT(id, SizeIs(2));
  std::set<std::string> pool(seen.begin(), seen.end());
  pool.insert(id.begin(), id.end());
  EXPECT_THAT(pool, ElementsAre("animals-1", "animals-2", "household-1", "household-2"));
  for (std::size_t seat = 0; seat < 2; ++seat) {
    EXPECT_EQ(two.experts(kSeen)[seat].specialties, two.experts(kId)[seat].specialties);
  }
  for (const std::string& name : names(two, kOod)) EXPECT_FALSE(pool.contains(name)) << name;
}

TEST_P(PeopleOnDuty, WhereAllFourTrainNobodyIsLeftToBeId) {
  const Duty four = duty(CohortSize::kFour, Protocol::kPopulation);
  EXPECT_THAT(four.groups(), ElementsAre(kSeen, kOod));
  EXPECT_THAT(four.unseen(), ElementsAre(kOod));
  EXPECT_THAT(names(four, kSeen),
              ElementsAre("animals-1", "animals-2", "household-1", "household-2"));
  EXPECT_THAT(names(four, kOod), ElementsAre("transport-1", "transport-2", "tools-1", "tools-2"));
}

// The paper's ID people are those of the training, the same as are seen in a population.
TEST_P(PeopleOnDuty, InThePaperIdAreThoseOfTheTraining) {
  for (const CohortSize size : {CohortSize::kTwo, CohortSize::kFour}) {
    const Duty paper = duty(size, Protocol::kPaper);
    const Duty population = duty(size, Protocol::kPopulation);
    EXPECT_THAT(paper.groups(), ElementsAre(kId, kOod));
    EXPECT_EQ(paper.trained(), kId);
    EXPECT_EQ(names(paper, kId), names(population, population.trained()));
    EXPECT_EQ(names(paper, kOod), names(population, kOod));
    const AnswerTable of_paper = paper.answers(kId).front().answers;
    const AnswerTable of_population = population.answers(population.trained()).front().answers;
    for (std::size_t i = 0; i < of_paper.cases(); ++i) {
      for (std::size_t j = 0; j < of_paper.experts(); ++j) {
        ASSERT_EQ(of_paper.at(case_id(i), expert_id(j)),
                  of_population.at(case_id(i), expert_id(j)));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, PeopleOnDuty, testing::Values(0, 1, 2, 3));

}  // namespace
}  // namespace ifd::experiments
