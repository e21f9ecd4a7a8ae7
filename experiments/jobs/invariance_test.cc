#include "experiments/jobs/invariance.h"

#include <gtest/gtest.h>

#include "experiments/jobs/generated_data_set.h"
#include "experiments/jobs/methods.h"
#include "experiments/result/labels.h"

namespace ifd::experiments {
namespace {

// A policy file whose network is drawn and not trained: enough for what holds for any weights.
PolicyFile identity_free_file(const DataSet& data_set, const CohortData& data) {
  train::Schedule schedule;
  schedule.epochs = 1;
  Method method = method_named("ifd-peak", {});
  method.settings.set("width", std::size_t{16});
  return train_method(method,
                      {data_set.training, data_set.validation, data.seen().contexts,
                       data.training_answers, data.validation_answers},
                      schedule);
}

class Invariance : public testing::TestWithParam<std::uint64_t> {};

// The certificate: a coherent relabelling changes no bit of an identity-free policy, and moving the
// experts alone does change it.
TEST_P(Invariance, CoherentRelabellingsChangeNothingAndExpertOnlyOnesDo) {
  const DataSet data_set = generated_data_set(0);
  const CohortData data =
      make_cohort_data(data_set, Archetype::kStable, {Protocol::kPopulation, GetParam()});
  const auto rows = invariance_rows({}, identity_free_file(data_set, data), data_set.test,
                                    data.ood(), 4, GetParam());
  double moved_by_experts = 0;
  for (const ResultRow& row : rows) {
    if (row.setting == kCoherent) {
      EXPECT_EQ(row.value, 0) << row.measure.text();
    }
    if (row.setting == kExpertOnly) moved_by_experts += row.value;
  }
  EXPECT_GT(moved_by_experts, 0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Invariance, testing::Values(0, 1, 2));

}  // namespace
}  // namespace ifd::experiments
