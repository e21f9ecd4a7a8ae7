// What a cohort of simulated experts must satisfy, and the study it is drawn on.
#include "experiments/jobs/cohort_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "experiments/jobs/data_sets.h"
#include "experiments/jobs/invariance.h"
#include "experiments/jobs/measure.h"
#include "experiments/jobs/methods.h"
#include "ifd/policy/policy_catalogue.h"

namespace ifd::experiments {
namespace {

using testing::Each;
using testing::SizeIs;

// A policy file whose network is drawn and not trained: enough for what holds for any weights.
PolicyFile identity_free_file(const Study& study, const CohortData& data) {
  train::Schedule schedule;
  schedule.epochs = 1;
  Method method = method_named("ifd-peak");
  method.settings.set("width", std::size_t{16});
  return train_method(method,
                      {study.training, study.validation, data.seen().contexts,
                       data.training_answers, data.validation_answers},
                      schedule);
}

class Cohorts : public testing::TestWithParam<std::uint64_t> {
 protected:
  const Study study_ = generated_study(0);
};

// Specialties partition the classes; unseen experts of a specialty share it, not the context.
TEST_P(Cohorts, GroupsPartitionTheClassesAndContextsDiffer) {
  const CohortData data = make_cohort_data(study_, Archetype::kVariable, GetParam());
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
  const CohortData data = make_cohort_data(study_, Archetype::kVariable, GetParam());
  const AnswerTable& seen = data.groups[0].answers;
  const AnswerTable& id = data.groups[1].answers;
  std::size_t other_mistakes = 0;
  for (std::size_t i = 0; i < study_.test.size(); ++i) {
    const ClassId truth = study_.test.label(i);
    for (std::size_t j = 0; j < seen.experts(); ++j) {
      ASSERT_EQ(seen.at(i, j).is(truth), id.at(i, j).is(truth));
      if (!(seen.at(i, j) == id.at(i, j))) ++other_mistakes;
    }
  }
  EXPECT_GT(other_mistakes, 0U);  // but wrong answers are their own
}

// The certificate: a coherent relabelling changes no bit of an identity-free policy, and moving the
// experts alone does change it.
TEST_P(Cohorts, CoherentRelabellingsChangeNothingAndExpertOnlyOnesDo) {
  const CohortData data = make_cohort_data(study_, Archetype::kStable, GetParam());
  const auto rows = invariance_rows({}, identity_free_file(study_, data), study_.test,
                                    data.groups[2], 4, GetParam());
  double moved_by_experts = 0;
  for (const ResultRow& row : rows) {
    if (row.setting == "coherent") {
      EXPECT_EQ(row.value, 0) << row.measure;
    }
    if (row.setting == "expert-only") moved_by_experts += row.value;
  }
  EXPECT_GT(moved_by_experts, 0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Cohorts, testing::Values(0, 1, 2));

// Both scales choose the same expert, so deferring everything costs the same on both.
TEST(Measure, AreasOfAPerfectExpertAreOne) {
  const Study study = generated_study(0);
  AnswerTable perfect({"ann"}, study.test.size());
  for (std::size_t i = 0; i < study.test.size(); ++i) perfect.set(i, 0, study.test.label(i));
  const Roster roster{{"ann"}, {ExpertProfile(6)}};
  const auto rows = area_rows(
      {},
      [&](MarginScale scale) {
        return make_policy("plug-in", PolicyMaterials{roster, scale});
      },
      study.test, perfect, 0);
  std::size_t areas = 0;
  for (const ResultRow& row : rows) {
    if (row.measure == "aurdac") {
      EXPECT_DOUBLE_EQ(row.value, 1);
    }
    if (row.measure == "system_accuracy" && row.x == 1) {
      EXPECT_DOUBLE_EQ(row.value, 1);
    }
    areas += row.measure == "aursac" ? 1 : 0;
  }
  EXPECT_EQ(areas, 2U);
}

TEST(Methods, ThePapersSettingsAreThePapers) {
  const Method method = method_named("ifd-peak");
  EXPECT_EQ(method.settings.to_json().dump(),
            R"({"objective":"peak","weight":"one","lcb_width":1.0,"state":"paper","head":"plain",)"
            R"("width":256,"context_size":35})");
}

}  // namespace
}  // namespace ifd::experiments
