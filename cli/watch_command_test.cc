// A watch, from files to what the command prints.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

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

  const auto json = output_json(words + " --json --false-alarms 0.01 --classes cat,dog");
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

std::string days(const std::string& text, std::size_t first, std::size_t count) {
  const auto lines = split_lines(text);
  std::string chosen = lines[0] + "\n";
  for (std::size_t i = first; i < first + count; ++i) chosen += lines[1 + i] + "\n";
  return chosen;
}

// Day by day with a state, or all days at once: the same words, the same numbers, the same file.
TEST_F(Command, WatchGoesOnFromItsState) {
  const std::string fresh = answers_of("n", 120, 30);
  folder_.put("old.csv", answers_of("o", 60, 60));
  folder_.put("new.csv", fresh);
  const std::string words = "watch --context old.csv --classes cat,dog ";
  const CommandResult at_once = run(words + "--answers new.csv --state whole.watch");
  ASSERT_EQ(at_once.code, 0) << at_once.err;
  EXPECT_EQ(at_once.out, run(words + "--answers new.csv").out);
  CommandResult today;
  for (std::size_t day = 0; day < 4; ++day) {
    folder_.put("today.csv", days(fresh, 60 * day, 60));
    today = run(words + "--answers today.csv --state daily.watch");
    ASSERT_EQ(today.code, 0) << today.err;
  }
  EXPECT_EQ(today.out, at_once.out);
  EXPECT_EQ(folder_.get("daily.watch"), folder_.get("whole.watch"));
  // The state alone tells it again, has the old answers, and can be drawn.
  EXPECT_EQ(run("watch --state daily.watch --chart daily.svg").out, at_once.out);
  EXPECT_EQ(run(words + "--answers new.csv --chart new.svg").out, at_once.out);
  EXPECT_THAT(folder_.get("daily.svg"), HasSubstr("found from here on"));
  EXPECT_EQ(folder_.get("daily.svg"), folder_.get("new.svg"));
  EXPECT_EQ(run("watch --state daily.watch --fail").code, 4);
  EXPECT_EQ(folder_.get("daily.watch"), folder_.get("whole.watch"));
}

// A day that is counted by mistake a second time is refused, and the state stays as it was; so it
// does where the report cannot be written.
TEST_F(Command, WatchCountsNoDayTwice) {
  folder_.put("old.csv", answers_of("o", 60, 60));
  folder_.put("new.csv", answers_of("n", 20, 20));
  const std::string words = "watch --context old.csv --answers new.csv --state kept.watch";
  EXPECT_EQ(RunningCommand(folder_.path(), split_words(words), "/dev/full").wait().code, 5);
  ASSERT_EQ(run(words).code, 0);
  const std::string kept = folder_.get("kept.watch");
  const CommandResult again = run(words);
  EXPECT_EQ(again.code, 3);
  EXPECT_EQ(again.err,
            "ifd: new.csv: expert 'ann' has answered case 'n1' in this watch already; expected new "
            "answers only\n");
  EXPECT_EQ(folder_.get("kept.watch"), kept);
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

// Of several at once none loses its answers, and each comes with its own: the order is open.
TEST_F(Command, WatchesOfOneStateAtOnceKeepAllAnswers) {
  folder_.put("old.csv", answers_of("o", 60, 60));
  constexpr int kAtOnce = 8;
  std::vector<std::unique_ptr<RunningCommand>> running;
  for (int i = 0; i < kAtOnce; ++i) {
    const std::string name = "new" + std::to_string(i) + ".csv";
    folder_.put(name, answers_of("n" + std::to_string(i) + "-", 20, 20));
    running.push_back(std::make_unique<RunningCommand>(
        folder_.path(), split_words("watch --context old.csv --state w.watch --answers " + name)));
  }
  for (const auto& one : running) EXPECT_EQ(one->wait().code, 0);
  const auto json = output_json("watch --state w.watch --json");
  EXPECT_EQ(json["experts"][0]["new"]["answers"], 20 * kAtOnce);
  EXPECT_EQ(json["experts"][1]["new"]["answers"], 20 * kAtOnce);
}

}  // namespace
}  // namespace ifd
