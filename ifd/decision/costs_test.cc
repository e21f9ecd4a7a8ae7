#include "ifd/decision/costs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ifd/decision/cost_unit.h"
#include "tests/refusal.h"

namespace ifd {
namespace {

using testing::HasSubstr;

const ClassNames kSkinClasses({"mel", "nevus", "keratosis"});

Costs skin(Fees fees = {}) {
  return {kSkinClasses, {0, 50, 40, 1, 0, 2, 3, 1, 0}, std::move(fees), "EUR"};
}

// By hand, from the table above.
TEST(Costs, AnswersCostWhatTheTableSays) {
  const Costs costs = skin();
  EXPECT_EQ(costs.at(ClassId{0}, ClassId{1}), 50);
  EXPECT_EQ(costs.of(Answer(ClassId{2}), ClassId{0}), 40);
  EXPECT_EQ(costs.of(Answer(ClassId{0}), ClassId{0}), 0);
  EXPECT_EQ(costs.mean_mistake(ClassId{0}), 45);
  EXPECT_EQ(costs.mean_mistake(ClassId{2}), 2);
}

// Nobody can act on such an answer, so it is as bad as the worst mistake on that truth.
TEST(Costs, AnAnswerOutsideTheClassesCostsTheMaximumOfItsRow) {
  const Costs costs = skin();
  EXPECT_EQ(costs.of(Answer::outside(), ClassId{0}), 50);
  EXPECT_EQ(costs.of(Answer::outside(), ClassId{1}), 2);
  EXPECT_EQ(costs.of(Answer::outside(), ClassId{2}), 3);
}

TEST(Costs, AFeeIsByNameThenForEverybodyThenNone) {
  const Costs costs = skin({{"ann", 4}, {"*", 1.5}});
  EXPECT_EQ(costs.fee("ann"), 4);
  EXPECT_EQ(costs.fee("bob"), 1.5);
  EXPECT_EQ(skin({{"ann", 4}}).fee("bob"), 0);
  EXPECT_EQ(costs.largest_total(), 54);
}

TEST(Costs, AreEvenOnlyWhereEveryMistakeCostsTheSameAndNobodyHasAFee) {
  const ClassNames two({"a", "b"});
  EXPECT_EQ(Costs(two, {0, 3, 3, 0}).even_cost(), 3);
  EXPECT_EQ(Costs(two, {0, 3, 3, 0}, {{"*", 0}}).even_cost(), 3);
  EXPECT_EQ(Costs(two, {0, 3, 3, 0}, {{"ann", .5}}).even_cost(), std::nullopt);
  EXPECT_EQ(Costs(two, {0, 3, 2, 0}).even_cost(), std::nullopt);
}

TEST(Costs, RefuseWhatMakesNoSense) {
  const auto made = [](std::vector<double> table, Fees fees = {}, std::string unit = {}) {
    return refusal([&] { Costs(ClassNames({"a", "b"}), table, fees, unit); });
  };
  EXPECT_THAT(made({0, 1, 1}), HasSubstr("3 costs; expected 2 x 2"));
  EXPECT_THAT(made({0, -1, 1, 0}), HasSubstr("'a' taken for 'b' is -1; expected a number in 0.."));
  EXPECT_THAT(made({0, NAN, 1, 0}), HasSubstr("is nan"));
  EXPECT_THAT(made({0, std::numeric_limits<double>::infinity(), 1, 0}), HasSubstr("is inf"));
  EXPECT_THAT(made({0, 2e12, 1, 0}), HasSubstr("is 2000000000000; expected"));
  EXPECT_THAT(made({1, 1, 1, 0}), HasSubstr("the right answer 'a' costs 1; expected 0"));
  EXPECT_THAT(made({0, 0, 0, 0}), HasSubstr("no mistake costs anything"));
  EXPECT_THAT(made({0, 1, 1, 0}, {{"ann", -2}}), HasSubstr("the fee of 'ann' is -2"));
  EXPECT_THAT(made({0, 1, 1, 0}, {}, std::string(25, 'x')), HasSubstr("25 bytes"));
  EXPECT_THAT(refusal([] {
                skin({{"zoe", 1}}).check_fees(std::vector<std::string>{"ann"});
              }),
              HasSubstr("'zoe' is not an expert; expected one of ann or * for everybody"));
}

TEST(CostUnit, ShowsAsManyDecimalsAsTheCostsNeed) {
  EXPECT_EQ(CostUnit(skin()).text(3.2), "3.20 EUR");
  EXPECT_EQ(CostUnit(skin()).number(-.001), "0.00");
  const ClassNames two({"a", "b"});
  EXPECT_EQ(CostUnit(Costs(two, {0, 1, 1, 0})).text(.12345), "0.123");
  EXPECT_EQ(CostUnit(Costs(two, {0, .01, .01, 0})).text(.0012345), "0.00123");
}

}  // namespace
}  // namespace ifd
