// A watch, from files to what the command prints.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/command_fixture.h"

namespace ifd {
namespace {

using testing::HasSubstr;

// ann knows both, and confuses them from the 31st new answer on; bob stays as he was.
std::string answers_of(const std::string& prefix, int count, int exchanged_from) {
  std::string text = "expert,case,answer,truth\n";
  const std::vector<std::string> names = {"cat", "dog"};
  for (int i = 0; i < count; ++i) {
    const std::string at = prefix + std::to_string(i + 1);
    const auto truth = static_cast<std::size_t>(i % 2);
    const std::size_t said = i >= exchanged_from ? 1 - truth : truth;
    text += "ann," + at + "," + names[said] + "," + names[truth] + "\n";
    text += "bob," + at + "," + names[i % 10 == 0 ? 1 - truth : truth] + "," + names[truth] + "\n";
  }
  return text;
}

TEST_F(Command, WatchFindsWhoChangedAndSaysWhatItCouldHaveSeen) {
  folder_.put("old.csv", answers_of("o", 60, 60));
  folder_.put("new.csv", answers_of("n", 120, 30));
  const std::string words = "watch --context old.csv --answers new.csv";
  const CommandResult result = run(words);
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, HasSubstr("ann     worse on all classes"));
  EXPECT_THAT(result.out, HasSubstr("ann     cat and dog exchanged"));
  EXPECT_THAT(result.out, HasSubstr("answer 31, case n31"));
  EXPECT_THAT(result.out, HasSubstr("bob     nothing; a fall by 0."));
  std::string in_one_line = result.out;
  std::ranges::replace(in_one_line, '\n', ' ');
  EXPECT_THAT(in_one_line, HasSubstr("at most 5 of 100 watches"));
  EXPECT_EQ(run(words + " --fail").code, 4);
  EXPECT_EQ(run("watch --context old.csv --answers old.csv --fail").code, 0);

  const auto json = output_json(words + " --json --alpha 0.01 --classes cat,dog");
  EXPECT_EQ(json["schema"], "ifd watch 1");
  EXPECT_EQ(json["false_alarms"], .01);
  EXPECT_EQ(json["experts"][0]["new"]["answers"], 120);
  EXPECT_EQ(json["experts"][0]["findings"][0]["since"], 31);
  EXPECT_EQ(json["experts"][0]["findings"][0]["since_case"], "n31");
  EXPECT_EQ(json["experts"][1]["findings"].size(), 0u);
  EXPECT_EQ(json["experts"][1]["old"]["right"], 54);
}

// Somebody who is in one of the files only is watched with what there is.
TEST_F(Command, WatchTakesThoseWhoAreInOneFile) {
  folder_.put("old.csv", "expert,case,answer,truth\nann,1,cat,cat\nann,2,dog,dog\n");
  folder_.put("new.csv", "expert,case,answer,truth\nbob,3,cat,cat\nbob,4,cat,dog\n");
  const CommandResult result = run("watch --context old.csv --answers new.csv");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("ann     no new answers"));
  EXPECT_THAT(result.out, HasSubstr("bob     nothing; too few answers to find a fall"));
}

// Old answers that are faded weigh less: the route follows the latest.
TEST_F(Command, RouteWithAHalfLifeFollowsTheLatestAnswers) {
  std::string context = "expert,case,answer,truth\n";
  for (int i = 0; i < 40; ++i) {
    context += "ann,x" + std::to_string(i) + (i < 20 ? ",dog" : ",cat") + ",cat\n";
  }
  folder_.put("c.csv", context);
  const std::string words = "explain --predictions p.csv --context c.csv --case a --json";
  const double plain = output_json(words)["cases"][0]["experts"][0]["margin"];
  const double faded = output_json(words + " --half-life 5")["cases"][0]["experts"][0]["margin"];
  EXPECT_GT(faded, plain + .1);
}

}  // namespace
}  // namespace ifd
