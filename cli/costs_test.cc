// Costs and fees, from files to what the commands print. Expected values are calculated by hand:
// of cat and dog ann gets 3/4 and 1/2 right, bob 1/4 and 3/4.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/command_fixture.h"

namespace ifd {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class CommandWithCosts : public Command {
 protected:
  CommandWithCosts() {
    folder_.put("even.csv", "truth,label,cost\n*,*,1\n");
    folder_.put("four.csv", "truth,label,cost [EUR]\n*,*,4\n");
    folder_.put("cats.csv", "truth,label,cost [EUR]\ncat,dog,4\ndog,cat,1\n");
    folder_.put("fees.csv", "expert,fee [EUR]\nann,0.25\n");
  }
};

// Four times the margins without costs, less what ann wants: on a and c somebody would cost more.
TEST_F(CommandWithCosts, AFeeIsWeighedAgainstTheMistakes) {
  const CommandResult result =
      run(kRoute + std::string("--budget 1 --costs four.csv --fees fees.csv"));
  EXPECT_EQ(result.out,
            "case,decision,expert,prediction,margin\na,model,,cat,-0.5\nb,expert,ann,cat,0.0625\n"
            "c,model,,dog,-0.5\nd,expert,ann,cat,0.25\ne,expert,ann,cat,0.0625\n");
  EXPECT_EQ(result.err,
            "3 of 5 cases go to an expert (threshold 0): ann 3\n"
            "expected to save 0.375 EUR in all, fees taken off\n"
            "note: the budget allows 5 cases; on the others no saving is expected of anybody, so "
            "the model keeps them (--fill-budget defers them too)\n");
}

// On c (cat .25, dog .75) taking a dog for a cat costs .75 and a cat for a dog 1.00, so the model
// says cat; ann would cost .25 * .25 * 4 + .75 * .5 = .625.
TEST_F(CommandWithCosts, TheModelAnswersWhatCostsLeast) {
  EXPECT_THAT(output(kRoute + std::string("--threshold 0 --costs cats.csv")),
              HasSubstr("c,expert,ann,cat,0.125\n"));
  const std::string told =
      output("explain --predictions p.csv --context c.csv --case c --costs cats.csv");
  EXPECT_THAT(told, HasSubstr("It answers cat, which is expected to cost least: 0.750 EUR."));
  const json document =
      output_json("explain --predictions p.csv --context c.csv --case c --costs cats.csv --json");
  EXPECT_EQ(document["cases"][0]["prediction"], "cat");
  EXPECT_EQ(document["cases"][0]["prediction_cost"], .75);
  EXPECT_EQ(document["cases"][0]["experts"][0]["expected_cost"], .625);
}

// Every mistake costs 1 and nobody has a fee: not a byte of the routes changes.
TEST_F(CommandWithCosts, AnEvenCostOfOneChangesNoByte) {
  for (const char* words : {"--budget 0.6", "--threshold 0", "--budget 1 --format jsonl",
                            "--budget 0.8 --fill-budget"}) {
    EXPECT_EQ(output(kRoute + std::string(words)),
              output(kRoute + std::string(words) + " --costs even.csv"));
  }
}

// Errors of the evaluation without costs, in money; see EvaluateGivesTheAreas.
TEST_F(CommandWithCosts, EvaluationsAreInTheUnitOfTheCosts) {
  const json document =
      output_json(kEvaluate + std::string("--json --policy plug-in --costs four.csv"));
  const json& policy = document["policies"][0];
  EXPECT_NEAR(policy["mean_cost"], 4 * (1 - .74), 1e-6);
  EXPECT_NEAR(policy["model_cost"], 4 * .2, 1e-6);
  EXPECT_NEAR(policy["at_zero"]["cost"], 4 * .2, 1e-6);
  EXPECT_EQ(document["costs"]["unit"], "EUR");
  EXPECT_THAT(
      output(kEvaluate + std::string("--costs four.csv")),
      testing::AllOf(HasSubstr("the cost per case goes from 0.800 EUR to 0.800 EUR"),
                     HasSubstr("Cost per case in EUR, fees included"), HasSubstr("mean cost"),
                     HasSubstr("cost-blind"), Not(HasSubstr("AURSAC"))));
}

TEST_F(CommandWithCosts, TheReportShowsWhatChangesHands) {
  output(kEvaluate + std::string("--costs cats.csv --fees fees.csv --report r.html"));
  const std::string page = folder_.get("r.html");
  EXPECT_THAT(page, HasSubstr("What the costs change"));
  EXPECT_THAT(page, HasSubstr("Cost per case (EUR) of model and experts together"));
  EXPECT_THAT(page, HasSubstr("--costs cats.csv"));
  EXPECT_THAT(page, HasSubstr("--fees fees.csv"));
}

// A unit is a name from a file like any other: shown, never obeyed.
TEST_F(CommandWithCosts, AUnitIsNotObeyed) {
  folder_.put("odd.csv", "truth,label,\"cost [\x1b]2;x\x07]\"\n*,*,4\n");
  const CommandResult result = run(kRoute + std::string("--budget 1 --costs odd.csv"));
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.err, Not(HasSubstr("\x1b")));
  EXPECT_THAT(result.err, HasSubstr("\\x1b]2;x\\x07 in all"));
}

}  // namespace
}  // namespace ifd
