// The commands of ifd, from files to what they print. Expected values are calculated by hand, or
// directly in the test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <regex>

#include "fetch/catalogue.h"
#include "fetch/local_server.h"
#include "ifd/rejector/amx.h"
#include "tests/command.h"
#include "tests/real_data.h"

namespace ifd {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class Command : public testing::Test {
 protected:
  Command() { put_example(folder_); }

  CommandResult run(const std::string& words) const {
    return run_command(folder_.path(), split_words(words));
  }
  std::string output(const std::string& words) const {
    const CommandResult result = run(words);
    EXPECT_EQ(result.code, 0) << words << "\n" << result.err;
    return result.out;
  }
  json output_json(const std::string& words) const { return json::parse(output(words)); }

  ScratchDirectory folder_;
};

constexpr const char* kRoute = "route --predictions p.csv --context c.csv ";
constexpr const char* kEvaluate =
    "evaluate --predictions p.csv --context c.csv --answers a.csv --bootstrap 0 ";

TEST_F(Command, PrintsExactlyWhatWasCalculatedByHand) {
  folder_.put("capacity.csv", "expert,capacity\nann,1\nbob,1\n");
  folder_.put("four.csv", "case,cat,dog\na,0.75,0.25\nb,0.5625,0.4375\nc,0.25,0.75\nd,0.5,0.5\n");
  const std::string head = "case,decision,expert,prediction,margin\n";
  struct Example {
    std::string name, words, out, err;
  };
  const std::vector<Example> examples = {
      {"the profile's table", "profile --context c.csv --classes cat,dog --interval 0.5",
       // 50 % intervals: Beta(3,1) has the quantile function u^(1/3), Beta(1,3) its mirror image.
       "expert  class  answers  correct   mean     sd    lcb   50 % interval\n"
       "ann     cat          2        2  0.750  0.194  0.556  [0.630, 0.909]\n"
       "ann     dog          2        1  0.500  0.224  0.276  [0.326, 0.674]\n"
       "bob     cat          2        0  0.250  0.194  0.056  [0.091, 0.370]\n"
       "bob     dog          2        2  0.750  0.194  0.556  [0.630, 0.909]\n",
       ""},
      {"a budget for three", kRoute + std::string("--budget 0.6"),
       head + "a,model,,cat,-0.0625\nb,expert,ann,cat,0.078125\nc,model,,dog,-0.125\n"
              "d,expert,ann,cat,0.125\ne,expert,ann,cat,0.078125\n",
       "3 of 5 cases go to an expert (threshold 0.078125): ann 3\n"},
      {"a budget for two would split b from its equal e", kRoute + std::string("--budget 0.4"),
       head + "a,model,,cat,-0.0625\nb,model,,cat,0.078125\nc,model,,dog,-0.125\n"
              "d,expert,ann,cat,0.125\ne,model,,cat,0.078125\n",
       "1 of 5 cases go to an expert (threshold 0.125): ann 1\n"},
      {"no budget", kRoute + std::string("--budget 0"),
       head + "a,model,,cat,-0.0625\nb,model,,cat,0.078125\nc,model,,dog,-0.125\n"
              "d,model,,cat,0.125\ne,model,,cat,0.078125\n",
       "0 of 5 cases go to an expert\n"},
      {"a threshold, met exactly by c", kRoute + std::string("--threshold -0.125 --quiet"),
       head + "a,expert,ann,cat,-0.0625\nb,expert,ann,cat,0.078125\nc,expert,bob,dog,-0.125\n"
              "d,expert,ann,cat,0.125\ne,expert,ann,cat,0.078125\n",
       ""},
      {"ann is off duty", kRoute + std::string("--threshold 0 --off-duty ann"),
       head + "a,model,,cat,-0.375\nb,model,,cat,-0.09375\nc,model,,dog,-0.125\n"
              "d,expert,bob,cat,0\ne,model,,cat,-0.09375\n",
       "1 of 5 cases go to an expert (threshold 0): bob 1\n"},
      {"nobody is on duty", kRoute + std::string("--budget 1 --off-duty ann,bob"),
       head + "a,model,,cat,\nb,model,,cat,\nc,model,,dog,\nd,model,,cat,\ne,model,,cat,\n",
       "0 of 5 cases go to an expert\n"},
      // Two cases, one each: ann b + bob d = .078125 beats ann d + bob b = .03125.
      {"capacities",
       "route --predictions four.csv --context c.csv --budget 0.5 --capacity "
       "capacity.csv",
       head + "a,model,,cat,-0.0625\nb,expert,ann,cat,0.078125\nc,model,,dog,-0.125\n"
              "d,expert,bob,cat,0\n",
       "2 of 4 cases go to an expert: ann 1, bob 1\n"},
      {"the version", "--version", "ifd 0.1.0\n", ""},
  };
  for (const Example& example : examples) {
    SCOPED_TRACE(example.name);
    const CommandResult result = run(example.words);
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.out, example.out);
    EXPECT_EQ(result.err, example.err);
  }
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

// The six numbers of case b and ann: probability of the model's top class and of her best class,
// then mean and variance on each; both are cat.
TEST_F(Command, RouteExplainsItself) {
  const Words lines = split_lines(output(kRoute + std::string("--budget 0.6 --explain")));
  ASSERT_EQ(lines.size(), 5U);
  const json b = json::parse(lines[1]);
  EXPECT_EQ(b["case"], "b");
  EXPECT_EQ(b["decision"], "expert");
  EXPECT_EQ(b["expert"], "ann");
  EXPECT_EQ(b["threshold"], .078125);
  ASSERT_EQ(b["experts"].size(), 2U);
  EXPECT_EQ(b["experts"][0]["state"], json({.5625, .5625, .75, .0375, .75, .0375}));
  EXPECT_EQ(b["experts"][0]["margin"], .078125);
  EXPECT_EQ(b["experts"][1]["state"], json({.5625, .4375, .25, .0375, .75, .0375}));
  EXPECT_EQ(b["experts"][1]["margin"], -.09375);
  EXPECT_EQ(json::parse(lines[0])["expert"], nullptr);
}

TEST_F(Command, RouteTakesAThresholdFromPastCases) {
  // The same cases as past and present: the threshold of the budget, so the same routes.
  const CommandResult result = run(kRoute + std::string("--budget 0.6 --calibration p.csv"));
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out, output(kRoute + std::string("--budget 0.6")));
  EXPECT_THAT(result.err, HasSubstr("threshold 0.078125 from 5 cases of p.csv"));
  EXPECT_THAT(result.err, HasSubstr("expect 60.0 % deferred"));
}

TEST_F(Command, RouteWritesTheSameToAFile) {
  EXPECT_EQ(output(kRoute + std::string("--budget 0.6 -o out.csv")), "");
  EXPECT_EQ(folder_.get("out.csv"), output(kRoute + std::string("--budget 0.6")));
}

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
            "ifd: few.csv: 7 answers are missing (ann 3, bob 4); expected one of every expert on "
            "duty on every one of the 5 cases, or --missing off-duty\n");
  // d and e have nobody; a, b go to ann, c to bob, who is alone there.
  const json policy = output_json(words + " --missing off-duty")["policies"][0];
  EXPECT_EQ(policy["deferrable"], 3);
  EXPECT_NEAR(policy["experts"][0]["share"], .4, 1e-12);
  EXPECT_NEAR(policy["experts"][1]["share"], .2, 1e-12);
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

// The bound is never smaller than what is enough, and what is enough succeeds in simulation.
TEST_F(Command, PlanGivesBothSampleSizes) {
  for (const char* words :
       {"plan peak --accuracies 0.9,0.6,0.5 --delta 0.1 --json",
        "plan peak --classes 3 --best 0.9 --gap 0.4 --delta 0.1 --json",
        "plan prior --prior-mean 0.9 --prior-strength 5 --accuracy 0.5 --tolerance 0.2 --json"}) {
    SCOPED_TRACE(words);
    const json plan = output_json(words);
    const auto bound = plan["bound"]["answers_per_class"].get<int>();
    const auto enough = plan["simulated"]["answers_per_class"].get<int>();
    EXPECT_GE(bound, enough);
    EXPECT_GE(enough, 1);
    const double delta = plan["delta"];
    // 4000 repeats: three standard errors of a frequency near 1 - delta.
    const double error = 3 * std::sqrt(delta * (1 - delta) / 4000);
    EXPECT_GE(plan["bound"]["simulated_success"].get<double>(), 1 - delta - error);
    EXPECT_GE(plan["simulated"]["simulated_success"].get<double>(), 1 - delta - error);
  }
}

TEST_F(Command, PlanThresholdIsTheBudgetsThreshold) {
  const json plan =
      output_json("plan threshold --predictions p.csv --context c.csv --budget 0.6 --json");
  EXPECT_EQ(plan["threshold"], .078125);
  EXPECT_EQ(plan["cases"], 5);
  EXPECT_EQ(plan["deferred"], 3);
  EXPECT_DOUBLE_EQ(plan["rate"], .6);
  EXPECT_LT(plan["rate_low"], .6);
  EXPECT_GT(plan["rate_high"], .6);
  EXPECT_EQ(plan["experts"], json({"ann", "bob"}));
}

TEST_F(Command, SimulatedExpertsGoThroughTheWholeChain) {
  output("data rings --cases 600 --split train -o train.npz --quiet");
  output("data rings --cases 600 --split test -o test.npz --quiet");
  const json report = output_json(
      "experts simulate --training train.npz --predictions test.npz --expert ann=flat:.9/.5/.5 "
      "--expert bob=variable:outer --context-per-class 10 --output made --json --quiet");
  ASSERT_EQ(report["experts"].size(), 2U);
  for (const json& row : report["experts"][0]["classes"]) {
    EXPECT_NEAR(row["target"], row["class"] == "inner" ? .9 : .5, 1e-6);
    // About 200 cases a class: four standard errors.
    EXPECT_NEAR(row["accuracy"], row["target"], 4 * std::sqrt(.25 / 180));
  }
  const json result = output_json(
      "evaluate --predictions test.npz --context made/context.csv --answers made/answers.csv "
      "--accuracies made/accuracies.npz --true-probabilities test.npz --policy ceiling,random "
      "--bootstrap 0 --json");
  // The ceiling knows every accuracy and the predictions are the true probabilities: no regret.
  EXPECT_NEAR(result["policies"][0]["regret"], 0, 1e-6);
  EXPECT_GT(result["policies"][1]["regret"], .01);
  EXPECT_GT(result["policies"][0]["aursac"], result["policies"][1]["aursac"]);
}

// The paper's numbers: .926; .900 .860 .771 .603.
TEST_F(Command, FingerprintsOfTheRealStudy) {
  const auto annotations = real_data("imagenet16h/annotations.csv");
  if (!annotations) GTEST_SKIP() << "the ImageNet-16H annotations are not here";
  const json result =
      output_json("experts fingerprint --json --annotations " + annotations->string());
  EXPECT_EQ(result["participants"], 145);
  EXPECT_NEAR(result["average_pairwise_correlation"], .9261, 5e-5);
  const std::map<int, double> published = {{80, .900}, {95, .860}, {110, .771}, {125, .603}};
  ASSERT_EQ(result["noise"].size(), 4U);
  for (const json& level : result["noise"]) {
    EXPECT_NEAR(level["accuracy"], published.at(level["noise"]), 5e-4);
  }
}

TEST_F(Command, SamplesOfTheRealStudyCanBeEvaluated) {
  const auto annotations = real_data("imagenet16h/annotations.csv");
  const auto predictions = real_data("imagenet16h/predictions_resnet152.csv");
  if (!annotations || !predictions) GTEST_SKIP() << "the ImageNet-16H files are not here";
  const json sample = output_json(
      "experts sample --json --noise 110 --cohort ood --output made "
      "--annotations " +
      annotations->string() + " --predictions " + predictions->string());
  for (const json& part : sample["experts"]) {
    // People are forced right where everybody was, and wrong where everybody was: the realised
    // accuracy differs from the target by no more than those.
    const double forced =
        part["forced_correct"].get<double>() + part["forced_incorrect"].get<double>();
    const double images = part["images"];
    EXPECT_NEAR(part["accuracy"], part["target"], forced / images + 4 * std::sqrt(.25 / images));
  }
  const json result = output_json(
      "evaluate --predictions made/predictions.csv --context made/context.csv --answers "
      "made/answers.csv --bootstrap 0 --policy plug-in,random --json");
  EXPECT_GT(result["policies"][0]["aursac"], result["policies"][1]["aursac"]);
}

// A trained policy is a file that stands wherever a policy's name does, for any number of classes.
TEST_F(Command, PolicyFilesDecideAndExplainThemselves) {
  const std::string policy = IFD_SOURCE_DIR "/tests/golden/policy_v1_plain.ifd";
  const json shown = output_json("policy show " + policy + " --json");
  EXPECT_EQ(shown["method"], "ifd");
  EXPECT_FALSE(shown["tensors"].empty());
  EXPECT_THAT(output("policy show " + policy), HasSubstr("architecture hash"));
  const json evaluated =
      output_json(kEvaluate + std::string("--policy plug-in,") + policy + " --json");
  ASSERT_EQ(evaluated["policies"].size(), 2u);
  EXPECT_EQ(evaluated["policies"][1]["policy"], policy);
  EXPECT_GE(evaluated["policies"][1]["aursac"], 0.0);
  EXPECT_LE(evaluated["policies"][1]["aursac"], 1.0);
  EXPECT_NE(output(kRoute + std::string("--budget 0.5 --policy ") + policy), "");
}

// bf16 is told of on every machine, and decides only where it is asked to and AMX is there.
TEST_F(Command, Bf16IsTestedBeforeItIsUsed) {
  const std::string policy = IFD_SOURCE_DIR "/tests/golden/policy_v1_plain.ifd";
  const std::string route = kRoute + std::string("--budget 0.5 --policy ") + policy;
  const CommandResult tested = run(route + " --amx test");
  EXPECT_EQ(tested.code, 0) << tested.err;
  EXPECT_EQ(tested.out, output(route)) << "a test changed the routes";
  EXPECT_TRUE(std::regex_search(tested.err, std::regex("bf16 changes [0-9]+ of [0-9]+ routes\n")))
      << tested.err;
  const CommandResult evaluated = run(kEvaluate + std::string("--amx test --policy ") + policy);
  EXPECT_EQ(evaluated.code, 0) << evaluated.err;
  EXPECT_THAT(evaluated.err, HasSubstr("bf16 changes the best expert of "));
  const CommandResult used = run(route + " --amx use");
  if (amx_is_there()) {
    EXPECT_EQ(used.code, 0) << used.err;
    EXPECT_THAT(used.err, HasSubstr("bf16 changes "));
  } else {
    EXPECT_EQ(used.code, 2);
    EXPECT_EQ(used.err,
              "ifd: --amx use: this processor has no AMX with bf16; expected one that has it, or "
              "--amx test\n");
  }
}

TEST_F(Command, DataListSaysWhatIsThere) {
  const KnownFile& first = known_files().front();
  folder_.put(first.file_name, "not the file");
  const json list = output_json("data list --json --verify --directory .");
  EXPECT_EQ(list["files"].size(), known_files().size());
  std::map<std::string, std::string> state;
  for (const json& file : list["files"]) state[file["name"]] = file["state"];
  EXPECT_EQ(state.at(std::string(first.name)), "wrong bytes");
  EXPECT_EQ(state.at("bloodmnist"), "absent");
}

// The bytes are wrong, so what arrives must be refused and nothing may pass for the data set.
TEST_F(Command, DataFetchGoesToTheMirrorAndChecksWhatArrives) {
  const KnownFile& file = *find_known("bloodmnist").front();
  const std::string path(file.address.substr(file.address.rfind('/')));
  ServerBehaviour behaviour;
  behaviour.path = path;
  behaviour.content = "not the data set";
  const LocalServer server(behaviour);
  const CommandResult result =
      run("data fetch bloodmnist --directory got --mirror " + server.address());
  EXPECT_NE(result.code, 0);
  EXPECT_GE(server.requests(), 1);
  EXPECT_EQ(result.err.rfind("ifd: ", 0), 0U) << result.err;
  EXPECT_EQ(split_lines(result.err).size(), 1U) << result.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "got" / file.file_name));
}

TEST_F(Command, DataShowCountsTheClasses) {
  const auto blood = real_data("bloodcells_28.npz");
  if (!blood) GTEST_SKIP() << "no file in MedMNIST layout is here";
  const json shown = output_json("data show --json " + blood->string());
  std::size_t cases = 0, counted = 0;
  for (const json& split : shown["splits"]) {
    cases += split["cases"].get<std::size_t>();
    for (const json& count : split["class_counts"]) counted += count.get<std::size_t>();
  }
  EXPECT_GT(cases, 0U);
  EXPECT_EQ(counted, cases);
}

TEST_F(Command, RingsAreReproducible) {
  output("data rings --cases 50 -o one.csv --seed 5 --quiet");
  output("data rings --cases 50 -o two.csv --seed 5 --quiet");
  output("data rings --cases 50 -o other.csv --seed 6 --quiet");
  EXPECT_EQ(folder_.get("one.csv"), folder_.get("two.csv"));
  EXPECT_NE(folder_.get("one.csv"), folder_.get("other.csv"));
  EXPECT_EQ(split_lines(folder_.get("one.csv")).size(), 51U);
}

// A name with a blank, so that the printed commands must quote it.
TEST_F(Command, DemosCommandsRunAsPrinted) {
  const CommandResult demo = run_command(folder_.path(), {"demo", "-o", "my demo"});
  ASSERT_EQ(demo.code, 0) << demo.err;
  EXPECT_THAT(demo.out, HasSubstr("plug-in"));
  for (const char* name : {"report.html", "predictions.csv", "context.csv", "answers.csv"}) {
    EXPECT_TRUE(std::filesystem::exists(folder_ / "my demo" / name)) << name;
  }
  int commands = 0;
  for (const std::string& line : split_lines(demo.err)) {
    if (!line.starts_with("   ifd ")) continue;
    ++commands;
    const CommandResult result = run_shell(
        folder_.path(),
        "PATH=" + std::filesystem::path(IFD_COMMAND).parent_path().string() + ":$PATH\n" + line);
    EXPECT_EQ(result.code, 0) << line << "\n" << result.err;
    EXPECT_NE(result.out, "") << line;
  }
  EXPECT_EQ(commands, 3);
}

Words all_commands() {
  return {"profile",          "route",          "evaluate",  "experts fingerprint",
          "experts simulate", "experts sample", "plan peak", "plan prior",
          "plan threshold",   "policy show",    "data list", "data fetch",
          "data show",        "data rings",     "demo",      "man",
          "completion"};
}

TEST_F(Command, EveryHelpEndsWithAnExample) {
  for (const std::string& command : all_commands()) {
    SCOPED_TRACE(command);
    const std::string help = output(command + " --help");
    EXPECT_THAT(help, HasSubstr("Usage: ifd " + command));
    EXPECT_THAT(help, HasSubstr("Example:\n  "));
    EXPECT_THAT(help.substr(help.find("Example:")), HasSubstr("ifd " + command));
  }
  for (const char* group : {"experts", "plan", "data"}) {
    EXPECT_THAT(output(std::string(group) + " --help"),
                HasSubstr("Example:\n  ifd " + std::string(group)));
  }
  const std::string help = output("--help");
  EXPECT_THAT(help, HasSubstr("Example:\n  ifd demo"));
  for (const char* group : {"profile", "route", "evaluate", "experts", "plan", "data", "demo"}) {
    EXPECT_THAT(help, HasSubstr(group));
  }
}

TEST_F(Command, ManualNamesEveryCommandAndItsOptions) {
  const std::string page = output("man");
  EXPECT_EQ(page.rfind(".TH IFD 1", 0), 0U);
  for (const std::string& command : all_commands()) {
    EXPECT_THAT(page, HasSubstr(".SS ifd " + command + "\n"));
  }
  EXPECT_THAT(page, HasSubstr("\\-\\-budget"));
}

TEST_F(Command, BashCompletesCommandsAndOptions) {
  folder_.put("completion.bash", output("completion bash"));
  const auto complete = [&](const std::string& words, int position) {
    return run_shell(folder_.path(), "source completion.bash && COMP_WORDS=(" + words +
                                         ") COMP_CWORD=" + std::to_string(position) +
                                         " && _ifd && printf '%s\\n' \"${COMPREPLY[@]}\"")
        .out;
  };
  EXPECT_EQ(complete("ifd ro", 1), "route\n");
  EXPECT_EQ(complete("ifd experts s", 2), "simulate\nsample\n");
  EXPECT_EQ(complete("ifd route --budg", 2), "--budget\n");
  EXPECT_EQ(complete("ifd route --predictions p.c", 3), "p.csv\n");
}

// ---- the same content in other clothes

std::string with_crlf(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '\n' ? std::string("\r\n") : std::string(1, c);
  return out;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    out += c == ',' ? "\",\"" : c == '\n' ? "\"\n\"" : std::string(1, c);
  }
  return out.substr(0, out.size() - 1);
}

TEST_F(Command, TextInOtherClothesSaysTheSame) {
  const std::string words = kEvaluate + std::string("--json");
  const std::string plain = output(words);
  const std::string routes = output(kRoute + std::string("--budget 0.6"));
  const std::vector<std::pair<std::string, std::function<std::string(const std::string&)>>>
      clothes = {{"CRLF", with_crlf},
                 {"quotes", quoted},
                 {"byte order mark", [](const std::string& t) { return "\xEF\xBB\xBF" + t; }},
                 {"no newline at the end",
                  [](const std::string& t) { return t.substr(0, t.size() - 1); }}};
  for (const auto& [name, dress] : clothes) {
    SCOPED_TRACE(name);
    folder_.put("p.csv", dress(kPredictions));
    folder_.put("c.csv", dress(kContext));
    folder_.put("a.csv", dress(kAnswers));
    EXPECT_EQ(output(words), plain);
    EXPECT_EQ(output(kRoute + std::string("--budget 0.6")), routes);
  }
  put_example(folder_);
  ASSERT_EQ(run_shell(folder_.path(), "gzip p.csv c.csv a.csv").code, 0);
  EXPECT_EQ(output("evaluate --predictions p.csv.gz --context c.csv.gz --answers a.csv.gz "
                   "--bootstrap 0 --json"),
            plain);
}

TEST_F(Command, NamesMayBeAnyText) {
  const auto renamed = [](std::string text) {
    const std::vector<std::pair<std::string, std::string>> names = {
        {"cat", "\"Katze, große\""}, {"dog", "犬"}, {"ann", "\"Zoë \"\"Z\"\"\""}, {"bob", "Боб"}};
    for (const auto& [from, to] : names) {
      for (std::size_t at = text.find(from); at != std::string::npos;
           at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
      }
    }
    return text;
  };
  const std::string routes = output(kRoute + std::string("--threshold -1"));
  const json plain = output_json(kEvaluate + std::string("--json"))["policies"][0];
  folder_.put("p.csv", renamed(kPredictions));
  folder_.put("c.csv", renamed(kContext));
  folder_.put("a.csv", renamed(kAnswers));
  EXPECT_EQ(output(kRoute + std::string("--threshold -1")), renamed(routes));
  const json policy = output_json(kEvaluate + std::string("--json"))["policies"][0];
  EXPECT_EQ(policy["aursac"], plain["aursac"]);
  EXPECT_EQ(policy["experts"][0]["expert"], "Zoë \"Z\"");
  EXPECT_THAT(output("profile --context c.csv --predictions p.csv"), HasSubstr("Katze, große"));
}

}  // namespace
}  // namespace ifd
