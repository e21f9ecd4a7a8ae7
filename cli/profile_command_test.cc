// Profiles, from files to what the command prints. Expected values are calculated by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/command_fixture.h"

namespace ifd {
namespace {

using nlohmann::json;

// 50 % intervals: Beta(3,1) has the quantile function u^(1/3), Beta(1,3) its mirror image.
TEST_F(Command, ProfilePrintsATable) {
  const CommandResult result = run("profile --context c.csv --classes cat,dog --interval 0.5 --long");
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out,
            "expert  class  answers  correct   mean     sd    lcb   50 % interval\n"
            "ann     cat          2        2  0.750  0.194  0.556  [0.630, 0.909]\n"
            "ann     dog          2        1  0.500  0.224  0.276  [0.326, 0.674]\n"
            "bob     cat          2        0  0.250  0.194  0.056  [0.091, 0.370]\n"
            "bob     dog          2        2  0.750  0.194  0.556  [0.630, 0.909]\n");
  EXPECT_EQ(result.err, "");
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

}  // namespace
}  // namespace ifd
