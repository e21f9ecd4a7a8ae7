#include "experiments/jobs/answering.h"

#include <gtest/gtest.h>

#include "experiments/jobs/cohort_data.h"
#include "experiments/jobs/generated_data_set.h"
#include "experiments/jobs/measure.h"
#include "experiments/result/labels.h"
#include "ifd/policy/untrained.h"

namespace ifd::experiments {
namespace {

struct Duties {
  DataSet data_set = generated_data_set(0);
  CohortData cohort = make_cohort_data(data_set, Archetype::kVariable, {Protocol::kPopulation, 0});
  const ExpertGroup& group() const { return cohort.ood(); }
  Replay answered_by(Answering answering) const {
    return answered(answering, group().roster, data_set.test, group().answers, 0);
  }
};

TEST(Answering, FinalAnswersAreThePlugInPolicy) {
  const Duties d;
  const auto policy = plug_in_policy(d.group().roster, MarginScale::kProbability);
  EXPECT_EQ(d.answered_by(Answering::kFinal).curve().aursac(),
            curve_of(*policy, d.data_set.test, d.group().answers, 0).aursac());
}

// argmax_y rho_y l(m|y), by hand. Ties are so rare here that none occurs.
TEST(Answering, CombinedAnswersAreTheMostProbableClass) {
  const Duties d;
  const Replay combined = d.answered_by(Answering::kCombined);
  EXPECT_EQ(combined.margins.margin, d.answered_by(Answering::kFinal).margins.margin);
  const Predictions& cases = d.data_set.test;
  const std::size_t classes = cases.classes().size();
  std::size_t changed = 0;
  for (std::size_t row = 0; row < cases.size(); ++row) {
    const ExpertId expert = combined.margins.expert[row];
    const Answer answer = d.group().answers.at(case_id(row), expert);
    const auto means = d.group().roster.profiles[index(expert)].means();
    std::size_t best = 0;
    std::vector<double> weight(classes);
    for (std::size_t y = 0; y < classes; ++y) {
      weight[y] =
          cases.probabilities(row)[y] *
          (answer.is(class_id(y)) ? means[y] : (1 - means[y]) / static_cast<double>(classes - 1));
      if (weight[y] > weight[best]) best = y;
    }
    ASSERT_EQ(combined.outcomes[row].expert, credit_if(cases.label(row) == class_id(best))) << row;
    changed += answer.is(class_id(best)) ? 0 : 1;
  }
  EXPECT_GT(changed, cases.size() / 100);
}

TEST(Answering, ValuesOrderCasesAndAreNeverNegative) {
  const Duties d;
  const Replay by_value = d.answered_by(Answering::kCombinedByValue);
  for (const double value : by_value.margins.margin) ASSERT_GE(value, 0);
  EXPECT_NE(by_value.margins.margin, d.answered_by(Answering::kCombined).margins.margin);
}

}  // namespace
}  // namespace ifd::experiments
