// Evaluating, from files to what the command prints. Expected values are calculated in the test.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <regex>
#include <vector>

#include "command_line/text_width.h"
#include "ifd/data/npz.h"
#include "tests/command_fixture.h"

namespace ifd {
namespace {

using nlohmann::json;
using testing::EndsWith;
using testing::HasSubstr;

// From the largest margin down: d (ann wrong, model right), b and e as one block (ann right on
// both, model on one), a, c (nothing changes). SysAcc at i/5: .8 .6 .7 .8 .8 .8; ExpAcc: 0 0 1/2
// 2/3 3/4 4/5. Trapezoids over [0, 1]: .74 and 2.31667/5; over [0, .4]: .675.
TEST_F(Command, EvaluateGivesTheAreas) {
  const json result = output_json(kEvaluate + std::string("--json"));
  ASSERT_EQ(result["policies"].size(), 1U);
  const json& policy = result["policies"][0];
  EXPECT_EQ(policy["policy"], "plug-in");
  EXPECT_EQ(policy["cases"], 5);
  EXPECT_DOUBLE_EQ(policy["model_accuracy"], .8);
  EXPECT_NEAR(policy["aursac"], .74, 1e-12);
  EXPECT_NEAR(policy["aurdac"], (.25 + 7.0 / 12 + 17.0 / 24 + .775) / 5, 1e-12);
  EXPECT_EQ(policy["experts"][0]["expert"], "ann");
  EXPECT_NEAR(policy["experts"][0]["share"], .8, 1e-12);
  EXPECT_NEAR(policy["experts"][1]["share"], .2, 1e-12);
  EXPECT_NEAR(policy["at_zero"]["deferral_rate"], .6, 1e-12);
  EXPECT_NEAR(policy["at_zero"]["accuracy"], .8, 1e-12);
  EXPECT_NEAR(output_json(kEvaluate + std::string("--json --range 0,0.4"))["policies"][0]["aursac"],
              .675, 1e-12);
}

// Within a budget of all cases: b, d, e are deferred (one more right, one less), a and c would
// promise a loss. Filled, the curve ends at .8 all the same; at .2 only d goes.
TEST_F(Command, EvaluateCapsBudgetsUnlessTheyAreFilled) {
  const std::string words = kEvaluate + std::string("--json --budgets 0.2,1");
  const json capped = output_json(words)["policies"][0];
  EXPECT_EQ(capped["least_margin"], 0);
  EXPECT_NEAR(capped["at_budgets"][0]["capped_accuracy"], .6, 1e-12);
  EXPECT_NEAR(capped["at_budgets"][1]["deferral_rate"], .6, 1e-12);
  const json filled = output_json(words + " --fill-budget")["policies"][0];
  EXPECT_EQ(filled["least_margin"], nullptr);
  EXPECT_NEAR(filled["at_budgets"][1]["deferral_rate"], 1, 1e-12);
  EXPECT_EQ(capped["aursac"], filled["aursac"]);
}

// Within a capacity of one case each: d goes to ann (.125), and bob gains on nothing else. Routes
// are those of `route`; d's answer by ann is wrong, so that .6 is right.
TEST_F(Command, EvaluateMeasuresWhatRouteAssignsWithinCapacities) {
  folder_.put("capacity.csv", "expert,capacity\nann,1\nbob,1\n");
  const std::string words = "evaluate --predictions p.csv --context c.csv --answers a.csv ";
  const std::string limits = "--capacity capacity.csv --threshold 0.1 --budgets 0.2,1 ";
  const json result = output_json(words + limits + "--json");
  EXPECT_EQ(result["capacities"]["total"], 2);
  const json& policy = result["policies"][0];
  const json& all = policy["at_budgets"][1];
  EXPECT_NEAR(all["deferral_rate"], .2, 1e-12);
  EXPECT_NEAR(all["capped_accuracy"], .6, 1e-12);
  EXPECT_EQ(all["threshold"], nullptr);
  EXPECT_NEAR(all["accuracy_interval"]["value"], .6, 1e-12);
  EXPECT_NEAR(policy["at_threshold"]["accuracy"], .6, 1e-12);
  EXPECT_NEAR(policy["aursac"], .74, 1e-12);

  const CommandResult text = run(words + limits);
  EXPECT_THAT(text.err, HasSubstr("note: the experts on duty can take 2 of the 5 cases in all; a "
                                  "budget of 100 % allows 5\n"));
  EXPECT_THAT(text.out, HasSubstr("curves, areas and promises are without capacities"));
  EXPECT_THAT(text.out, HasSubstr("at threshold 0.1"));
  const Words lines = split_lines(output(words + limits + "--csv --report report.html"));
  EXPECT_THAT(lines[0], HasSubstr(",accuracy_at_threshold_high,total_capacity"));
  EXPECT_EQ(std::count(lines[0].begin(), lines[0].end(), ','),
            std::count(lines[1].begin(), lines[1].end(), ','));
  const std::string html = folder_.get("report.html");
  EXPECT_THAT(html, HasSubstr("within the capacities, 2 of 5 cases in all"));
  EXPECT_THAT(html, HasSubstr("at threshold 0.1"));
  EXPECT_THAT(html, HasSubstr("--capacity capacity.csv"));
  EXPECT_THAT(
      run("route --predictions p.csv --context c.csv --budget 1 --capacity capacity.csv").err,
      HasSubstr("a budget of 100 % allows 5\n"));
  EXPECT_THAT(
      run("route --predictions p.csv --context c.csv --budget 0.4 --capacity capacity.csv").err,
      testing::Not(HasSubstr("in all")));
}

TEST_F(Command, EvaluateBeginsWithAVerdict) {
  const std::string words = "evaluate --predictions p.csv --context c.csv --answers a.csv ";
  const json verdict = output_json(words + "--json --target 0.7")["verdict"];
  EXPECT_EQ(verdict["answer"], "not sure");
  EXPECT_EQ(verdict["policy"], "plug-in");
  const std::string text = output(words + "--target 0.99");
  EXPECT_EQ(text.substr(0, 35), "Whether deferral helps is not sure:");
  EXPECT_THAT(text, HasSubstr("99.0 % is not reached at any budget; the highest is 80.0 %"));
}

// The model is right on .8: reached without asking, and .99 by nothing. Scripts read it where they
// read everything else.
TEST_F(Command, EvaluateTellsProgramsTheBudgetOfATarget) {
  const std::string words = kEvaluate + std::string("--policy plug-in,oracle ");
  const json told = output_json(words + "--json --target 0.99 --summary run.json");
  const json unreached = {
      {"accuracy", .99}, {"budget", nullptr}, {"highest_accuracy", .8}, {"highest_at", 0.}};
  EXPECT_EQ(told["policies"][0]["target"], unreached);
  EXPECT_EQ(told["policies"][1]["target"]["budget"], .2);
  const json summary = json::parse(folder_.get("run.json"));
  for (const std::size_t i : {0, 1}) {
    EXPECT_EQ(summary["policies"][i]["target"], told["policies"][i]["target"]);
  }
  const Words rows = split_lines(output(words + "--csv --target 0.99"));
  EXPECT_THAT(rows[0], EndsWith(",target,budget_at_target"));
  EXPECT_THAT(rows[1], EndsWith(",0.99,"));
  EXPECT_THAT(rows[2], EndsWith(",0.99,0.2"));
  EXPECT_FALSE(output_json(words + "--json")["policies"][0].contains("target"));
  EXPECT_THAT(output(words + "--csv"), testing::Not(HasSubstr("target")));
}

// At threshold 0 b, d and e are deferred, all to ann, though bob has the largest margin on one of
// the five cases. Verdict, table and chart say the same.
TEST_F(Command, EvaluateLoadsWhomTheVerdictNames) {
  const std::string text = output(kEvaluate + std::string("--report report.html"));
  EXPECT_THAT(text, HasSubstr("ann takes 100 % of the deferred cases; 1 of 2 experts"));
  EXPECT_THAT(text, HasSubstr("what each policy defers. At\nthreshold 0.\n"));
  EXPECT_THAT(text, testing::ContainsRegex("ann +0.8000 +1.000\nbob +[0-9.]+ +0.000\n"));
  const std::string html = folder_.get("report.html");
  EXPECT_THAT(html, HasSubstr("Who would be asked, by &#39;plug-in&#39; at threshold 0"));
  EXPECT_THAT(html, HasSubstr("share of the deferred cases"));
  EXPECT_THAT(html, HasSubstr("<th scope=\"row\">ann</th><td class=\"number\">100.0%</td>"));
  // Another's margins are no gains: the best of its budgets, as in its verdict.
  const std::string other =
      output(kEvaluate + std::string("--policy confidence --budgets 0.4 --report r2.html"));
  EXPECT_THAT(other, HasSubstr("At\nthe best of the asked budgets: confidence (40 %).\n"));
  EXPECT_THAT(folder_.get("r2.html"), HasSubstr("by &#39;confidence&#39; at a budget of 40 %"));
}

// Whoever types the report's command gets its numbers: also with options that came later than the
// report.
TEST_F(Command, ReportTellsTheCommandThatMakesItAgain) {
  const std::string typed = "--half-life 1 --threads 1 --policy plug-in,confidence --seed 3 ";
  const std::string told = output(kEvaluate + typed + "--report report.html");
  const std::string html = folder_.get("report.html");
  std::smatch found;
  ASSERT_TRUE(std::regex_search(html, found, std::regex("ifd (evaluate [^<]*)<")));
  std::filesystem::remove(folder_ / "report.html");
  EXPECT_EQ(run_shell(folder_.path(), "'" IFD_COMMAND "' " + found[1].str()).out, told);
  EXPECT_EQ(folder_.get("report.html"), html);
  EXPECT_NE(output(kEvaluate + std::string("--policy plug-in,confidence --seed 3")), told);
}

// One policy competes with nobody, and a reference beside it does not compete.
TEST_F(Command, ReportMarksABestOnlyAmongSeveral) {
  output(kEvaluate + std::string("--policy plug-in,oracle --report one.html"));
  EXPECT_THAT(folder_.get("one.html"), testing::Not(HasSubstr("title=\"best\"")));
  output(kEvaluate + std::string("--policy plug-in,confidence --report two.html"));
  EXPECT_THAT(folder_.get("two.html"), HasSubstr("title=\"best\""));
}

// Three cases promise too little to stand as points of their own; their interval is Wilson's for
// what came of them, two of three.
TEST_F(Command, ReportTellsTheCasesBehindAPromise) {
  output(kEvaluate + std::string("--report report.html"));
  const std::string html = folder_.get("report.html");
  const std::string part = html.substr(html.find("What experts promise"));
  EXPECT_THAT(part, HasSubstr("66.7% (20.8%–93.9%), 3 cases</td>"));
  EXPECT_THAT(part, HasSubstr("tenths of fewer than 20 cases are joined"));
}

TEST_F(Command, EvaluateTakesIntervalsOverGroups) {
  folder_.put("g.csv", "case,group\na,P\nb,P\nc,Q\nd,Q\ne,R\n");
  const std::string words =
      "evaluate --predictions p.csv --context c.csv --answers a.csv --groups g.csv ";
  EXPECT_EQ(output_json(words + "--json")["groups"], 3);
  EXPECT_THAT(output(words + "--report report.html"), HasSubstr("intervals over 3 groups"));
  EXPECT_THAT(folder_.get("report.html"), HasSubstr("in brackets 95 % intervals over 3 groups."));
  folder_.put("g.csv", "case,group\na,P\n");
  EXPECT_EQ(run(words).code, 3);
}

// A column of groups is no class, in the context's predictions neither, and gives the intervals of
// the file that says the same.
TEST_F(Command, EvaluateTakesGroupsFromAColumn) {
  folder_.put("g.csv", "case,group\na,P\nb,P\nc,Q\nd,Q\ne,R\n");
  folder_.put("patients.csv",
              "case,patient,label,cat,dog\na,P,cat,0.75,0.25\nb,P,dog,0.5625,0.4375\n"
              "c,Q,dog,0.25,0.75\nd,Q,cat,0.5,0.5\ne,R,cat,0.5625,0.4375\n");
  const std::string words = " --context c.csv --answers a.csv --json";
  const json by_file = output_json("evaluate --predictions p.csv --groups g.csv" + words);
  const json by_column = output_json("evaluate --predictions patients.csv --group patient" + words);
  EXPECT_EQ(by_column, by_file);
  EXPECT_EQ(by_column["groups"], 3);
  EXPECT_EQ(output_json("evaluate --predictions patients.csv --context-predictions patients.csv "
                        "--group patient" +
                        words)["policies"][0]["aursac"],
            by_file["policies"][0]["aursac"]);
}

TEST_F(Command, EvaluateSuggestsTheGroupsThatNamesTell) {
  std::string predictions = "case,label,cat,dog\n", answers = "expert,case,answer\n";
  std::string groups = "case,group\n";
  for (int i = 0; i < 40; ++i) {
    const std::string name = "p" + std::to_string(i % 8) + "-" + std::to_string(i);
    predictions += name + ",cat,0.75,0.25\n";
    answers += "ann," + name + ",cat\nbob," + name + ",dog\n";
    groups += name + ",p" + std::to_string(i % 8) + "\n";
  }
  folder_.put("named.csv", predictions);
  folder_.put("said.csv", answers);
  const std::string words = "evaluate --predictions named.csv --context c.csv --answers said.csv ";
  const std::string said = run(words).err;
  EXPECT_THAT(said,
              HasSubstr("note: case names look grouped, by what stands before the last '-' (8 "
                        "groups such as 'p0')"));
  folder_.put("g.csv", groups);
  EXPECT_EQ(run(words + "--groups g.csv").err, "");
  EXPECT_EQ(run(words + "--bootstrap 0").err, "");
}

TEST_F(Command, EvaluateSuggestsTheGroupsOfPatientsAndScans) {
  std::string predictions = "case,label,cat,dog\n", answers = "expert,case,answer\n";
  for (int i = 0; i < 40; ++i) {
    const std::string name = fmt::format("patient{:03}_scan{}", i / 5, i % 5);
    predictions += name + ",cat,0.75,0.25\n";
    answers += "ann," + name + ",cat\nbob," + name + ",dog\n";
  }
  folder_.put("named.csv", predictions);
  folder_.put("said.csv", answers);
  EXPECT_THAT(run("evaluate --predictions named.csv --context c.csv --answers said.csv").err,
              HasSubstr("by what stands before the last '_' (8 groups such as 'patient000')"));
}

// Where the word margin comes first it is explained, in the text and in the report.
TEST_F(Command, EvaluateExplainsMarginsWhereTheyFirstStand) {
  const std::string meaning =
      "The margin of a case is by how much its best expert is expected to be right more often than "
      "the model; that of peak-rule only orders the cases.";
  std::string text =
      output(kEvaluate + std::string("--policy plug-in,peak-rule --report report.html"));
  std::replace(text.begin(), text.end(), '\n', ' ');
  EXPECT_THAT(text, HasSubstr(meaning));
  EXPECT_LT(text.find(meaning), text.find("at threshold 0"));
  const std::string html = folder_.get("report.html");
  const std::string body = html.substr(html.find("<body"));
  EXPECT_THAT(body, HasSubstr(meaning));
  EXPECT_LE(body.find(meaning), body.find("margin"));
  EXPECT_THAT(output(kEvaluate + std::string("--policy confidence")), HasSubstr("here it only"));
}

// The first case deferred is a mistake of the expert, the others are not: a curve from the first on
// would have a scale from 0 to 100 %. One from 2 % on has not.
TEST_F(Command, ReportDoesNotScaleByAHandfulOfCases) {
  std::string predictions = "case,label,cat,dog\n", answers = "expert,case,answer\n";
  for (int i = 0; i < 200; ++i) {
    predictions += fmt::format("n{0},cat,{1},{2}\n", i, .5 + i / 1024.0, .5 - i / 1024.0);
    answers += fmt::format("ann,n{0},{1}\nbob,n{0},dog\n", i, i == 0 ? "dog" : "cat");
  }
  folder_.put("p.csv", predictions);
  folder_.put("a.csv", answers);
  output(kEvaluate + std::string("--report report.html"));
  const std::string html = folder_.get("report.html");
  const std::size_t begin = html.find("Accuracy of the experts on what they were given");
  ASSERT_NE(begin, std::string::npos);
  const std::string chart = html.substr(begin, html.find("</figure>", begin) - begin);
  const std::regex label("class=\"end muted\"[^>]*>([0-9.]+)%<");
  std::size_t labels = 0;
  for (std::sregex_iterator it(chart.begin(), chart.end(), label), end; it != end; ++it, ++labels) {
    EXPECT_GE(std::stod((*it)[1]), 50);
  }
  EXPECT_GT(labels, 3U);
  EXPECT_THAT(chart, HasSubstr("From a budget of 2 % on"));
}

TEST_F(Command, EvaluateWritesTheCurve) {
  output(kEvaluate + std::string("--curve curve.csv"));
  const Words lines = split_lines(folder_.get("curve.csv"));
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_EQ(lines[0], "policy,budget,system_accuracy,expert_accuracy");
  const std::vector<double> system = {.8, .6, .7, .8, .8, .8};
  const std::vector<double> expert = {0, 0, 1.0 / 2, 2.0 / 3, 3.0 / 4, 4.0 / 5};
  for (std::size_t i = 0; i < 6; ++i) {
    double budget = -1, sys = -1, exp = -1;
    ASSERT_EQ(std::sscanf(lines[i + 1].c_str(), "plug-in,%lf,%lf,%lf", &budget, &sys, &exp), 3);
    EXPECT_NEAR(budget, static_cast<double>(i) / 5, 1e-12);
    EXPECT_NEAR(sys, system[i], 1e-12);
    EXPECT_NEAR(exp, expert[i], 1e-12);
  }
}

TEST_F(Command, EvaluatePrintsCsv) {
  const Words lines = split_lines(output(kEvaluate + std::string("--csv")));
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_THAT(lines[0], HasSubstr("policy,cases,model_accuracy,aursac,"));
  EXPECT_EQ(lines[1].substr(0, 14), "plug-in,5,0.8,");
  EXPECT_EQ(std::count(lines[0].begin(), lines[0].end(), ','),
            std::count(lines[1].begin(), lines[1].end(), ','));
}

TEST_F(Command, EvaluateComparesPoliciesOnTheSameCases) {
  const json result = output_json(
      "evaluate --predictions p.csv --context c.csv --answers a.csv --json --bootstrap 200 "
      "--policy plug-in,oracle,plug-in");
  ASSERT_EQ(result["policies"].size(), 3U);
  const json& oracle = result["policies"][1];
  EXPECT_EQ(oracle["difference"]["against"], "plug-in");
  EXPECT_NEAR(oracle["difference"]["aursac"]["value"],
              oracle["aursac"].get<double>() - result["policies"][0]["aursac"].get<double>(),
              1e-12);
  // A policy paired with itself differs nowhere.
  const json& same = result["policies"][2]["difference"]["aursac"];
  EXPECT_EQ(same["value"], 0);
  EXPECT_EQ(same["low"], 0);
  EXPECT_EQ(same["high"], 0);
}

TEST_F(Command, EvaluateCountsMissingAnswers) {
  folder_.put("few.csv", "expert,case,answer\nann,a,cat\nann,b,dog\nbob,c,dog\n");
  const std::string words = "evaluate --predictions p.csv --context c.csv --answers few.csv --json";
  const CommandResult refused = run(words);
  EXPECT_EQ(refused.code, 3);
  EXPECT_EQ(refused.err,
            "ifd: few.csv: 7 answers are missing (ann: 3, bob: 4); expected one of every expert on "
            "duty on every one of the 5 cases, or --missing off-duty\n");
  // d and e have nobody; a, b go to ann, c to bob, who is alone there.
  const json result = output_json(words + " --missing off-duty");
  const json& policy = result["policies"][0];
  EXPECT_EQ(policy["deferrable"], 3);
  EXPECT_EQ(result["coverage"]["cases"], 3);
  EXPECT_NEAR(result["coverage"]["share"], .6, 1e-12);
  EXPECT_NEAR(result["coverage"]["experts"][0]["share"], .4, 1e-12);
  EXPECT_NEAR(result["coverage"]["experts"][1]["share"], .2, 1e-12);
  EXPECT_NEAR(policy["experts"][0]["share"], .4, 1e-12);
  EXPECT_NEAR(policy["experts"][1]["share"], .2, 1e-12);
  // Of a, b, c alone the model is right on two, and the experts on all: b goes first, then a, then
  // c. SysAcc at i/3: 2/3 1 1 1; ExpAcc: 1.
  EXPECT_NEAR(policy["over_covered_cases"]["aursac"], (2.0 / 3 + 5) / 6, 1e-12);
  EXPECT_NEAR(policy["over_covered_cases"]["aurdac"], 1, 1e-12);
  const std::string gaps = "evaluate --predictions p.csv --context c.csv --answers few.csv ";
  const std::string text = output(gaps + "--missing off-duty --report report.html");
  EXPECT_THAT(text, HasSubstr("somebody could take 3 of 5 cases (60.0 %)"));
  EXPECT_THAT(text, HasSubstr("AURSAC covered"));
  EXPECT_THAT(text, HasSubstr("could take"));
  EXPECT_THAT(folder_.get("report.html"), HasSubstr("AURSAC covered"));
  EXPECT_THAT(folder_.get("report.html"), HasSubstr("Who could be asked"));
  EXPECT_THAT(output(gaps + "--missing off-duty --csv"), HasSubstr(",coverage,aursac_covered"));
  // Nobody's accuracy on no answers is not a number.
  folder_.put("few.csv", "expert,case,answer\nann,a,cat\n");
  EXPECT_EQ(output("evaluate --predictions p.csv --context c.csv --answers few.csv --missing "
                   "off-duty")
                .find("nan"),
            std::string::npos);
}

TEST_F(Command, ReportNeedsNothingFromElsewhere) {
  output(kEvaluate + std::string("--policy plug-in,confidence --report report.html"));
  std::string html = folder_.get("report.html");
  const std::string not_an_address = "http://www.w3.org/2000/svg";
  for (std::size_t at = html.find(not_an_address); at != std::string::npos;
       at = html.find(not_an_address)) {
    html.erase(at, not_an_address.size());
  }
  for (const char* word : {"http://", "https://", "<link", "src=", "@import", "url("}) {
    EXPECT_EQ(html.find(word), std::string::npos) << word;
  }
  EXPECT_NE(html.find("<svg"), std::string::npos);
}

// A world of sixteenths and profiles of quarters and eighths, so that every margin is exact and
// many are equal.
struct World {
  std::string predictions, context, answers;
  std::vector<std::vector<double>> margins;  // case, expert
  std::vector<std::vector<bool>> expert_right;
  std::vector<bool> model_right;
};

World make_world(std::uint64_t seed, std::size_t cases) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  constexpr std::size_t kExperts = 3, kClasses = 3;
  World world{
      "case,label,k0,k1,k2\n", "expert,case,answer,truth\n", "expert,case,answer\n", {}, {}, {}};
  std::vector<std::vector<double>> means(kExperts, std::vector<double>(kClasses));
  for (std::size_t j = 0; j < kExperts; ++j) {
    for (std::size_t k = 0; k < kClasses; ++k) {
      const std::size_t n = below(2) == 0 ? 2 : 6;
      const std::size_t right = below(n + 1);
      means[j][k] = (1.0 + static_cast<double>(right)) / (2.0 + static_cast<double>(n));
      for (std::size_t i = 0; i < n; ++i) {
        world.context +=
            "e" + std::to_string(j) + ",past" + std::to_string(k) + "_" + std::to_string(i) + ",k" +
            std::to_string(i < right ? k : (k + 1) % kClasses) + ",k" + std::to_string(k) + "\n";
      }
    }
  }
  for (std::size_t i = 0; i < cases; ++i) {
    const std::size_t first = below(17), second = below(17 - first);
    const std::vector<double> p = {static_cast<double>(first) / 16,
                                   static_cast<double>(second) / 16,
                                   static_cast<double>(16 - first - second) / 16};
    const auto top = static_cast<std::size_t>(std::max_element(p.begin(), p.end()) - p.begin());
    const std::size_t truth = below(kClasses);
    world.predictions += "c" + std::to_string(i) + ",k" + std::to_string(truth);
    for (const double value : p) world.predictions += "," + json(value).dump();
    world.predictions += "\n";
    world.model_right.push_back(top == truth);
    world.margins.emplace_back();
    world.expert_right.emplace_back();
    for (std::size_t j = 0; j < kExperts; ++j) {
      double value = -p[top];
      for (std::size_t k = 0; k < kClasses; ++k) value += p[k] * means[j][k];
      world.margins.back().push_back(value);
      const std::size_t answer = below(kClasses);
      world.expert_right.back().push_back(answer == truth);
      world.answers +=
          "e" + std::to_string(j) + ",c" + std::to_string(i) + ",k" + std::to_string(answer) + "\n";
    }
  }
  return world;
}

std::map<std::string, Words> rows_by_first_field(const std::string& csv) {
  std::map<std::string, Words> rows;
  for (const std::string& line : split_lines(csv)) {
    Words fields(1);
    for (const char c : line) {
      if (c == ',') {
        fields.emplace_back();
      } else {
        fields.back() += c;
      }
    }
    rows.emplace(fields.front(), fields);
  }
  return rows;
}

// The areas by their definition: blocks of equal margins, trapezoids between the points i/N.
TEST_F(Command, EvaluateEqualsADirectComputation) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    constexpr std::size_t kCases = 60;
    const World world = make_world(seed, kCases);
    folder_.put("p.csv", world.predictions);
    folder_.put("c.csv", world.context);
    folder_.put("a.csv", world.answers);
    // Who wins among equals is a keyed draw, so the winner is read from the routes and must be
    // one of the best.
    const auto routes = rows_by_first_field(output(kRoute + std::string("--threshold -1")));
    std::map<double, std::vector<std::pair<bool, bool>>, std::greater<>> blocks;
    for (std::size_t i = 0; i < kCases; ++i) {
      const Words& row = routes.at("c" + std::to_string(i));
      const auto expert = static_cast<std::size_t>(row[2].back() - '0');
      const double best = *std::max_element(world.margins[i].begin(), world.margins[i].end());
      EXPECT_EQ(world.margins[i][expert], best);
      EXPECT_EQ(std::stod(row[4]), best);
      blocks[best].emplace_back(world.model_right[i], world.expert_right[i][expert]);
    }
    std::vector<double> system = {0}, expert = {0};
    for (const bool right : world.model_right) system[0] += right ? 1.0 / kCases : 0;
    double right_of_experts = 0;
    for (const auto& [margin, block] : blocks) {
      double gain = 0, right = 0;
      for (const auto& [model_is_right, expert_is_right] : block) {
        gain += (expert_is_right ? 1.0 : 0.0) - (model_is_right ? 1.0 : 0.0);
        right += expert_is_right ? 1 : 0;
      }
      const auto size = static_cast<double>(block.size());
      for (std::size_t i = 0; i < block.size(); ++i) {
        system.push_back(system.back() + gain / size / kCases);
        right_of_experts += right / size;
        expert.push_back(right_of_experts / static_cast<double>(expert.size()));
      }
    }
    expert[0] = expert[1];
    double aursac = 0, aurdac = 0;
    for (std::size_t i = 0; i < kCases; ++i) {
      aursac += (system[i] + system[i + 1]) / 2 / kCases;
      aurdac += (expert[i] + expert[i + 1]) / 2 / kCases;
    }
    const json policy = output_json(kEvaluate + std::string("--json"))["policies"][0];
    EXPECT_NEAR(policy["aursac"], aursac, 1e-12);
    EXPECT_NEAR(policy["aurdac"], aurdac, 1e-12);
  }
}

std::string shuffled_rows(const std::string& csv, std::uint64_t seed) {
  Words lines = split_lines(csv);
  std::mt19937_64 random(seed);
  std::shuffle(lines.begin() + 1, lines.end(), random);
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// Ties are many here, and a tie is where the order of rows could decide.
TEST_F(Command, OrderOfRowsDecidesNothing) {
  const World world = make_world(7, 80);
  folder_.put("capacity.csv", "expert,capacity\ne0,10\ne1,10\ne2,5\n");
  const auto outcome = [&] {
    json all;
    for (const char* how : {"--policy plug-in --budget 0.3", "--policy random --budget 0.3",
                            "--policy peak-rule --budget 0.3", "--policy confidence --budget 0.3",
                            "--budget 0.3 --capacity capacity.csv", "--threshold -1"}) {
      all["routes"].push_back(rows_by_first_field(output(kRoute + std::string(how))));
    }
    const json evaluated =
        output_json(kEvaluate + std::string("--json --policy plug-in,random,peak-rule,confidence"));
    for (const json& policy : evaluated["policies"]) {
      all["areas"].push_back({policy["aursac"], policy["aurdac"]});
    }
    return all;
  };
  folder_.put("p.csv", world.predictions);
  folder_.put("c.csv", world.context);
  folder_.put("a.csv", world.answers);
  const json plain = outcome();
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    folder_.put("p.csv", shuffled_rows(world.predictions, seed));
    folder_.put("c.csv", shuffled_rows(world.context, seed + 10));
    folder_.put("a.csv", shuffled_rows(world.answers, seed + 20));
    EXPECT_EQ(outcome(), plain);
  }
}

TEST_F(Command, PaperMeansItsRuleAndScaleUnlessTheyAreGiven) {
  const World world = make_world(7, 80);
  folder_.put("p.csv", world.predictions);
  folder_.put("c.csv", world.context);
  folder_.put("a.csv", world.answers);
  const auto routes = [&](const char* how) {
    return output(kRoute + std::string("--budget 0.3 ") + how);
  };
  EXPECT_EQ(routes("--paper"), routes("--policy peak-rule --margin logit"));
  EXPECT_NE(routes("--paper"), routes(""));
  EXPECT_EQ(routes("--paper --policy plug-in"), routes("--policy plug-in --margin logit"));
  EXPECT_EQ(routes("--paper --margin probability"), routes("--policy peak-rule"));
  const json evaluated = output_json(kEvaluate + std::string("--json --paper"));
  ASSERT_EQ(evaluated["policies"].size(), 1u);
  EXPECT_EQ(evaluated["policies"][0]["policy"], "peak-rule");
}

// Of forty experts the table has the thirty who are asked most, and says how to see the others.
TEST_F(Command, EvaluateShowsOfManyExpertsThoseWhoAreAskedMost) {
  std::string context = "expert,case,answer,truth\n", answers = "expert,case,answer\n";
  for (int j = 0; j < 40; ++j) {
    context += fmt::format("e{0},x1,{1},cat\ne{0},x2,dog,dog\n", j, j == 39 ? "cat" : "dog");
    for (const char* name : {"a", "b", "c", "d", "e"}) {
      answers += fmt::format("e{},{},cat\n", j, name);
    }
  }
  folder_.put("c.csv", context);
  folder_.put("a.csv", answers);
  const std::string text = output(kEvaluate);
  EXPECT_THAT(text, HasSubstr("\ne39 "));
  EXPECT_THAT(text, testing::Not(HasSubstr("\ne38 ")));
  EXPECT_THAT(text, HasSubstr("These are the 30 who are asked most by plug-in; 10 more with "
                              "--all-experts.\n"));
  EXPECT_THAT(output(kEvaluate + std::string("--all-experts")), HasSubstr("\ne38 "));
}

// A policy with a long name stays within the line, under a short one that is told; 'deferring'
// stays beside the accuracy it belongs to.
TEST_F(Command, EvaluateCutsLongNamesOfPolicies) {
  NpzWriter margins;
  const std::vector<float> numbers(10, .5F);
  margins.add("margins", {5, 2}, std::span<const float>(numbers));
  margins.add("cases", std::vector<std::string>{"a", "b", "c", "d", "e"});
  margins.add("experts", std::vector<std::string>{"ann", "bob"});
  folder_.put("m.npz", std::move(margins).bytes());
  const std::string name = "the-method-that-we-had-in-april-with-other-weights";
  const std::string text = output(
      "evaluate --predictions p.csv --context c.csv --answers a.csv --bootstrap 50 --margins " +
      name + "=m.npz");
  EXPECT_THAT(text, HasSubstr("\nthe-method-…ther-weights "));
  EXPECT_THAT(text, HasSubstr("In full: 'the-method-…ther-weights' is '" + name + "'.\n"));
  for (const std::string& line : split_lines(text)) {
    EXPECT_LE(columns_of(line), 100U) << line;
    if (line.find("deferring") != std::string::npos && line.starts_with("policy")) {
      EXPECT_THAT(line, HasSubstr("at threshold 0"));
    }
  }
}

// Of those who are not on the roster the first few are named, and the others counted.
TEST_F(Command, EvaluateNamesAFewOfManyStrangers) {
  std::string answers = kAnswers;
  for (int i = 0; i < 13; ++i) answers += fmt::format("stranger{},a,cat\n", i);
  folder_.put("a.csv", answers);
  for (const std::string& words : std::vector<std::string>{
           std::string(kEvaluate), "combine --predictions p.csv --context c.csv --answers a.csv"}) {
    const Words lines = split_lines(run(words).err);
    EXPECT_EQ(std::ranges::count_if(lines,
                                    [](const std::string& line) {
                                      return line.starts_with("note: expert 'stranger");
                                    }),
              10);
    EXPECT_THAT(lines, testing::Contains("note: and 3 more experts with answers but no context"));
  }
}

}  // namespace
}  // namespace ifd
