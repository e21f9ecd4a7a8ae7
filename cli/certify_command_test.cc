// Promises, from files to what the command prints, and what route makes of them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ifd/random/keyed_random.h"
#include "tests/command_fixture.h"

namespace ifd {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

// A calibrated model of two classes, an expert who is right in 19 of 20 cases; 200 past cases are
// the context, 1,000 the calibration, 300 are of today.
class Certification : public Command {
 protected:
  Certification() {
    put_cases("past", 200);
    put_cases("cal", 1000);
    put_cases("today", 300);
  }

  void put_cases(const std::string& name, std::size_t count) {
    std::string predictions = "case,label,cat,dog\n";
    std::string answers = "expert,case,answer,truth\n";
    std::string sites = "case,group\n";
    for (std::size_t i = 0; i < count; ++i) {
      const Key key = Key(3).with(name).with(i);
      const double cat = key.uniform();
      const bool is_cat = key.uniform(1) < cat;
      const bool right = key.uniform(2) < .95;
      const char* const truth = is_cat ? "cat" : "dog";
      predictions += fmt::format("{}{},{},{},{}\n", name, i, truth, cat, 1 - cat);
      answers += fmt::format("ann,{}{},{},{}\n", name, i, right == is_cat ? "cat" : "dog", truth);
      sites += fmt::format("{}{},{}\n", name, i, i % 2 == 0 ? "north" : "south");
    }
    folder_.put(name + ".csv", predictions);
    folder_.put(name + "_answers.csv", answers);
    folder_.put(name + "_sites.csv", sites);
  }

  static std::string certify(const std::string& more) {
    return "certify --context past_answers.csv --calibration cal.csv --calibration-answers "
           "cal_answers.csv " +
           more;
  }
  static std::string route(const std::string& more) {
    return "route --context past_answers.csv --predictions today.csv " + more;
  }
};

TEST_F(Certification, SaysWhatItPromises) {
  const std::string out = output(certify("--error 0.15 --confidence 0.9 -o c.json"));
  EXPECT_THAT(out, StartsWith("system error <= 15 % with 90 % confidence, deferring "));
  const json told = output_json(certify("--error 0.15 --json"));
  EXPECT_EQ(told["schema"], "ifd certification 1");
  EXPECT_EQ(told["certified"], true);
  EXPECT_EQ(told["error"], .15);
  EXPECT_EQ(told["confidence"], .9);
  EXPECT_TRUE(told["threshold"].is_number());
  EXPECT_LT(told["deferral_low"], told["deferral"]);
  EXPECT_TRUE(told["why"].is_null());
  // What was written says the same, and route takes it.
  const json written = json::parse(folder_.get("c.json"));
  EXPECT_EQ(written["threshold"], told["threshold"]);
  const CommandResult routed = run(route("--certificate c.json --summary s.json"));
  EXPECT_EQ(routed.code, 0) << routed.err;
  EXPECT_THAT(routed.err, HasSubstr("system error <= 15 % with 90 % confidence"));
  EXPECT_EQ(json::parse(folder_.get("s.json"))["threshold"], told["threshold"]);
  const std::string by_threshold =
      output(route("--threshold " + fmt::format("{}", written["threshold"].get<double>())));
  EXPECT_EQ(routed.out, by_threshold);
}

TEST_F(Certification, SaysWhyThereIsNoPromise) {
  const CommandResult result = run(certify("--error 0.01"));
  EXPECT_EQ(result.code, 4);
  EXPECT_THAT(result.out, StartsWith("cannot be promised: the system's error is "));
  EXPECT_THAT(result.out, HasSubstr("it takes better experts or a better model"));
  const CommandResult told = run(certify("--error 0.01 --json -o c.json"));
  EXPECT_EQ(told.code, 4);
  const json why = json::parse(told.out);
  EXPECT_EQ(why["certified"], false);
  EXPECT_TRUE(why["threshold"].is_null());
  EXPECT_THAT(why["why"].get<std::string>(), HasSubstr("better experts"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "c.json"));
}

TEST_F(Certification, PromisesForClassesAndSubgroupsTogether) {
  const std::string out = output(certify(
      "--error 0.2 --class-error dog=0.25 --subgroups cal_sites.csv --subgroup-error 0.25"));
  EXPECT_THAT(out, StartsWith("system error <= 20 %, dog missed <= 25 %, error of north <= 25 %, "
                              "error of south <= 25 % with 90 % confidence, deferring "));
}

// What is combined is another promise than the expert's word.
TEST_F(Certification, PromisesForCombinedAnswers) {
  const std::string out = output(certify("--error 0.15 --answer combined -o c.json"));
  EXPECT_THAT(out, StartsWith("system error <= 15 % with answers combined, with 90 % confidence"));
  EXPECT_EQ(json::parse(folder_.get("c.json"))["answer"], "combined");
  EXPECT_EQ(run(route("--answer combined --certificate c.json")).code, 0);
  EXPECT_EQ(run(route("--certificate c.json")).code, 3);
}

// A missed dog costs 10, a needless one 1, and asking ann 0.1.
TEST_F(Certification, PromisesACost) {
  folder_.put("costs.csv", "truth,label,cost\ncat,dog,1\ndog,cat,10\n");
  folder_.put("fees.csv", "expert,fee\nann,0.1\n");
  const std::string costs = "--costs costs.csv --fees fees.csv ";
  const std::string out = output(certify(costs + "--cost 0.9 -o c.json"));
  EXPECT_THAT(out, StartsWith("mean cost <= 0.9 with 90 % confidence, deferring "));
  EXPECT_EQ(run(route(costs + "--certificate c.json")).code, 0);
  // Other costs are other margins.
  const CommandResult other = run(route("--certificate c.json"));
  EXPECT_EQ(other.code, 3);
  EXPECT_THAT(other.err, HasSubstr("it was made with other classes, costs,"));
  const CommandResult too_little = run(certify(costs + "--cost 0.05"));
  EXPECT_EQ(too_little.code, 4);
  EXPECT_THAT(too_little.out, StartsWith("cannot be promised: the mean cost is "));
}

// The mean cost of combined labels, fees included, and of their errors where labels go by costs.
TEST_F(Certification, PromisesACostOfCombinedAnswers) {
  folder_.put("costs.csv", "truth,label,cost\ncat,dog,1\ndog,cat,10\n");
  folder_.put("fees.csv", "expert,fee\nann,0.1\n");
  const std::string costs = "--costs costs.csv --fees fees.csv --answer combined ";
  const std::string out = output(certify(costs + "--cost 0.9 -o c.json"));
  EXPECT_THAT(out, StartsWith("mean cost <= 0.9 with answers combined, with 90 % confidence"));
  EXPECT_EQ(run(route(costs + "--certificate c.json")).code, 0);
  EXPECT_EQ(run(route("--costs costs.csv --fees fees.csv --certificate c.json")).code, 3);
  EXPECT_EQ(run(route("--answer combined --certificate c.json")).code, 3);
  EXPECT_THAT(output(certify(costs + "--error 0.4")),
              StartsWith("system error <= 40 % with answers combined"));
}

TEST_F(Certification, PredictionsOfTheContextLeaveAllCasesForThePromise) {
  EXPECT_THAT(output(certify("--error 0.15 --context-predictions past.csv")),
              HasSubstr("from 1000 calibration cases"));
  EXPECT_THAT(output(certify("--error 0.15")), HasSubstr("from 800 calibration cases"));
}

TEST_F(Certification, HoldsForNobodyElse) {
  output(certify("--error 0.15 -o c.json"));
  // Somebody who has learned since.
  std::string more = folder_.get("past_answers.csv");
  more += "ann,one more,cat,cat\n";
  folder_.put("more.csv", more);
  const CommandResult learned =
      run("route --context more.csv --predictions today.csv --certificate c.json");
  EXPECT_EQ(learned.code, 3);
  EXPECT_THAT(learned.err, HasSubstr("c.json: the experts' answers that are known have changed"));
  const CommandResult policy = run(route("--certificate c.json --policy confidence"));
  EXPECT_EQ(policy.code, 3);
  EXPECT_THAT(policy.err, HasSubstr("it holds for the policy 'plug-in', and this is 'confidence'"));
  const CommandResult seed = run(route("--certificate c.json --seed 4"));
  EXPECT_EQ(seed.code, 3);
}

// Who was off duty when the promise was made is so under it.
TEST_F(Certification, BringsItsDutyAlong) {
  std::string two = folder_.get("past_answers.csv");
  two += "bob,one more,cat,cat\n";
  folder_.put("past_answers.csv", two);
  output(certify("--error 0.15 --off-duty bob -o c.json"));
  const CommandResult result = run(route("--certificate c.json"));
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out.find("bob"), std::string::npos);
}

TEST_F(Certification, ABudgetIsKeptWithConfidence) {
  const std::string words = route("--calibration cal.csv --budget 0.2 --fill-budget ");
  const CommandResult plain = run(words);
  const CommandResult sure = run(words + "--budget-confidence 0.95");
  EXPECT_EQ(sure.code, 0) << sure.err;
  EXPECT_THAT(sure.err, HasSubstr("at most 20 % in the long run with 95 % confidence"));
  const auto deferred = [](const CommandResult& result) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = result.out.find(",expert,", at)) != std::string::npos; ++at) {
      ++count;
    }
    return count;
  };
  EXPECT_LT(deferred(sure), deferred(plain));
  EXPECT_THAT(run(words + "--budget-confidence 0.95 --batch 300").err,
              HasSubstr("at most 20 % of 300 cases to come with 95 % confidence"));
  EXPECT_EQ(sure.err.find("warning"), std::string::npos) << sure.err;
}

// Cases that the model is sure of do not look like the past ones.
TEST_F(Certification, WarnsOfAStreamOfOtherCases) {
  std::string sure = "case,cat,dog\n";
  for (int i = 0; i < 300; ++i) {
    const double cat = .95 + .004 * (i % 10);
    sure += fmt::format("s{},{},{}\n", i, cat, 1 - cat);
  }
  folder_.put("sure.csv", sure);
  const CommandResult result = run(
      "route --context past_answers.csv --predictions sure.csv --calibration cal.csv --budget 0.2");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("do not look like those of cal.csv"));
  EXPECT_THAT(result.err, HasSubstr("with a probability of at most 1 %"));
}

// As many subgroups as cases: of a promise only the cases are kept that it is about. All cases for
// each of them would take 40 GB.
TEST_F(Certification, TakesAsManySubgroupsAsCases) {
  constexpr int kCases = 100'000;
  std::string cases = "case,label,cat,dog\n", answers = "expert,case,answer\n";
  std::string groups = "case,group\n", context = "expert,case,answer,truth\nann,k,cat,cat\n";
  for (int i = 0; i < kCases; ++i) {
    cases += fmt::format("x{},cat,0.6,0.4\n", i);
    answers += fmt::format("ann,x{},cat\n", i);
    groups += fmt::format("x{0},g{0}\n", i);
  }
  folder_.put("q.csv", cases);
  folder_.put("qa.csv", answers);
  folder_.put("g.csv", groups);
  folder_.put("one.csv", context + "ann,l,dog,dog\n");
  folder_.put("one_predictions.csv", "case,cat,dog\nk,0.6,0.4\nl,0.3,0.7\n");
  const CommandResult result = run_shell(
      folder_.path(),
      "ulimit -v 4000000; '" IFD_COMMAND
      "' certify --context one.csv --calibration q.csv "
      "--calibration-answers qa.csv --context-predictions one_predictions.csv --subgroups g.csv "
      "--subgroup-error 0.9 --independent-cases");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, testing::EndsWith("g99999 0.0 % on 1 cases\n"));
}

}  // namespace
}  // namespace ifd
