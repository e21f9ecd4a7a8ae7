// Experts known from a file of priors alone, as the commands treat them.
#include "cli/prior_inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/command_fixture.h"

namespace ifd {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr const char* kZoe = "expert,class,mean,strength\nzoe,*,0.875,8\n*,*,0.5,2\n";
constexpr const char* kBelieved = "zoe is known from the prior alone: strength 8, mean 0.875";

// The prior leaves ann and bob as they were, so the routes are those without it, and a note says
// who was left out; the star is nobody.
TEST_F(Command, ANameInThePriorAloneTakesNoCase) {
  folder_.put("prior.csv", kZoe);
  const CommandResult result = run(kRoute + std::string("--budget 1 --prior prior.csv"));
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out, output(kRoute + std::string("--budget 1")));
  EXPECT_THAT(result.err, HasSubstr("note: prior.csv: not in the context and left out: zoe; "
                                    "--prior-only lets them join\n"));
  EXPECT_EQ(result.err.find('*'), std::string::npos);
}

// At mean .875 on both classes zoe's margin, .875 - max p, is above ann's and bob's everywhere.
TEST_F(Command, ANameInThePriorAloneJoinsOnRequestAndIsSaidToBeSo) {
  folder_.put("prior.csv", kZoe);
  const CommandResult result =
      run(kRoute + std::string("--budget 1 --prior prior.csv --prior-only"));
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.err, HasSubstr(std::string("note: ") + kBelieved + "\n"));
  EXPECT_THAT(result.err, HasSubstr(": zoe 5 (known from the prior alone)\n"));
  const json b = json::parse(split_lines(
      output(kRoute + std::string("--budget 1 --prior prior.csv --prior-only --explain")))[1]);
  EXPECT_FALSE(b["experts"][0].contains("known"));
  EXPECT_EQ(b["experts"][2]["known"], "known from the prior alone: strength 8, mean 0.875");

  const std::string profile = "profile --context c.csv --classes cat,dog --prior prior.csv ";
  EXPECT_EQ(output_json(profile + "--json")["experts"].size(), 2U);
  const json experts = output_json(profile + "--prior-only --json")["experts"];
  ASSERT_EQ(experts.size(), 3U);
  EXPECT_FALSE(experts[1].contains("known"));
  EXPECT_EQ(experts[2]["known"], "known from the prior alone: strength 8, mean 0.875");
  EXPECT_THAT(output(profile + "--prior-only"), HasSubstr(std::string(kBelieved) + "\n"));

  const std::string evaluate =
      kEvaluate + std::string("--missing off-duty --prior prior.csv --prior-only ");
  EXPECT_THAT(run(evaluate).err, HasSubstr(kBelieved));
  EXPECT_EQ(output_json(evaluate + "--json")["prior_alone"],
            json({{"zoe", "known from the prior alone: strength 8, mean 0.875"}}));
  EXPECT_FALSE(output_json(kEvaluate + std::string("--json")).contains("prior_alone"));
}

// Without a context, or with one that has a header alone, the roster is that of the priors.
TEST_F(Command, ARosterMayBeKnownFromPriorsAlone) {
  folder_.put("prior.csv", kZoe);
  folder_.put("header.csv", "expert,case,answer,truth\n");
  const std::string route = "route --predictions p.csv --budget 1 --prior prior.csv --prior-only ";
  const std::string routes = output(route);
  EXPECT_THAT(routes, HasSubstr("a,expert,zoe,cat,0.125\n"));
  EXPECT_EQ(output(route + "--context header.csv"), routes);
  const std::string profile = "profile --classes cat,dog --prior prior.csv --prior-only --json ";
  EXPECT_EQ(output_json(profile)["experts"].size(), 1U);
  EXPECT_EQ(output_json(profile + "--context header.csv"), output_json(profile));
}

// Where nothing is stated the others speak; what the file states stays, and somebody without an
// answer joins by name.
TEST_F(Command, TheStaffSpeaksForSomebodyNew) {
  const std::string profile = "profile --context c.csv --classes cat,dog --json ";
  const json before = output_json(profile)["experts"];
  const json after = output_json(profile + "--staff-prior --newcomer zoe")["experts"];
  ASSERT_EQ(after.size(), before.size() + 1);
  EXPECT_NE(after[0]["classes"][0]["mean"], before[0]["classes"][0]["mean"]);
  EXPECT_EQ(after[0]["classes"][0]["n"], before[0]["classes"][0]["n"]);
  EXPECT_EQ(after.back()["expert"], "zoe");
  EXPECT_THAT(after.back()["known"].get<std::string>(), HasSubstr("known from the prior alone"));
  EXPECT_EQ(after.back()["classes"][0]["mean"], after.back()["classes"][1]["mean"]);

  folder_.put("prior.csv", "expert,class,mean,strength\nann,cat,0.25,4\n");
  const json stated = output_json(profile + "--staff-prior --prior prior.csv")["experts"];
  const json alone = output_json(profile + "--prior prior.csv")["experts"];
  EXPECT_EQ(stated[0]["classes"][0]["alpha"], alone[0]["classes"][0]["alpha"]);
  EXPECT_NE(stated[0]["classes"][1]["alpha"], alone[0]["classes"][1]["alpha"]);

  const CommandResult routed = run(kRoute + std::string("--budget 1 --staff-prior --newcomer zoe"));
  EXPECT_EQ(routed.code, 0);
  EXPECT_THAT(routed.err, HasSubstr("zoe is known from the prior alone"));
  EXPECT_EQ(run(kEvaluate + std::string("--staff-prior")).code, 0);
}

}  // namespace
}  // namespace ifd
