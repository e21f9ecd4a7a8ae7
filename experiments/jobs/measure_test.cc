#include "experiments/jobs/measure.h"

#include <gtest/gtest.h>

#include "experiments/jobs/case_weights.h"
#include "experiments/jobs/generated_data_set.h"
#include "experiments/result/labels.h"
#include "ifd/data/accuracy.h"
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
    if (row.measure == kAurdac && row.scale == kProbability) {
      EXPECT_EQ(row.replicates, std::vector<double>(kCaseResamples, 1.0));
    }
  }
  EXPECT_EQ(areas, 2U);
}

// A resample is the curve of cases that count as often as their weights say: with one repeated
// case by case the area is the same.
TEST(Measure, ReplicatesAreAreasOfTheWeightedCases) {
  const DataSet data_set = generated_data_set(0);
  std::vector<std::size_t> rows(25);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
  const Predictions cases = data_set.test.subset(rows);
  Replay replayed;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    replayed.margins.margin.push_back(static_cast<double>((i * 7) % 25));
    replayed.outcomes.push_back(
        {i % 3 == 0 ? kWrongAnswer : kRightAnswer, i % 4 == 0 ? kWrongAnswer : kRightAnswer});
  }
  ResultRow where;
  where.data = data_set.name;
  const auto areas = curve_rows(where, replayed, cases);
  ASSERT_EQ(areas.front().measure, kAursac);
  ASSERT_EQ(areas.front().replicates.size(), kCaseResamples);
  for (std::size_t s = 0; s < 20; ++s) {
    const auto weights = case_weights(data_set.name, cases, s);
    std::vector<double> margins;
    std::vector<CaseOutcome> outcomes;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::uint32_t w = 0; w < weights[i]; ++w) {
        margins.push_back(replayed.margins.margin[i]);
        outcomes.push_back(replayed.outcomes[i]);
      }
    }
    EXPECT_NEAR(areas.front().replicates[s], BudgetCurve(margins, outcomes).aursac(), 1e-7);
  }
}

// What is told in brief is told as at length; without resamples, nothing else changes.
TEST(Measure, BriefRowsAreThoseOfTheCurve) {
  const DataSet data_set = generated_data_set(0);
  std::vector<std::size_t> some(25);
  for (std::size_t i = 0; i < some.size(); ++i) some[i] = i;
  const Predictions cases = data_set.test.subset(some);
  Replay replayed;
  for (std::size_t i = 0; i < some.size(); ++i) {
    replayed.margins.margin.push_back(static_cast<double>((i * 7) % 25));
    replayed.outcomes.push_back(
        {i % 3 == 0 ? kWrongAnswer : kRightAnswer, i % 4 == 0 ? kWrongAnswer : kRightAnswer});
  }
  ResultRow where;
  where.data = data_set.name;
  const std::vector<MeasureName> resampled = {kAursac};
  const auto brief = brief_rows(where, replayed, cases, resampled);
  ASSERT_EQ(brief.size(), 4u);
  const auto curve = curve_rows(where, replayed, cases);
  EXPECT_EQ(brief[0], curve[0]);
  const auto alone = brief_rows(where, replayed, cases, {});
  for (std::size_t i = 0; i < brief.size(); ++i) {
    EXPECT_EQ(brief[i].measure, curve[i].measure);
    EXPECT_EQ(brief[i].value, curve[i].value);
    EXPECT_EQ(brief[i].replicates.empty(), brief[i].measure != kAursac);
    EXPECT_EQ(alone[i].measure, curve[i].measure);
    EXPECT_EQ(alone[i].value, curve[i].value);
  }
}

// The order and the experts stay, and with them what is right where everything is deferred.
TEST(Measure, AnswersOfAnotherModelChangeOnlyTheModels) {
  const DataSet data_set = generated_data_set(0);
  Replay replayed;
  for (std::size_t i = 0; i < data_set.test.size(); ++i) {
    replayed.margins.margin.push_back(static_cast<double>(i % 17));
    replayed.outcomes.push_back({kWrongAnswer, i % 4 == 0 ? kWrongAnswer : kRightAnswer});
  }
  const BudgetCurve curve = with_answers_of(data_set.test, replayed).curve();
  EXPECT_EQ(curve.model_accuracy(), accuracy(data_set.test));
  EXPECT_EQ(curve.system_accuracy(1), replayed.curve().system_accuracy(1));
}

// By hand: four cases, the expert wins the first two and nothing else. The curve rises from 0 to .5
// over the first half, so its mean over [0, .3] is .15, over [0, .1] .05, and over all .375.
TEST(Measure, AreasOverRangesAreMeansOfTheCurve) {
  const std::vector<double> margins = {4, 3, 2, 1};
  const std::vector<CaseOutcome> outcomes = {{kWrongAnswer, kRightAnswer},
                                             {kWrongAnswer, kRightAnswer},
                                             {kWrongAnswer, kWrongAnswer},
                                             {kWrongAnswer, kWrongAnswer}};
  const auto rows = range_rows({}, BudgetCurve(margins, outcomes));
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].measure, kAursac);
  EXPECT_DOUBLE_EQ(rows[0].value, .375);
  EXPECT_EQ(rows[1].measure, kAursacTo10);
  EXPECT_DOUBLE_EQ(rows[1].value, .05);
  EXPECT_EQ(rows[2].measure, kAursacTo30);
  EXPECT_DOUBLE_EQ(rows[2].value, .15);
}

}  // namespace
}  // namespace ifd::experiments
