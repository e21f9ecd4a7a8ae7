// Files of answers as people have them, from the file to what the commands print.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/command_fixture.h"

namespace ifd {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

// The example's context with a column per expert: the same routes, and a note.
TEST_F(Command, ExpertsMayBeColumns) {
  folder_.put(
      "wide.csv",
      "case,truth,ann,bob\nx1,cat,cat,dog\nx2,cat,cat,dog\nx3,dog,dog,dog\nx4,dog,cat,dog\n");
  const CommandResult result =
      run("route --predictions p.csv --context wide.csv --budget 0.6 --format jsonl");
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out, output(kRoute + std::string("--budget 0.6 --format jsonl")));
  EXPECT_THAT(result.err, HasSubstr("note: wide.csv: one column per expert: ann, bob\n"));
}

// Answers as columns: what evaluate prints is what it prints for a row per answer.
TEST_F(Command, EvaluatedAnswersMayBeColumns) {
  const Words rows = split_lines(folder_.get("a.csv"));
  std::map<std::string, std::map<std::string, std::string>> answers;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    std::istringstream fields(rows[i]);
    std::string expert, name, answer;
    std::getline(fields, expert, ',');
    std::getline(fields, name, ',');
    std::getline(fields, answer, ',');
    answers[name][expert] = answer;
  }
  std::string wide = "case,ann,bob\n";
  for (auto& [name, by] : answers) wide += name + "," + by["ann"] + "," + by["bob"] + "\n";
  folder_.put("wide.csv", wide);
  EXPECT_EQ(output("evaluate --predictions p.csv --context c.csv --answers wide.csv --bootstrap 0"),
            output(kEvaluate));
}

// Bob was not asked about x1 and x2, so that nothing is known of him on cats.
TEST_F(Command, BlankAnswersAreSkippedInAContext) {
  folder_.put(
      "c.csv",
      "expert,case,answer,truth\nann,x1,cat,cat\nbob,x1,NA,cat\nbob,x2,,cat\nbob,x3,dog,dog\n"
      "ann,x3,fox,dog\n");
  const CommandResult skipped = run("profile --context c.csv --classes cat,dog --json");
  EXPECT_EQ(json::parse(skipped.out)["experts"][1]["classes"][0]["n"], 0);
  EXPECT_THAT(skipped.err,
              HasSubstr("note: c.csv: 2 of 5 answers are blank and skipped; --blank wrong counts "
                        "them as wrong\n"));
  EXPECT_THAT(skipped.err, HasSubstr("note: c.csv: 1 of 5 answers are outside the classes and "
                                     "count as wrong: 'fox' (1)\n"));
  const json wrong = output_json("profile --context c.csv --classes cat,dog --json --blank wrong");
  EXPECT_EQ(wrong["experts"][1]["classes"][0]["n"], 2);
  EXPECT_EQ(wrong["experts"][1]["classes"][0]["correct"], 0);
}

// A blank is a wrong answer where experts are measured, or a missing one where that is asked for.
TEST_F(Command, BlankAnswersAreWrongInAnEvaluation) {
  std::string text = "expert,case,answer\n";
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    text += std::string("ann,") + name + ",cat\nbob," + name + (*name == 'b' ? ",N/A\n" : ",dog\n");
  }
  folder_.put("a.csv", text);
  const CommandResult result = run(kEvaluate + std::string("--json"));
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(json::parse(result.out)["outside"], 1);
  EXPECT_THAT(result.err, HasSubstr("note: a.csv: 1 of 10 answers are blank and count as wrong; "
                                    "--missing off-duty takes them for not given\n"));
  EXPECT_THAT(run(kEvaluate + std::string("--blank skip")).err,
              HasSubstr("1 answer is missing (bob: 1)"));
  EXPECT_EQ(run(kEvaluate + std::string("--blank skip --missing off-duty")).code, 0);
}

// A blank cell of a column per expert is what a blank row is: wrong, and with --missing off-duty
// not given, unless --blank wrong.
TEST_F(Command, BlankCellsOfColumnsAreBlankAnswers) {
  std::string rows = "expert,case,answer\n", wide = "case,ann,bob\n";
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    const std::string bob = *name == 'b' ? "" : "dog";
    rows += fmt::format("ann,{0},cat\nbob,{0},{1}\n", name, bob);
    wide += fmt::format("{},cat,{}\n", name, bob);
  }
  folder_.put("a.csv", rows);
  folder_.put("wide.csv", wide);
  const std::string columns =
      "evaluate --predictions p.csv --context c.csv --answers wide.csv --bootstrap 0 --json ";
  for (const std::string options :
       {"", "--missing off-duty", "--missing off-duty --blank wrong", "--blank wrong"}) {
    EXPECT_EQ(output(columns + options), output(kEvaluate + std::string("--json ") + options))
        << options;
  }
  EXPECT_EQ(output_json(columns)["outside"], 1);
  EXPECT_THAT(output(columns), HasSubstr("10.0 % of the answers are blank or none of the classes"));
  EXPECT_THAT(output(columns + "--missing off-duty"), Not(HasSubstr("none of the classes")));
  EXPECT_EQ(output_json(columns + "--missing off-duty")["outside"], 0);
  EXPECT_EQ(output_json(columns + "--missing off-duty --blank wrong")["outside"], 1);
  EXPECT_THAT(run(columns).err,
              HasSubstr("note: wide.csv: 1 of 10 answers are blank and count as wrong; --missing "
                        "off-duty takes them for not given\n"));
}

// Three raters and no truth. The majority is cat, cat, dog; each is judged by the other two, who
// tie on the case where the third is alone.
TEST_F(Command, TruthsMayBeComputed) {
  folder_.put("wide.csv", "case,ann,bob,cy\nx1,cat,cat,cat\nx2,cat,cat,dog\nx3,dog,dog,dog\n");
  const std::string profile = "profile --context wide.csv --classes cat,dog --json --truth ";
  const CommandResult others = run(profile + "others");
  EXPECT_THAT(others.err,
              HasSubstr("note: wide.csv: truths computed (--truth others), what most of the others "
                        "answered: 7 answers on 3 cases have one; 2 skipped for a tie\n"));
  const json by_others = json::parse(others.out);
  EXPECT_EQ(by_others["truth"], "others");
  EXPECT_EQ(by_others["experts"][0]["answers"], 2);
  EXPECT_EQ(by_others["experts"][2]["answers"], 3);
  EXPECT_EQ(by_others["experts"][2]["classes"][0]["correct"], 1);
  const json by_all = output_json(profile + "majority");
  EXPECT_EQ(by_all["truth"], "majority");
  EXPECT_EQ(by_all["experts"][0]["classes"][0]["correct"], 2);
  const CommandResult likeliest = run(profile + "dawid-skene");
  EXPECT_THAT(likeliest.err,
              HasSubstr("truths computed (--truth dawid-skene), the likeliest by what the others "
                        "answered, each as reliable as all answers make them, if experts err "
                        "independently of each other: "));
  EXPECT_THAT(likeliest.err, HasSubstr("; settled after "));
  EXPECT_EQ(json::parse(likeliest.out)["truth"], "dawid-skene");
  EXPECT_EQ(output_json("profile --context c.csv --classes cat,dog --json")["truth"], "given");
  const std::string evaluate =
      "evaluate --predictions p.csv --context wide.csv --answers a.csv --bootstrap 0 --missing "
      "off-duty --truth others ";
  EXPECT_THAT(output(evaluate), HasSubstr("--truth others"));
  EXPECT_THAT(output(evaluate + "--json"), HasSubstr("computed from the answers (--truth others)"));
  const std::string by_likelihood =
      "evaluate --predictions p.csv --context wide.csv --answers a.csv --bootstrap 0 --missing "
      "off-duty --truth dawid-skene --json";
  EXPECT_THAT(output(by_likelihood),
              HasSubstr("(--truth dawid-skene): profiles tell who agrees with "
                        "those who look reliable, if experts err "
                        "independently, not who is right."));
  EXPECT_THAT(output(kEvaluate), Not(HasSubstr("--truth")));
}

// The example's context and answers with class numbers: the same profiles, and a suggestion where
// the option is missing.
TEST_F(Command, AnswersMayBeClassNumbers) {
  const auto numbered = [](std::string text) {
    for (const auto& [word, number] : {std::pair("cat", "0"), std::pair("dog", "1")}) {
      for (auto at = text.find(word); at != std::string::npos; at = text.find(word)) {
        text.replace(at, 3, number);
      }
    }
    return text;
  };
  folder_.put("n.csv", numbered(folder_.get("c.csv")));
  const std::string profile = "profile --classes cat,dog --json ";
  EXPECT_EQ(output_json(profile + "--context n.csv --labels numbers"),
            output_json(profile + "--context c.csv"));
  EXPECT_THAT(run(profile + "--context n.csv").err, HasSubstr("class numbers? --labels numbers\n"));
}

// Each row's own truth: bob is right in his, ann in hers, on the same case.
TEST_F(Command, RowsMayHaveTheirOwnTruths) {
  folder_.put("c.csv", "expert,case,answer,truth\nann,x,cat,cat\nbob,x,dog,dog\n");
  const json profile = output_json("profile --context c.csv --classes cat,dog --json --truth row");
  EXPECT_EQ(profile["experts"][0]["classes"][0]["correct"], 1);
  EXPECT_EQ(profile["experts"][1]["classes"][1]["correct"], 1);
}

}  // namespace
}  // namespace ifd
