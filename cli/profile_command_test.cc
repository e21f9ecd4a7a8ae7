// Profiles, from files to what the command prints. Expected values are calculated by hand.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "command_line/text_width.h"
#include "tests/command_fixture.h"

namespace ifd {
namespace {

using nlohmann::json;
using testing::EndsWith;
using testing::HasSubstr;

// 50 % intervals: Beta(3,1) has the quantile function u^(1/3), Beta(1,3) its mirror image.
TEST_F(Command, ProfilePrintsATable) {
  const CommandResult result =
      run("profile --context c.csv --classes cat,dog --interval 0.5 --long");
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out,
            "expert  class  answers  correct   mean     sd    lcb   50 % interval\n"
            "ann     cat          2        2  0.750  0.194  0.556  [0.630, 0.909]\n"
            "ann     dog          2        1  0.500  0.224  0.276  [0.326, 0.674]\n"
            "bob     cat          2        0  0.250  0.194  0.056  [0.091, 0.370]\n"
            "bob     dog          2        2  0.750  0.194  0.556  [0.630, 0.909]\n");
  EXPECT_EQ(result.err, "");
}

// Several experts: a row each, a column per class, then what else the answers say. All four cells
// of dog and cat are as uncertain for ann and bob: Beta(2,2) before Beta(3,1).
TEST_F(Command, ProfileOfSeveralExpertsIsAMatrix) {
  const CommandResult result = run("profile --context c.csv --classes cat,dog --interval 0.5");
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out,
            "expert       all       cat       dog\n"
            "ann     0.62 (4)  0.75 (2)  0.50 (2)\n"
            "bob     0.50 (4)  0.25 (2)  0.75 (2)\n"
            "mean accuracy (answers); 'all' is the mean over classes; --long has intervals\n"
            "\n"
            "Agreement on the same cases, weakest first\n"
            "no pair shares 10 cases or more (the most is 4), too few to tell\n"
            "\n"
            "Mistakes, most frequent first\n"
            "expert  mistake            times  of\n"
            "ann     dog taken for cat      1   2\n"
            "bob     cat taken for dog      2   2\n"
            "\n"
            "Where answers are missing, most useful first\n"
            "expert  class  answers  50 % interval\n"
            "ann     dog          2   [0.33, 0.67]\n"
            "ann     cat          2   [0.63, 0.91]\n"
            "bob     cat          2   [0.09, 0.37]\n"
            "bob     dog          2   [0.63, 0.91]\n"
            "4 of 4 expert x class have fewer than 15 answers (--enough)\n");
}

TEST_F(Command, ProfileOfOneExpertStaysALongTable) {
  folder_.put("one.csv", "expert,case,answer,truth\nann,x,cat,cat\n");
  EXPECT_THAT(output("profile --context one.csv --classes cat,dog"),
              testing::StartsWith("expert  class  answers  correct   mean"));
}

// 12 shared cases: both say cat on 6 and dog on 4, they differ on 2; p_e = (8 x 6 + 4 x 6) / 144.
TEST_F(Command, ProfileTellsHowFarExpertsAgree) {
  std::string rows = "expert,case,answer,truth\n";
  for (int i = 0; i < 12; ++i) {
    rows += fmt::format("ann,x{},{},cat\nbob,x{},{},cat\n", i, i < 8 ? "cat" : "dog", i,
                        i < 6 ? "cat" : "dog");
  }
  rows += "cleo,x0,cat,cat\n";
  folder_.put("many.csv", rows);
  const std::string text = output("profile --context many.csv --classes cat,dog");
  EXPECT_THAT(text, HasSubstr("experts   shared cases   agree  kappa\n"
                              "ann, bob            12  83.3 %   0.67\n"
                              "Cohen's kappa: 1 always agree, 0 as often as by chance; 2 pair(s) "
                              "share fewer than 10 cases and are\nleft out\n"));
  const json agreement =
      output_json("profile --context many.csv --classes cat,dog --json")["agreement"];
  EXPECT_EQ(agreement["between"], "pairs");
  EXPECT_EQ(agreement["too_few"], 2);
  EXPECT_EQ(agreement["pairs"][0]["experts"], json({"ann", "bob"}));
  EXPECT_EQ(agreement["pairs"][0]["agreed"], 10);
  EXPECT_DOUBLE_EQ(agreement["pairs"][0]["kappa"], (10.0 / 12 - .5) / .5);
}

// Blocks of classes below each other, none beyond the line; everybody in each of them.
TEST_F(Command, ProfileOfManyClassesFitsTheLine) {
  std::string rows = "expert,case,answer,truth\n";
  std::string classes = "class0";
  for (int k = 1; k < 40; ++k) classes += fmt::format(",class{}", k);
  for (int k = 0; k < 40; ++k)
    rows += fmt::format("ann,x{0},class{0},class{0}\nbob,x{0},class1,class{0}\n", k);
  folder_.put("many.csv", rows);
  std::size_t of_bob = 0;
  for (const std::string& line :
       split_lines(output("profile --context many.csv --classes " + classes))) {
    EXPECT_LE(line.size(), 100U) << line;
    of_bob += line.starts_with("bob     0.") ? 1 : 0;
  }
  EXPECT_EQ(of_bob, 6U);
}

// Forty experts by twelve classes: one block, thirty rows, every line within the terminal, and the
// rest on request.
TEST_F(Command, ProfileOfManyExpertsIsCompact) {
  std::string rows = "expert,case,answer,truth\n", classes;
  for (int k = 0; k < 12; ++k)
    classes += fmt::format("{}condition_{}_of_the_skin", k ? "," : "", k);
  for (int j = 0; j < 40; ++j) {
    for (int k = 0; k < 12; ++k) {
      for (int i = 0; i < (k == 0 ? 20 : 2); ++i) {
        rows += fmt::format(
            "expert{0},x{1}-{2},condition_{1}_of_the_skin,condition_{1}_of_the_skin\n", j, k, i);
      }
    }
  }
  folder_.put("many.csv", rows);
  const std::string profile = "profile --context many.csv --classes " + classes;
  const std::string text = output(profile);
  const Words lines = split_lines(text);
  EXPECT_LE(lines.size(), 90U);
  for (const std::string& line : lines) EXPECT_LE(columns_of(line), 100U) << line;
  // (20 + 1) / (20 + 2) and (2 + 1) / (2 + 2), the first by answers enough.
  EXPECT_THAT(text, testing::ContainsRegex("\nexpert0 +42 +77 +95 +\\(75\\) +\\(75\\)"));
  EXPECT_THAT(text, HasSubstr("\nexpert29 "));
  EXPECT_THAT(text, testing::Not(HasSubstr("\nexpert30 ")));
  EXPECT_THAT(text, HasSubstr("10 more experts with --all-experts\n"));
  EXPECT_THAT(text, HasSubstr("'condition_11_of_the_skin'"));
  EXPECT_THAT(output(profile + " --all-experts"), HasSubstr("\nexpert39 "));
}

// Predictions say which classes come often: answers are missing most where it matters.
TEST_F(Command, ProfileAsksForAnswersWhereCasesAre) {
  folder_.put("often.csv", "case,cat,dog\na,0.875,0.125\n");
  EXPECT_EQ(
      output_json(
          "profile --context c.csv --predictions often.csv --json")["needs"]["first"][0]["class"],
      "cat");
  EXPECT_THAT(output("profile --context c.csv --classes cat,dog --enough 2"),
              EndsWith("nowhere: everybody has 2 or more per class\n"));
}

// Beta(3,1): mean 3/4, variance 3/80; Beta(2,2): 1/2, 1/20.
TEST_F(Command, ProfileGivesThePosteriorsAsJson) {
  const json profile = output_json("profile --context c.csv --predictions p.csv --json");
  EXPECT_EQ(profile["schema"], "ifd profile 1");
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
  EXPECT_EQ(ann["mistakes"],
            json::parse(R"([{"truth": "dog", "answer": "cat", "count": 1, "of": 2}])"));
  EXPECT_EQ(profile["needs"]["cells"], 4);
  EXPECT_EQ(profile["needs"]["first"][0]["expert"], "ann");
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

}  // namespace
}  // namespace ifd
