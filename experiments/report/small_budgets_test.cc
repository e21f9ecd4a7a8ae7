#include "experiments/report/small_budgets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/claims/named_cells.h"
#include "experiments/result/labels.h"

namespace ifd::experiments {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Cell budgets_cell(const MethodName& method) {
  return area(DataName("blood"), kVariable, kOod, method);
}

std::vector<ResultRow> with(const MeasureName& measure, double x, double value) {
  ResultRow row;
  static_cast<Cell&>(row) = budgets_cell(kPlugIn);
  row.measure = measure;
  row.x = x;
  row.value = value;
  return {row};
}

std::vector<ResultRow> joined(const std::vector<std::vector<ResultRow>>& parts) {
  std::vector<ResultRow> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// By hand: the model alone is right on .8; pop-qi was not measured.
TEST(SmallBudgets, StandBesideTheModelAlone) {
  const Summary summary(
      joined({with(kAursacTo10, 0, .81), with(kAursacTo30, 0, .83), with(kAursac, 0, .70),
              with(kModelAlone, 0, .80), with(kSystemAccuracy, .05, .82),
              with(kSystemAccuracy, .1, .84), with(kSystemAccuracy, .2, .79)}));
  const BudgetRows rows = rows_by_method({kPlugIn, kPopQi}, budgets_cell);
  EXPECT_THAT(small_budget_table(summary, "areas", rows).rows,
              ElementsAre(ElementsAre("plug-in", "0.810", "+0.010 (one cohort)", "0.830",
                                      "+0.030 (one cohort)", "0.700", "−0.100 (one cohort)")));
  EXPECT_THAT(small_budget_points(summary, "points", rows).rows,
              ElementsAre(ElementsAre("plug-in", "0.820", "+0.020 (one cohort)", "0.840",
                                      "+0.040 (one cohort)", "0.790", "−0.010 (one cohort)")));
}

// Where jobs wrote less, the table has fewer columns and not dashes.
TEST(SmallBudgets, TellWhatWasMeasured) {
  const Summary summary(
      joined({with(kAursacTo10, 0, .81), with(kAursacTo30, 0, .83), with(kAursac, 0, .70)}));
  const BudgetRows rows = rows_by_method({kPlugIn}, budgets_cell);
  EXPECT_THAT(small_budget_table(summary, "areas", rows).rows,
              ElementsAre(ElementsAre("plug-in", "0.810", "0.830", "0.700")));
  EXPECT_THAT(small_budget_points(summary, "points", rows).rows, IsEmpty());
}

}  // namespace
}  // namespace ifd::experiments
