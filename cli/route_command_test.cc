// Routes, from files to what the command prints. Expected values are calculated by hand.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <vector>

#include "ifd/network/amx.h"
#include "tests/command_fixture.h"

namespace ifd {
namespace {

using nlohmann::json;
using testing::HasSubstr;

TEST_F(Command, RoutesAreExactlyWhatWasCalculatedByHand) {
  folder_.put("capacity.csv", "expert,capacity\nann,1\nbob,1\n");
  folder_.put("four.csv", "case,cat,dog\na,0.75,0.25\nb,0.5625,0.4375\nc,0.25,0.75\nd,0.5,0.5\n");
  const std::string head = "case,decision,expert,prediction,margin\n";
  struct Example {
    std::string name, words, out, err;
  };
  const std::vector<Example> examples = {
      {"a budget for three", kRoute + std::string("--budget 0.6"),
       head + "a,model,,cat,-0.0625\nb,expert,ann,cat,0.078125\nc,model,,dog,-0.125\n"
              "d,expert,ann,cat,0.125\ne,expert,ann,cat,0.078125\n",
       "3 of 5 cases go to an expert (threshold 0.078125): ann 3\n"},
      {"a budget for two would split b from its equal e", kRoute + std::string("--budget 0.4"),
       head + "a,model,,cat,-0.0625\nb,model,,cat,0.078125\nc,model,,dog,-0.125\n"
              "d,expert,ann,cat,0.125\ne,model,,cat,0.078125\n",
       "1 of 5 cases go to an expert (threshold 0.125): ann 1\n"
       "note: the budget allows 2 cases and defers 1, since the next 2 have one and the same "
       "margin (0.078125) and equal margins are never split; --budget 0.6 includes them\n"},
      {"a budget for five, of which two promise a loss", kRoute + std::string("--budget 1"),
       head + "a,model,,cat,-0.0625\nb,expert,ann,cat,0.078125\nc,model,,dog,-0.125\n"
              "d,expert,ann,cat,0.125\ne,expert,ann,cat,0.078125\n",
       "3 of 5 cases go to an expert (threshold 0): ann 3\n"
       "note: the budget allows 5 cases; on the others no gain is expected of anybody, so the "
       "model "
       "keeps them (--fill-budget defers them too)\n"},
      {"a budget that is filled", kRoute + std::string("--budget 0.8 --fill-budget"),
       head + "a,expert,ann,cat,-0.0625\nb,expert,ann,cat,0.078125\nc,model,,dog,-0.125\n"
              "d,expert,ann,cat,0.125\ne,expert,ann,cat,0.078125\n",
       "4 of 5 cases go to an expert (threshold -0.0625): ann 4\n"},
      {"a budget and a threshold", kRoute + std::string("--budget 1 --threshold 0.1"),
       head + "a,model,,cat,-0.0625\nb,model,,cat,0.078125\nc,model,,dog,-0.125\n"
              "d,expert,ann,cat,0.125\ne,model,,cat,0.078125\n",
       "1 of 5 cases go to an expert (threshold 0.1): ann 1\n"},
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
      // ann gains most on d, where bob would gain nothing; who else could take b would lose.
      {"capacities",
       "route --predictions four.csv --context c.csv --budget 0.5 --capacity "
       "capacity.csv",
       head + "a,model,,cat,-0.0625\nb,model,,cat,0.078125\nc,model,,dog,-0.125\n"
              "d,expert,ann,cat,0.125\n",
       "1 of 4 cases go to an expert: ann 1\n"},
      // Two cases, one each: ann b + bob d = .078125 beats ann d + bob b = .03125.
      {"capacities that are used up",
       "route --predictions four.csv --context c.csv --budget 0.5 --fill-budget --capacity "
       "capacity.csv",
       head + "a,model,,cat,-0.0625\nb,expert,ann,cat,0.078125\nc,model,,dog,-0.125\n"
              "d,expert,bob,cat,0\n",
       "2 of 4 cases go to an expert: ann 1, bob 1\n"},
  };
  for (const Example& example : examples) {
    SCOPED_TRACE(example.name);
    const CommandResult result = run(example.words);
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.out, example.out);
    EXPECT_EQ(result.err, example.err);
  }
}

// Three cases that the model tells nothing of are one block, too large for a budget of two.
TEST_F(Command, RouteSaysWhenTiesEmptyABudget) {
  folder_.put("p.csv", "case,cat,dog\na,0.5,0.5\nb,0.5,0.5\nc,0.5,0.5\n");
  EXPECT_EQ(run(kRoute + std::string("--budget 0.67")).err,
            "0 of 3 cases go to an expert\n"
            "note: the budget allows 2 cases and defers 0, since the next 3 have one and the same "
            "margin (0.125) and equal margins are never split; --budget 1 includes them\n");
}

// Of forty experts the line names the thirty who take most, and says where the others are.
TEST_F(Command, RouteNamesOfManyExpertsThoseWhoTakeMost) {
  std::string context = "expert,case,answer,truth\n", cases = "case,cat,dog\n";
  for (int j = 0; j < 40; ++j) context += fmt::format("e{0},x1,cat,cat\ne{0},x2,dog,dog\n", j);
  for (int i = 0; i < 800; ++i) cases += fmt::format("n{},0.5,0.5\n", i);
  folder_.put("c.csv", context);
  folder_.put("p.csv", cases);
  const std::string said =
      run(kRoute + std::string("--budget 1 --policy random -o r.csv --summary run.json")).err;
  EXPECT_THAT(said, HasSubstr(" and 10 more experts (--summary)\n"));
  std::vector<std::size_t> loads;
  const std::regex load("e[0-9]+ ([0-9]+)");
  for (std::sregex_iterator it(said.begin(), said.end(), load), end; it != end; ++it) {
    loads.push_back(std::stoul((*it)[1]));
  }
  EXPECT_EQ(loads.size(), 30U);
  EXPECT_TRUE(std::is_sorted(loads.rbegin(), loads.rend()));
  EXPECT_EQ(json::parse(folder_.get("run.json"))["load"].size(), 40U);
}

// Margins that only order the cases have no zero that means anything.
TEST_F(Command, RouteFillsTheBudgetOfOtherPoliciesAndSaysSo) {
  const CommandResult result = run(kRoute + std::string("--budget 1 --policy peak-rule"));
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.err, HasSubstr("5 of 5 cases go to an expert"));
  EXPECT_THAT(result.err, HasSubstr("note: the margins of peak-rule only order the cases, so the "
                                    "budget is filled\n"));
}

// The six numbers of case b and ann: probability of the model's top class and of her best class,
// then mean and variance on each; both are cat.
TEST_F(Command, RouteExplainsItself) {
  const Words lines = split_lines(output(kRoute + std::string("--budget 0.6 --explain")));
  // The lines are put together from pieces, and are what a serialiser writes for the whole.
  for (const std::string& line : lines) {
    EXPECT_EQ(nlohmann::ordered_json::parse(line).dump(), line);
  }
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
              "bf16 in software\n");
  }
}

// Explanations of many experts, in the memory of one case.
TEST_F(Command, RouteExplainsManyExpertsInLittleMemory) {
  std::string context = "expert,case,answer,truth\n", cases = "case,cat,dog\n";
  for (int j = 0; j < 20'000; ++j) {
    context += fmt::format("e{},x,{},cat\n", j, j % 2 == 0 ? "dog" : "cat");
  }
  for (int i = 0; i < 40; ++i) cases += fmt::format("case{},0.6,0.4\n", i);
  folder_.put("many.csv", context);
  folder_.put("forty.csv", cases);
  const CommandResult result = run_shell(
      folder_.path(), "ulimit -v 250000; '" IFD_COMMAND
                      "' route --explain --threads 1 --predictions forty.csv --context many.csv "
                      "--budget 0.5 -q | wc -l; exit ${PIPESTATUS[0]}");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out, "40\n");
}

// A policy is read once, so that it can come through a pipe: whatever it is to learn from, and
// whether it routes or is evaluated.
TEST_F(Command, APolicyMayComeThroughAPipe) {
  const std::string file = IFD_SOURCE_DIR "/tests/golden/policy_v1_plain.ifd";
  std::filesystem::copy_file(file, folder_ / "policy.ifd");
  for (const std::string& words :
       std::vector<std::string>{kRoute + std::string("--budget 0.5 --amx test -q --policy "),
                                kEvaluate + std::string("-q --csv --policy ")}) {
    std::string from_file = output(words + "policy.ifd");
    const CommandResult piped = run_shell(
        folder_.path(),
        "mkfifo pipe.ifd; cat policy.ifd > pipe.ifd & '" IFD_COMMAND "' " + words + "pipe.ifd");
    EXPECT_EQ(piped.code, 0) << piped.err;
    std::string from_pipe = piped.out;
    for (std::string* text : {&from_file, &from_pipe}) {
      const std::size_t name = text->find(text == &from_file ? "\npolicy.ifd" : "\npipe.ifd");
      if (name != std::string::npos) text->erase(name, text->find(',', name) - name);
    }
    EXPECT_EQ(from_pipe, from_file);
    std::filesystem::remove(folder_ / "pipe.ifd");
    const CommandResult substituted =
        run_shell(folder_.path(), "'" IFD_COMMAND "' " + words + "<(cat policy.ifd)");
    EXPECT_EQ(substituted.code, 0) << substituted.err;
  }
}

}  // namespace
}  // namespace ifd
