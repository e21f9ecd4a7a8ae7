#include "ifd/evaluation/operating_point.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "ifd/error.h"
#include "ifd/random/keyed_random.h"

namespace ifd {
namespace {

// By hand: rows 0, 1 and 3 reach 0.5; the experts are right on 0 and 3, the model on the kept 2.
TEST(OperatingPoint, HandExample) {
  const MarginTable table{{0.5, 0.9, 0.1, 0.7, kNeverDefer},
                          {ExpertId{0}, ExpertId{2}, ExpertId{1}, ExpertId{0}, kNobody}};
  const std::vector<CaseOutcome> outcomes{{kWrongAnswer, kRightAnswer},
                                          {kRightAnswer, kWrongAnswer},
                                          {kRightAnswer, kWrongAnswer},
                                          {kRightAnswer, kRightAnswer},
                                          {kWrongAnswer, kRightAnswer}};
  const OperatingPoint point = operating_point(table, outcomes, 0.5, 3);
  EXPECT_EQ(point.cases, 5u);
  EXPECT_EQ(point.deferred, 3u);
  EXPECT_EQ(point.deferral_rate, 0.6);
  EXPECT_EQ(point.coverage, 0.4);
  EXPECT_EQ(point.system_accuracy, 0.6);
  EXPECT_EQ(point.expert_accuracy, 2.0 / 3);
  EXPECT_EQ(point.model_accuracy, 0.5);
  EXPECT_EQ(point.load, (std::vector<double>{0.4, 0, 0.2}));
}

TEST(OperatingPoint, AccuracyOverNoCasesIsNotDefined) {
  const MarginTable table{{0.5}, {ExpertId{0}}};
  const std::vector<CaseOutcome> outcomes{{kRightAnswer, kWrongAnswer}};
  const auto none = operating_point(table, outcomes, std::numeric_limits<double>::infinity(), 1);
  EXPECT_EQ(none.expert_accuracy, std::nullopt);
  EXPECT_EQ(none.model_accuracy, 1.0);
  const auto all = operating_point(table, outcomes, kNeverDefer, 1);
  EXPECT_EQ(all.expert_accuracy, 0.0);
  EXPECT_EQ(all.model_accuracy, std::nullopt);
  EXPECT_THROW(operating_point(MarginTable{}, {}, 0, 1), Error);
}

// At a threshold that cuts between blocks, the point lies on the curve.
TEST(OperatingPoint, LiesOnTheBudgetCurve) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key(seed);
    MarginTable table;
    std::vector<CaseOutcome> outcomes;
    for (std::size_t i = 0; i < 30; ++i) {
      const std::size_t value = key.below(9, i);
      table.margin.push_back(value == 0 ? kNeverDefer : static_cast<double>(value));
      table.expert.push_back(value == 0 ? kNobody : expert_id(key.with("expert").below(3, i)));
      const std::uint64_t bits = key.with("outcome").bits(i);
      outcomes.push_back({credit_if((bits & 1) != 0), credit_if((bits & 2) != 0)});
    }
    const BudgetCurve curve(table.margin, outcomes);
    for (double threshold = 1; threshold < 10; threshold += 1) {
      const OperatingPoint point = operating_point(table, outcomes, threshold, 3);
      EXPECT_EQ(point.deferred, curve.deferred_at(threshold));
      EXPECT_DOUBLE_EQ(point.system_accuracy, curve.system_accuracy(point.deferral_rate));
      if (point.deferred > 0) {
        EXPECT_DOUBLE_EQ(*point.expert_accuracy, *curve.expert_accuracy(point.deferral_rate));
      }
      EXPECT_NEAR(point.load[0] + point.load[1] + point.load[2], point.deferral_rate, 1e-12);
    }
  }
}

TEST(OperatingPoint, RefusesWhatDoesNotFitTogether) {
  const std::vector<Route> routes{{ExpertId{1}, .5}, {kNobody, .1}};
  const std::vector<CaseOutcome> outcomes(2, {kRightAnswer, kRightAnswer});
  EXPECT_EQ(operating_point(routes, outcomes, 2).deferred, 1u);
  EXPECT_THROW(operating_point(routes, outcomes, 1), Error);
  EXPECT_THROW(operating_point(routes, std::span(outcomes).first(1), 2), Error);
}

}  // namespace
}  // namespace ifd
