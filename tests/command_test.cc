// Deciding and planning, from files to what the commands print. Expected values are calculated by
// hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <vector>

#include "ifd/network/amx.h"
#include "tests/command_fixture.h"

namespace ifd {
namespace {

using nlohmann::json;
using testing::HasSubstr;

TEST_F(Command, PrintsExactlyWhatWasCalculatedByHand) {
  folder_.put("capacity.csv", "expert,capacity\nann,1\nbob,1\n");
  folder_.put("four.csv", "case,cat,dog\na,0.75,0.25\nb,0.5625,0.4375\nc,0.25,0.75\nd,0.5,0.5\n");
  const std::string head = "case,decision,expert,prediction,margin\n";
  struct Example {
    std::string name, words, out, err;
  };
  const std::vector<Example> examples = {
      {"the profile's table", "profile --context c.csv --classes cat,dog --interval 0.5",
       // 50 % intervals: Beta(3,1) has the quantile function u^(1/3), Beta(1,3) its mirror image.
       "expert  class  answers  correct   mean     sd    lcb   50 % interval\n"
       "ann     cat          2        2  0.750  0.194  0.556  [0.630, 0.909]\n"
       "ann     dog          2        1  0.500  0.224  0.276  [0.326, 0.674]\n"
       "bob     cat          2        0  0.250  0.194  0.056  [0.091, 0.370]\n"
       "bob     dog          2        2  0.750  0.194  0.556  [0.630, 0.909]\n",
       ""},
      {"a budget for three", kRoute + std::string("--budget 0.6"),
       head + "a,model,,cat,-0.0625\nb,expert,ann,cat,0.078125\nc,model,,dog,-0.125\n"
              "d,expert,ann,cat,0.125\ne,expert,ann,cat,0.078125\n",
       "3 of 5 cases go to an expert (threshold 0.078125): ann 3\n"},
      {"a budget for two would split b from its equal e", kRoute + std::string("--budget 0.4"),
       head + "a,model,,cat,-0.0625\nb,model,,cat,0.078125\nc,model,,dog,-0.125\n"
              "d,expert,ann,cat,0.125\ne,model,,cat,0.078125\n",
       "1 of 5 cases go to an expert (threshold 0.125): ann 1\n"},
      {"no budget", kRoute + std::string("--budget 0"),
       head + "a,model,,cat,-0.0625\nb,model,,cat,0.078125\nc,model,,dog,-0.125\n"
              "d,model,,cat,0.125\ne,model,,cat,0.078125\n",
       "0 of 5 cases go to an expert\n"},
      {"a threshold, met exactly by c", kRoute + std::string("--threshold -0.125 --quiet"),
       head + "a,expert,ann,cat,-0.0625\nb,expert,ann,cat,0.078125\nc,expert,bob,dog,-0.125\n"
              "d,expert,ann,cat,0.125\ne,expert,ann,cat,0.078125\n",
       ""},
      {"ann is off duty", kRoute + std::string("--threshold 0 --off-duty ann"),
       head + "a,model,,cat,-0.375\nb,model,,cat,-0.09375\nc,model,,dog,-0.125\n"
              "d,expert,bob,cat,0\ne,model,,cat,-0.09375\n",
       "1 of 5 cases go to an expert (threshold 0): bob 1\n"},
      {"nobody is on duty", kRoute + std::string("--budget 1 --off-duty ann,bob"),
       head + "a,model,,cat,\nb,model,,cat,\nc,model,,dog,\nd,model,,cat,\ne,model,,cat,\n",
       "0 of 5 cases go to an expert\n"},
      // Two cases, one each: ann b + bob d = .078125 beats ann d + bob b = .03125.
      {"capacities",
       "route --predictions four.csv --context c.csv --budget 0.5 --capacity "
       "capacity.csv",
       head + "a,model,,cat,-0.0625\nb,expert,ann,cat,0.078125\nc,model,,dog,-0.125\n"
              "d,expert,bob,cat,0\n",
       "2 of 4 cases go to an expert: ann 1, bob 1\n"},
      {"the version", "--version", "ifd 0.1.0\n", ""},
  };
  for (const Example& example : examples) {
    SCOPED_TRACE(example.name);
    const CommandResult result = run(example.words);
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.out, example.out);
    EXPECT_EQ(result.err, example.err);
  }
}

// Beta(3,1): mean 3/4, variance 3/80; Beta(2,2): 1/2, 1/20.
TEST_F(Command, ProfileGivesThePosteriorsAsJson) {
  const json profile = output_json("profile --context c.csv --predictions p.csv --json");
  EXPECT_EQ(profile["classes"], json({"cat", "dog"}));
  ASSERT_EQ(profile["experts"].size(), 2U);
  const json& ann = profile["experts"][0];
  EXPECT_EQ(ann["expert"], "ann");
  const json& cat = ann["classes"][0];
  EXPECT_EQ(cat["class"], "cat");
  EXPECT_EQ(cat["n"], 2);
  EXPECT_EQ(cat["correct"], 2);
  EXPECT_EQ(cat["alpha"], 3);
  EXPECT_EQ(cat["beta"], 1);
  EXPECT_EQ(cat["mean"], .75);
  EXPECT_DOUBLE_EQ(cat["variance"], 3.0 / 80);
  EXPECT_DOUBLE_EQ(cat["lcb"], .75 - std::sqrt(3.0 / 80));
  const json& dog = ann["classes"][1];
  EXPECT_EQ(dog["alpha"], 2);
  EXPECT_EQ(dog["beta"], 2);
  EXPECT_EQ(dog["mean"], .5);
  EXPECT_DOUBLE_EQ(dog["variance"], 1.0 / 20);
}

// A prior of mean .8 and strength 10 is Beta(8,2); bob's two right answers make it Beta(10,2).
TEST_F(Command, ProfileAddsAnswersToThePrior) {
  folder_.put("prior.csv", "expert,class,mean,strength\n*,dog,0.8,10\n");
  const json profile =
      output_json("profile --context c.csv --classes cat,dog --prior prior.csv --json");
  const json& dog = profile["experts"][1]["classes"][1];
  EXPECT_NEAR(dog["alpha"], 10, 1e-12);
  EXPECT_NEAR(dog["beta"], 2, 1e-12);
}

// The six numbers of case b and ann: probability of the model's top class and of her best class,
// then mean and variance on each; both are cat.
TEST_F(Command, RouteExplainsItself) {
  const Words lines = split_lines(output(kRoute + std::string("--budget 0.6 --explain")));
  ASSERT_EQ(lines.size(), 5U);
  const json b = json::parse(lines[1]);
  EXPECT_EQ(b["case"], "b");
  EXPECT_EQ(b["decision"], "expert");
  EXPECT_EQ(b["expert"], "ann");
  EXPECT_EQ(b["threshold"], .078125);
  ASSERT_EQ(b["experts"].size(), 2U);
  EXPECT_EQ(b["experts"][0]["state"], json({.5625, .5625, .75, .0375, .75, .0375}));
  EXPECT_EQ(b["experts"][0]["margin"], .078125);
  EXPECT_EQ(b["experts"][1]["state"], json({.5625, .4375, .25, .0375, .75, .0375}));
  EXPECT_EQ(b["experts"][1]["margin"], -.09375);
  EXPECT_EQ(json::parse(lines[0])["expert"], nullptr);
}

TEST_F(Command, RouteTakesAThresholdFromPastCases) {
  // The same cases as past and present: the threshold of the budget, so the same routes.
  const CommandResult result = run(kRoute + std::string("--budget 0.6 --calibration p.csv"));
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out, output(kRoute + std::string("--budget 0.6")));
  EXPECT_THAT(result.err, HasSubstr("threshold 0.078125 from 5 cases of p.csv"));
  EXPECT_THAT(result.err, HasSubstr("expect 60.0 % deferred"));
}

TEST_F(Command, RouteWritesTheSameToAFile) {
  EXPECT_EQ(output(kRoute + std::string("--budget 0.6 -o out.csv")), "");
  EXPECT_EQ(folder_.get("out.csv"), output(kRoute + std::string("--budget 0.6")));
}

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

// A trained policy is a file that stands wherever a policy's name does, for any number of classes.
TEST_F(Command, PolicyFilesDecideAndExplainThemselves) {
  const std::string policy = IFD_SOURCE_DIR "/tests/golden/policy_v1_plain.ifd";
  const json shown = output_json("policy show " + policy + " --json");
  EXPECT_EQ(shown["method"], "ifd");
  EXPECT_FALSE(shown["tensors"].empty());
  EXPECT_THAT(output("policy show " + policy), HasSubstr("architecture hash"));
  const json evaluated =
      output_json(kEvaluate + std::string("--policy plug-in,") + policy + " --json");
  ASSERT_EQ(evaluated["policies"].size(), 2u);
  EXPECT_EQ(evaluated["policies"][1]["policy"], policy);
  EXPECT_GE(evaluated["policies"][1]["aursac"], 0.0);
  EXPECT_LE(evaluated["policies"][1]["aursac"], 1.0);
  EXPECT_NE(output(kRoute + std::string("--budget 0.5 --policy ") + policy), "");
}

// bf16 is told of on every machine, and decides only where it is asked to and AMX is there.
TEST_F(Command, Bf16IsTestedBeforeItIsUsed) {
  const std::string policy = IFD_SOURCE_DIR "/tests/golden/policy_v1_plain.ifd";
  const std::string route = kRoute + std::string("--budget 0.5 --policy ") + policy;
  const CommandResult tested = run(route + " --amx test");
  EXPECT_EQ(tested.code, 0) << tested.err;
  EXPECT_EQ(tested.out, output(route)) << "a test changed the routes";
  EXPECT_TRUE(std::regex_search(tested.err, std::regex("bf16 changes [0-9]+ of [0-9]+ routes\n")))
      << tested.err;
  const CommandResult evaluated = run(kEvaluate + std::string("--amx test --policy ") + policy);
  EXPECT_EQ(evaluated.code, 0) << evaluated.err;
  EXPECT_THAT(evaluated.err, HasSubstr("bf16 changes the best expert of "));
  const CommandResult used = run(route + " --amx use");
  if (amx_is_there()) {
    EXPECT_EQ(used.code, 0) << used.err;
    EXPECT_THAT(used.err, HasSubstr("bf16 changes "));
  } else {
    EXPECT_EQ(used.code, 2);
    EXPECT_EQ(used.err,
              "ifd: --amx use: this processor has no AMX with bf16; expected one that has it, or "
              "--amx test\n");
  }
}

}  // namespace
}  // namespace ifd
