// Combined answers, from files to what the commands print. Expected values are calculated by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/command_fixture.h"

namespace ifd {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr const char* kCombine = "combine --predictions p.csv --context c.csv --answers a.csv ";

// Means of ann: 3/4 on cat, 1/2 on dog; of bob: 1/4 and 3/4. Their errors share nothing beyond
// their classes, so that two answers count twice. Case b: cat .5625 * 1/4 * 3/4, dog .4375 * 1/2 *
// 3/4.
TEST_F(Command, CombinesAnswersAsCalculatedByHand) {
  const CommandResult result = run(kCombine + std::string("--format jsonl"));
  ASSERT_EQ(result.code, 0) << result.err;
  const std::vector<std::string> labels = {"cat", "dog", "dog", "dog", "cat"};
  const std::vector<double> probabilities = {.421875 / .515625, .1640625 / .26953125,
                                             .28125 / .328125, .1875 / .28125,
                                             .31640625 / .48046875};
  const std::vector<std::string> lines = split_lines(result.out);
  ASSERT_EQ(lines.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    const json row = json::parse(lines[i]);
    EXPECT_EQ(row["label"], labels[i]) << lines[i];
    EXPECT_NEAR(row["probability"], probabilities[i], 1e-6) << lines[i];
    EXPECT_EQ(row["answers"].size(), 2u);
    EXPECT_EQ(row["advice"], "escalate");  // nobody is left to ask
  }
  EXPECT_THAT(result.err,
              HasSubstr("5 of 5 cases have answers; 2 labels are other than the "
                        "model's; 0 cases want a second reader, 5 are to be escalated"));
  EXPECT_THAT(result.err, HasSubstr("on the 4 context cases that experts share"));
}

// A blank is no answer, somebody without a context is not counted, and where nobody answered the
// model's label stands. On d ann alone says dog: .5 * 1/2 against .5 * 1/4.
TEST_F(Command, CombinesWhatCameBack) {
  folder_.put("a.csv", "expert,case,answer\nann,d,dog\nann,a,\ncy,c,cat\n");
  const CommandResult result = run(kCombine);
  ASSERT_EQ(result.code, 0) << result.err;
  const std::vector<std::string> lines = split_lines(result.out);
  ASSERT_EQ(lines.size(), 6u);
  EXPECT_EQ(lines[0], "case,label,probability,prediction,answers,advice,reader,worth");
  EXPECT_THAT(lines[1], testing::StartsWith("a,cat,0.75,cat,,"));
  EXPECT_THAT(lines[4], testing::StartsWith("d,dog,0.6666666666666666,cat,ann: dog,"));
  EXPECT_THAT(result.err, HasSubstr("expert 'cy' has answers but no context"));
  EXPECT_THAT(result.err, HasSubstr("1 of 5 cases have answers"));
}

// Of a, ann's answer changes nothing (.75 * 1/4 for cat against .25 * 1/2 for dog, if she says
// dog), nor does bob's of c; of b and e it is worth .4219 + .2188 - .5625, whatever the sign of a
// margin.
TEST_F(Command, RoutesCombinedAnswersWhereTheyCanChangeTheLabel) {
  const CommandResult result = run(kRoute + std::string("--budget 1 --answer combined"));
  EXPECT_EQ(result.out,
            "case,decision,expert,prediction,margin\na,model,,cat,\nb,expert,ann,cat,0.078125\n"
            "c,model,,dog,\nd,expert,ann,cat,0.125\ne,expert,ann,cat,0.078125\n");
  EXPECT_THAT(result.err, HasSubstr("nobody's answer could change the label"));
  const std::string advised =
      output(kRoute + std::string("--budget 1 --answer combined --sure 0.7 --quiet"));
  EXPECT_THAT(advised, HasSubstr("case,decision,expert,prediction,margin,advice,reader\n"
                                 "a,model,,cat,,settled,\n"));
}

TEST_F(Command, EvaluatesCombinedAnswersBesideFinalOnes) {
  const json both = output_json(kEvaluate + std::string("--json --answer combined"));
  const json alone = output_json(kEvaluate + std::string("--json"));
  ASSERT_EQ(both["policies"].size(), 2u);
  EXPECT_EQ(both["policies"][0], alone["policies"][0]);
  EXPECT_EQ(both["policies"][1]["policy"], "plug-in, combined");
  EXPECT_EQ(both["policies"][1]["answer"], "combined");
  // Ann is asked on b (dog, right), d (dog, wrong) and e (cat, right); b and d become dog, e cat.
  EXPECT_EQ(both["policies"][1]["at_zero"]["deferral_rate"], .6);
  EXPECT_EQ(both["policies"][1]["at_zero"]["accuracy"], .8);
  const std::string text = output(kEvaluate + std::string("--answer combined"));
  EXPECT_THAT(text, HasSubstr("plug-in, combined"));
  EXPECT_THAT(text, HasSubstr("Combined with the model's probabilities"));
}

// A missed dog costs 4 and a needless one 1, so that the model says dog on every case, for .75 on
// a. There ann saves something: if she says cat, cat costs .5 (dog .5625), if she says dog, dog
// costs .1875. Together .6875, which is .0625 less, and her fee is half of that.
TEST_F(Command, RoutesCombinedAnswersUnderCostsWhereTheySave) {
  folder_.put("costs.csv", "truth,label,cost [EUR]\ncat,dog,1\ndog,cat,4\n");
  folder_.put("fees.csv", "expert,fee\nann,0.03125\n");
  const std::string costs = "--costs costs.csv --fees fees.csv ";
  const CommandResult result = run(kRoute + costs + "--budget 1 --answer combined");
  EXPECT_EQ(result.out,
            "case,decision,expert,prediction,margin\na,expert,ann,dog,0.03125\nb,model,,dog,\n"
            "c,model,,dog,\nd,model,,dog,\ne,model,,dog,\n");
  EXPECT_THAT(result.err, HasSubstr("nobody's answer is expected to save anything"));
  EXPECT_THAT(result.err, HasSubstr("expected to save 0.03"));
  // Ann and bob say cat on a: cat .421875 and dog .09375, so that cat costs .375 of .515625.
  const std::vector<std::string> lines = split_lines(output(kCombine + costs + "--quiet"));
  EXPECT_EQ(lines[0], "case,label,probability,prediction,answers,advice,reader,worth,cost");
  EXPECT_THAT(lines[1], testing::StartsWith("a,cat,0.8181818181818182,dog,"));
  EXPECT_THAT(lines[1], testing::EndsWith(",0.7272727272727273"));
  EXPECT_THAT(lines[2], testing::StartsWith("b,dog,"));

  const json both = output_json(kEvaluate + costs + "--json --answer combined");
  ASSERT_EQ(both["policies"].size(), 4u);  // cost-blind beside it, both ways
  EXPECT_EQ(both["policies"][1]["policy"], "plug-in, combined");
  EXPECT_EQ(both["policies"][1]["at_zero"]["deferral_rate"], .2);
  const std::string text = output(kEvaluate + costs + "--answer combined --report report.html");
  EXPECT_THAT(text, HasSubstr("the experts' answers make the\ncost per case 0.426 EUR over all "
                              "budgets, not 0.426 EUR"));
  EXPECT_THAT(folder_.get("report.html"), HasSubstr("expected to cost least by the model"));
}

}  // namespace
}  // namespace ifd
