// --summary, from files to what is in it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fetch/checksum.h"
#include "tests/command_fixture.h"

namespace ifd {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class RunSummary : public Command {
 protected:
  json summary() const { return json::parse(folder_.get("run.json")); }
};

TEST_F(RunSummary, TellsWhatRouteDidAlsoWhenItIsQuiet) {
  folder_.put("capacity.csv", "expert,capacity\nann,1\nbob,1\n");
  const std::string words = kRoute + std::string("--budget 1 --capacity capacity.csv ");
  const CommandResult quiet = run(words + "-q -o routes.csv --summary run.json");
  EXPECT_EQ(quiet.code, 0);
  EXPECT_EQ(quiet.err, "");
  const json told = summary();
  EXPECT_EQ(told["schema"], "ifd summary 1");
  EXPECT_EQ(told["version"], "0.1.0");
  EXPECT_EQ(told["command"], "route");
  EXPECT_EQ(told["exit"]["code"], 0);
  EXPECT_EQ(told["exit"]["meaning"], "ok");
  EXPECT_EQ(told["cases"], 5);
  EXPECT_EQ(told["deferred"], 1);
  EXPECT_EQ(told["budget"], 1);
  EXPECT_EQ(told["threshold"], nullptr);
  EXPECT_EQ(told["load"],
            json::array({{{"expert", "ann"}, {"cases", 1}}, {{"expert", "bob"}, {"cases", 0}}}));
  ASSERT_EQ(told["inputs"].size(), 3u);
  EXPECT_EQ(told["inputs"][0]["option"], "--predictions");
  EXPECT_EQ(told["inputs"][0]["file"], "p.csv");
  EXPECT_EQ(told["inputs"][0]["sha256"], file_checksum(ChecksumKind::kSha256, folder_ / "p.csv"));
  ASSERT_EQ(told["outputs"].size(), 1u);
  EXPECT_EQ(told["outputs"][0]["file"], "routes.csv");
  const CommandResult loud = run(words + "-o routes.csv --summary run.json");
  EXPECT_EQ(summary(), told);
  std::string notes;
  for (const json& note : told["notes"]) notes += note.get<std::string>() + "\n";
  EXPECT_EQ(notes, loud.err);
}

TEST_F(RunSummary, TellsWhatEvaluateFound) {
  output(kEvaluate + std::string("-q --threshold 0.1 --budgets 0.2 --summary run.json"));
  const json told = summary();
  EXPECT_EQ(told["command"], "evaluate");
  EXPECT_EQ(told["inputs"].size(), 3u);
  EXPECT_EQ(told["answer"], "not sure");
  ASSERT_EQ(told["policies"].size(), 1u);
  EXPECT_EQ(told["policies"][0]["at_budgets"][0]["deferred"], 1);
  EXPECT_EQ(told["policies"][0]["at_threshold"]["deferred"], 1);
  EXPECT_NEAR(told["policies"][0]["at_zero"]["accuracy"], .8, 1e-12);
}

// A script that looks only at the file must not take yesterday's for today's.
TEST_F(RunSummary, TellsOfAFailureToo) {
  folder_.put("run.json", "yesterday's");
  folder_.put("bad.csv", "case,cat,dog\na,2,3\n");
  const CommandResult result =
      run("route --predictions bad.csv --context c.csv --budget 1 --summary run.json");
  EXPECT_EQ(result.code, 3);
  const json told = summary();
  EXPECT_EQ(told["exit"]["code"], 3);
  EXPECT_EQ(told["exit"]["meaning"], "bad input");
  EXPECT_EQ("ifd: " + told["error"].get<std::string>() + "\n", result.err);
}

TEST_F(RunSummary, IsCheckedAsAnOutputBeforeAnyWork) {
  EXPECT_THAT(run(kRoute + std::string("--budget 1 --summary p.csv")).err,
              HasSubstr("is the file of --predictions, which would be lost"));
  EXPECT_THAT(run(kRoute + std::string("--budget 1 --summary -")).err,
              HasSubstr("--summary -: the routes go to stdout"));
  const CommandResult result = run(kRoute + std::string("--budget 1 -o routes.csv --summary -"));
  EXPECT_EQ(json::parse(result.out)["schema"], "ifd summary 1");
}

}  // namespace
}  // namespace ifd
