#include "experiments/jobs/measure.h"

#include <gtest/gtest.h>

#include "experiments/jobs/generated_data_set.h"
#include "experiments/result/labels.h"
#include "ifd/policy/policy_catalogue.h"

namespace ifd::experiments {
namespace {

// Both scales choose the same expert, so deferring everything costs the same on both.
TEST(Measure, AreasOfAPerfectExpertAreOne) {
  const DataSet data_set = generated_data_set(0);
  AnswerTable perfect({"ann"}, data_set.test.size());
  for (std::size_t i = 0; i < data_set.test.size(); ++i)
    perfect.set(case_id(i), expert_id(0), data_set.test.label(i));
  const Roster roster{{"ann"}, {ExpertProfile(6)}};
  const auto rows = area_rows(
      {},
      [&](MarginScale scale) {
        return make_policy("plug-in", PolicyMaterials{roster, scale});
      },
      data_set.test, perfect, 0);
  std::size_t areas = 0;
  for (const ResultRow& row : rows) {
    if (row.measure == kAurdac) {
      EXPECT_DOUBLE_EQ(row.value, 1);
    }
    if (row.measure == kSystemAccuracy && row.x == 1) {
      EXPECT_DOUBLE_EQ(row.value, 1);
    }
    areas += row.measure == kAursac ? 1 : 0;
  }
  EXPECT_EQ(areas, 2U);
}

}  // namespace
}  // namespace ifd::experiments
