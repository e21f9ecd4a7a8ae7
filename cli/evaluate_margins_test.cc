// Anybody's margins beside our policies: `ifd evaluate --margins NAME=FILE.npz`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "ifd/data/npz.h"
#include "tests/command_fixture.h"

namespace ifd {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class EvaluateMargins : public Command {
 protected:
  // The margins of plug-in as it explains them, with rows and columns turned around.
  EvaluateMargins() {
    std::istringstream lines(output(kRoute + std::string("--threshold 0 --explain")));
    std::vector<std::string> cases, experts;
    std::vector<double> margins;
    for (std::string line; std::getline(lines, line);) {
      const json row = json::parse(line);
      cases.push_back(row["case"]);
      experts.clear();
      for (const json& expert : row["experts"]) {
        experts.push_back(expert["expert"]);
        margins.push_back(expert["margin"]);
      }
    }
    std::reverse(cases.begin(), cases.end());
    std::reverse(experts.begin(), experts.end());
    std::reverse(margins.begin(), margins.end());
    NpzWriter npz;
    npz.add("margins", {cases.size(), experts.size()}, std::span<const double>(margins));
    npz.add("cases", cases);
    npz.add("experts", experts);
    folder_.put("m.npz", std::move(npz).bytes());
  }
};

TEST_F(EvaluateMargins, GiveTheSameTableAsThePolicyTheyCameFrom) {
  const json result = output_json(
      "evaluate --predictions p.csv --context c.csv --answers a.csv --bootstrap 50 --json "
      "--policy plug-in,confidence --margins mine=m.npz --margins again=m.npz --report r.html "
      "--curve c1.csv --fill-budget");
  ASSERT_EQ(result["policies"].size(), 4U);
  json plug_in = result["policies"][0], mine = result["policies"][2];
  EXPECT_EQ(mine["policy"], "mine");
  EXPECT_EQ(result["policies"][3]["policy"], "again");
  EXPECT_EQ(mine["difference"]["aursac"]["value"], 0);
  for (const char* own : {"policy", "difference"}) {
    plug_in.erase(own);
    mine.erase(own);
  }
  EXPECT_EQ(mine, plug_in);
  EXPECT_THAT(folder_.get("r.html"), HasSubstr("--margins mine=m.npz --margins again=m.npz"));
  EXPECT_THAT(folder_.get("c1.csv"), HasSubstr("\nmine,0.2,"));
}

TEST_F(EvaluateMargins, RefusesWhatCannotBeCompared) {
  const auto refused = [&](const std::string& words) {
    const CommandResult result = run(kEvaluate + words);
    return std::to_string(result.code) + " " + result.err;
  };
  EXPECT_EQ(refused("--margins m.npz"),
            "2 ifd: --margins 'm.npz': expected NAME=FILE.npz, as in --margins mine=m.npz\n");
  EXPECT_EQ(refused("--margins plug-in=m.npz"),
            "2 ifd: --margins plug-in: the name is taken; expected another\n");
  EXPECT_EQ(refused("--margins mine=none.npz"), "3 ifd: none.npz: no such file\n");
  NpzWriter npz;
  const std::vector<std::string> one = {"a"}, ann = {"ann"};
  const std::vector<double> margin = {1};
  npz.add("margins", {1, 1}, std::span<const double>(margin));
  npz.add("cases", one);
  npz.add("experts", ann);
  folder_.put("small.npz", std::move(npz).bytes());
  EXPECT_THAT(refused("--margins mine=small.npz"), HasSubstr("is not there; expected"));
}

}  // namespace
}  // namespace ifd
