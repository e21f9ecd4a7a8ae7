// Plans, from files to what the commands print. Expected values are calculated by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/command_fixture.h"

namespace ifd {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// The bound is never smaller than what is enough, and what is enough succeeds in simulation.
TEST_F(Command, PlanGivesBothSampleSizes) {
  for (const char* words :
       {"plan peak --accuracies 0.9,0.6,0.5 --delta 0.1 --json",
        "plan peak --classes 3 --best 0.9 --gap 0.4 --delta 0.1 --json",
        "plan prior --prior-mean 0.9 --prior-strength 5 --accuracy 0.5 --tolerance 0.2 --json"}) {
    SCOPED_TRACE(words);
    const json plan = output_json(words);
    const auto bound = plan["bound"]["answers_per_class"].get<int>();
    const auto enough = plan["simulated"]["answers_per_class"].get<int>();
    EXPECT_GE(bound, enough);
    EXPECT_GE(enough, 1);
    const double delta = plan["delta"];
    // 4000 repeats: three standard errors of a frequency near 1 - delta.
    const double error = 3 * std::sqrt(delta * (1 - delta) / 4000);
    EXPECT_GE(plan["bound"]["simulated_success"].get<double>(), 1 - delta - error);
    EXPECT_GE(plan["simulated"]["simulated_success"].get<double>(), 1 - delta - error);
  }
}

TEST_F(Command, PlanThresholdIsTheBudgetsThreshold) {
  const json plan =
      output_json("plan threshold --predictions p.csv --context c.csv --budget 0.6 --json");
  EXPECT_EQ(plan["threshold"], .078125);
  EXPECT_EQ(plan["cases"], 5);
  EXPECT_EQ(plan["deferred"], 3);
  EXPECT_DOUBLE_EQ(plan["rate"], .6);
  EXPECT_LT(plan["rate_low"], .6);
  EXPECT_GT(plan["rate_high"], .6);
  EXPECT_EQ(plan["experts"], json({"ann", "bob"}));
}

// Five cases, a budget of half a case.
TEST_F(Command, PlanThresholdSaysWhereTheBudgetAllowsNothing) {
  const std::string words = "plan threshold --predictions p.csv --context c.csv --budget 0.1 ";
  EXPECT_TRUE(output_json(words + "--json")["threshold"].is_null());
  const CommandResult told = run(words);
  EXPECT_EQ(told.code, 0) << told.err;
  EXPECT_THAT(told.out, HasSubstr("\nnone "));
  EXPECT_THAT(told.err, HasSubstr("--budget 0.1 defers none of 5 cases: the largest margin is that "
                                  "of 1, for which it takes 0.2\n"));
}

TEST_F(Command, PlanStaffPriorSaysWhatToThinkOfSomebodyNew) {
  const std::string words = "plan staff-prior --context c.csv --classes cat,dog ";
  const json told = output_json(words + "--json");
  EXPECT_EQ(told["schema"], "ifd staff prior 1");
  EXPECT_EQ(told["experts"], 2);
  const json& rows = told["newcomer"];
  EXPECT_EQ(rows[0]["answers"], 0);
  EXPECT_EQ(rows.back()["answers"], 20);
  for (const json& row : rows) {
    EXPECT_LT(row["low"].get<double>(), row["mean"].get<double>());
    EXPECT_GT(row["high"].get<double>(), row["mean"].get<double>());
  }
  EXPECT_THAT(output(words), HasSubstr("What 2 experts say of somebody new:\n"));
}

TEST_F(Command, PlanOnboardingSaysHowManyAnswersAndWhichNext) {
  const std::string words =
      "plan onboarding --predictions p.csv --context c.csv --draws 40 --next 3 ";
  const json told = output_json(words + "--json");
  EXPECT_EQ(told["schema"], "ifd onboarding 1");
  EXPECT_EQ(told["colleagues"], 2);
  EXPECT_EQ(told["next"].size(), 3U);
  EXPECT_TRUE(told["expert"].is_null());
  EXPECT_EQ(output_json(words + "--json --threads 1"), output_json(words + "--json --threads 3"));
  EXPECT_EQ(output_json(words + "--json --expert ann")["colleagues"], 1);
  EXPECT_EQ(output_json(words + "--json --off-duty ann")["colleagues"], 1);
  const std::string text = output(words);
  EXPECT_THAT(text, HasSubstr("AURSAC short of knowing a newcomer, which is worth "));
  EXPECT_THAT(text, HasSubstr("Choosing "));
  EXPECT_THAT(output(words + "--truth majority"), HasSubstr("Truths are computed"));
}

}  // namespace
}  // namespace ifd
