// Explanations, from files to words. The numbers are those of ifd/router/case_story_test.cc.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/command_fixture.h"

namespace ifd {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kExplain = "explain --predictions p.csv --context c.csv --case ";

TEST_F(Command, ExplainTellsWhoTakesACaseAndWhy) {
  EXPECT_EQ(output(std::string(kExplain) + "b"),
            "b: goes to ann\n"
            "Model: cat 56 %, dog 44 %.\n"
            "ann was right on 2 of 2 cases of cat, 1 of 2 of dog, so ann is expected to be right "
            "in 64 % of cases\n"
            "like this, the model in 56 %. The margin 0.0781 reaches the threshold 0.\n"
            "\n"
            "expert  on cat               on dog               expected   margin\n"
            "ann     2 of 2 [0.29, 0.99]  1 of 2 [0.09, 0.91]      64 %   0.0781\n"
            "bob     0 of 2 [0.01, 0.71]  2 of 2 [0.29, 0.99]      47 %  -0.0938\n"
            "\n"
            "What would flip it:\n"
            "- a threshold above 0.078125: the model keeps it\n"
            "- with ann off duty: the model keeps it\n"
            "- 1 more wrong answer of ann on cat: the model keeps it\n"
            "- 3 more wrong answers of ann on dog: the model keeps it\n"
            "- 3 more right answers of bob on cat: bob takes it (margin 0.0871)\n"
            "- right answers of bob on dog: not within 50\n");
}

TEST_F(Command, ExplainTellsWhyTheModelKeepsACase) {
  EXPECT_THAT(
      output(std::string(kExplain) + "a --threshold 0.01"),
      AllOf(
          HasSubstr("a: stays with the model\n"),
          HasSubstr(
              "The first to ask would be ann, who was right on 2 of 2 cases of cat, 1 of 2 of dog"),
          HasSubstr("is below the\nthreshold 0.01."),
          HasSubstr("- a threshold of -0.0625 or less: ann takes it\n"),
          HasSubstr("- 3 more right answers of ann on cat: ann takes it")));
}

// d has the largest margin, then b and e alike.
TEST_F(Command, ExplainTellsTheBudgetThatWouldFlipIt) {
  EXPECT_THAT(output(std::string(kExplain) + "b --budget 0.2"),
              AllOf(HasSubstr("b: stays with the model"),
                    HasSubstr("- a budget of 60 % (3 of 5 cases) or more: ann takes it\n"),
                    HasSubstr("(duty and answers: at the same threshold)")));
  EXPECT_THAT(output(std::string(kExplain) + "d --budget 0.2"),
              HasSubstr("- a budget below 20 % (1 of 5 cases): the model keeps it\n"));
  EXPECT_THAT(output(std::string(kExplain) + "a --budget 1"),
              HasSubstr("- no budget alone, since its margin is below 0: --fill-budget with "));
}

// ann, off duty, has a larger margin than bob; with nobody on duty that is all there is to tell.
TEST_F(Command, ExplainTellsWhoWouldTakeItOnDuty) {
  EXPECT_THAT(output(std::string(kExplain) + "b --off-duty ann"),
              AllOf(HasSubstr("b: stays with the model\n"),
                    HasSubstr("- with ann on duty: ann takes it (margin 0.0781)\n")));
  EXPECT_THAT(output(std::string(kExplain) + "b --off-duty ann,bob"),
              AllOf(HasSubstr("Nobody is on duty."),
                    HasSubstr("What would flip it:\n- with ann on duty: ann takes it")));
  EXPECT_THAT(output(std::string(kExplain) + "a --off-duty ann"), Not(HasSubstr("on duty:")));
  EXPECT_EQ(output_json(std::string(kExplain) +
                        "b --json --off-duty ann")["cases"][0]["flips"]["with_better_on_duty"],
            json({{"decision", "expert"}, {"expert", "ann"}, {"margin", .078125}}));
}

// Eight experts alike: three are told of by nothing but the draw, and nobody is said to be worse.
TEST_F(Command, ExplainCallsNoEqualMarginSmaller) {
  std::string context = "expert,case,answer,truth\n";
  for (int j = 0; j < 8; ++j) context += fmt::format("e{0},x1,cat,cat\ne{0},x2,dog,dog\n", j);
  folder_.put("c.csv", context);
  EXPECT_THAT(output(std::string(kExplain) + "b"),
              AllOf(HasSubstr("3 more on duty with the same margin as e"),
                    Not(HasSubstr("smaller margins"))));
  folder_.put("c.csv", context + "low,x1,dog,cat\n");
  EXPECT_THAT(output(std::string(kExplain) + "b"),
              HasSubstr("4 more on duty, 3 with the same margin as e"));
}

// Its margins only order cases, so nothing is said to be gained.
TEST_F(Command, ExplainClaimsNoGainWhereTheMarginIsNone) {
  const std::string text = output(std::string(kExplain) + "b --policy confidence --threshold -9");
  EXPECT_THAT(text, AllOf(HasSubstr("margins of confidence only order cases and experts"),
                          Not(HasSubstr("expected to be right")), Not(HasSubstr("  expected"))));
}

TEST_F(Command, ExplainTellsOfSeveralCasesAsJson) {
  const json told = output_json(std::string(kExplain) + "b --case a --json --off-duty bob");
  EXPECT_EQ(told["schema"], "ifd explanation 1");
  EXPECT_EQ(told["expects_gains"], true);
  ASSERT_EQ(told["cases"].size(), 2U);
  const json& b = told["cases"][0];
  EXPECT_EQ(b["case"], "b");
  EXPECT_EQ(b["decision"], "expert");
  EXPECT_EQ(b["expert"], "ann");
  EXPECT_EQ(b["margin"], .078125);
  EXPECT_EQ(b["threshold"], 0);
  EXPECT_EQ(b["model"][1], json({{"class", "dog"}, {"probability", .4375}}));
  EXPECT_EQ(b["experts"].size(), 1U) << "bob is off duty, and no better";
  EXPECT_EQ(b["experts"][0]["classes"][0]["correct"], 2);
  EXPECT_EQ(b["flips"]["without_best"]["decision"], "model");
  EXPECT_EQ(b["flips"]["answers"][0]["count"], 1);
  EXPECT_TRUE(told["cases"][1]["expert"].is_null());
}

TEST_F(Command, ExplainNamesTheNearestOfACaseThatIsNotThere) {
  folder_.put("p.csv", "case,cat,dog\nscan-17,0.5,0.5\nscan-71,0.5,0.5\nother,0.5,0.5\n");
  const CommandResult near = run(std::string(kExplain) + "scan17");
  EXPECT_EQ(near.code, 3);
  EXPECT_EQ(near.err, "ifd: p.csv: no case 'scan17'; near it: 'scan-17', 'scan-71'\n");
  EXPECT_EQ(run(std::string(kExplain) + "patient").err,
            "ifd: p.csv: no case 'patient'; expected one such as 'scan-17'\n");
}

}  // namespace
}  // namespace ifd
