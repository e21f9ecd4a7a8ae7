// Files told, from bytes to what the command prints.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ifd/data/npz.h"
#include "tests/command_fixture.h"

namespace ifd {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST_F(Command, CheckTellsWhatFilesAre) {
  EXPECT_EQ(output("check p.csv c.csv"),
            "p.csv: predictions\n"
            "  columns 4: case, label, cat, dog\n"
            "  classes 2: cat, dog\n"
            "  rows 5\n"
            "  cases 5\n"
            "  with labels; the model is right on 80.0 %\n"
            "c.csv: answers of experts\n"
            "  columns 4: expert, case, answer, truth\n"
            "  classes 2: cat, dog\n"
            "  experts 2: ann, bob\n"
            "  rows 8\n"
            "  cases 4\n"
            "  with truths: a context, or answers to evaluate\n"
            "  none of its cases is in p.csv: fine for a context of past cases\n");
}

// The order in which they are named does not matter.
TEST_F(Command, CheckHoldsFilesAgainstThePredictions) {
  folder_.put("a.csv", "expert,case,answer\nann,a,cat\nann,elsewhere,cat\nAnn,b,cow\n");
  const json told = output_json("check a.csv p.csv --json");
  EXPECT_EQ(told["schema"], "ifd check 1");
  const json& answers = told["files"][0];
  EXPECT_EQ(answers["file"], "a.csv");
  EXPECT_EQ(answers["kind"], "answers of experts");
  EXPECT_EQ(answers["experts"], json({"ann", "Ann"}));
  EXPECT_EQ(answers["classes"], json({"cat", "dog"}));
  EXPECT_THAT(answers["odd"].dump(),
              HasSubstr("the experts 'ann' and 'Ann' are nearly the same name"));
}

TEST_F(Command, CheckTellsWhatIsOdd) {
  folder_.put("odd.csv", "expert,case,answer,truth\nann,x1,cat,cat\nann,x2,,dog\nann,x3,NA,dog\n");
  folder_.put("p.csv", "case,cat,dog,bird\na,0.5,0.25,0.25\n");
  EXPECT_THAT(output("check p.csv odd.csv"),
              AllOf(HasSubstr("odd: no labels: enough to route, but evaluate needs truths\n"),
                    HasSubstr("odd: column 'answer': 1 empty\n"),
                    HasSubstr("odd: column 'answer': 1 not available (NA, NaN, null, none or -)\n"),
                    HasSubstr("odd: no answers on cases of 'dog', 'bird'\n")));
}

// One that cannot be read has its line and the exit code; the others are told all the same.
TEST_F(Command, CheckGoesOnAfterABadFile) {
  folder_.put("bad.csv", "case,cat,dog\na,50,50\n");
  const CommandResult result = run("check bad.csv none.csv c.csv");
  EXPECT_EQ(result.code, 3);
  EXPECT_THAT(result.out, AllOf(HasSubstr("bad.csv: predictions, cannot be read\n"),
                                HasSubstr("  error: bad.csv:2: "),
                                HasSubstr("  error: none.csv: no such file\n"),
                                HasSubstr("c.csv: answers of experts\n")));
  EXPECT_EQ(result.err, "");
  const json told = json::parse(run("check bad.csv c.csv --json").out);
  EXPECT_EQ(told["files"][0]["readable"], false);
  EXPECT_EQ(told["files"][1]["readable"], true);
  EXPECT_TRUE(told["files"][1]["error"].is_null());
}

TEST_F(Command, CheckKnowsEveryKindOfFile) {
  folder_.put("prior.csv", "expert,class,mean,strength\n*,cat,0.8,10\nann,dog,0.7,5\n");
  folder_.put("capacity.csv", "expert,capacity\nann,3\n");
  folder_.put("costs.csv", "truth,label,cost [EUR]\n*,*,1\ncat,*,20\n");
  folder_.put("fees.csv", "expert,fee [EUR]\n*,1\nann,2\nzoe,3\n");
  EXPECT_THAT(output("check p.csv c.csv costs.csv fees.csv"),
              AllOf(HasSubstr("costs.csv: costs of mistakes\n"),
                    HasSubstr("  the worst mistake costs 20.00 EUR\n"),
                    HasSubstr("fees.csv: fees of experts\n"),
                    HasSubstr("odd: experts whom no context knows: 'zoe'\n")));
  folder_.put("groups.csv", "case,group\na,1\nb,1\nc,2\nd,2\ne,2\n");
  NpzWriter margins;
  const std::vector<float> numbers = {.1F, .2F};
  const std::vector<std::string> cases = {"a", "b"};
  const std::vector<std::string> experts = {"ann"};
  margins.add("margins", {2, 1}, std::span<const float>(numbers));
  margins.add("cases", cases);
  margins.add("experts", experts);
  folder_.put("margins.npz", std::move(margins).bytes());
  NpzWriter other;
  other.add("x", {2}, std::span<const float>(numbers));
  folder_.put("other.npz", std::move(other).bytes());
  EXPECT_THAT(output("check p.csv prior.csv capacity.csv groups.csv margins.npz"),
              AllOf(HasSubstr("prior.csv: prior\n"), HasSubstr("capacity.csv: capacities\n"),
                    HasSubstr("groups.csv: groups of cases\n"), HasSubstr("  2 groups\n"),
                    HasSubstr("  every case of p.csv has one\n"),
                    HasSubstr("margins.npz: margins of another method\n"),
                    HasSubstr("odd: cases of p.csv are not in it: 'c', 'd', 'e'\n")));
  const CommandResult unknown = run("check other.npz");
  EXPECT_EQ(unknown.code, 3);
  EXPECT_THAT(unknown.out, AllOf(HasSubstr("other.npz: not known, cannot be read\n"),
                                 HasSubstr("arrays 1: x 2 float32\n")));
}

// Names from files are shown, never obeyed.
TEST_F(Command, CheckShowsNamesWithoutObeyingThem) {
  folder_.put("c.csv", "expert,case,answer,truth\n\x1b[31mann,x,cat,cat\nann,y,dog,dog\n");
  EXPECT_THAT(output("check c.csv"), AllOf(HasSubstr("\\x1b[31mann"), Not(HasSubstr("\x1b"))));
}

// Each file is held against the predictions that it is about, whichever come first.
TEST_F(Command, CheckFindsThePredictionsThatAFileIsAbout) {
  folder_.put("past.csv", "case,label,cat,dog\nx1,cat,0.5,0.5\nx2,dog,0.25,0.75\n");
  folder_.put("wide.csv", "Case ,ann,bob\nx1,0,1\nx2,1,1\n");
  const json told = output_json("check p.csv a.csv past.csv wide.csv --json");
  EXPECT_THAT(told["files"][1]["facts"].dump(), HasSubstr("5 of the 5 cases of p.csv"));
  EXPECT_EQ(told["files"][3]["experts"], json({"ann", "bob"}));
  EXPECT_THAT(told["files"][3]["facts"].dump(),
              AllOf(HasSubstr("2 of the 2 cases of past.csv"), HasSubstr("--labels numbers")));
}

// The files are read as the commands would read them with the same options.
TEST_F(Command, CheckTakesTheFormatsOfTheCommands) {
  folder_.put("p.csv", "case,patient,label,cat,dog\na,p1,0,60%,40%\nb,p1,1,25,75\nc,p2,1,25,75\n");
  folder_.put("c.csv", "expert,case,answer,truth\nann,x,0,0\nann,y,1,1\n");
  EXPECT_THAT(run("check p.csv").out, HasSubstr("p.csv: predictions, cannot be read"));
  const json told =
      output_json("check p.csv c.csv --percent --labels numbers --group patient --json")["files"];
  EXPECT_EQ(told[0]["classes"], json({"cat", "dog"}));
  EXPECT_THAT(told[0]["facts"].dump(), AllOf(HasSubstr("2 groups in column 'patient'"),
                                             HasSubstr("the model is right on 100.0 %")));
  EXPECT_EQ(told[1]["classes"], json({"cat", "dog"}));
  EXPECT_EQ(told[1]["odd"], json::array());
  folder_.put("logits.csv", "case,cat,dog\na,2,3\nb,-1,4\n");
  EXPECT_THAT(output("check logits.csv --logits"), HasSubstr("logits.csv: predictions\n"));
}

// Who can take so many cases but has no answers is a slip of the pen, or no expert.
TEST_F(Command, CheckFindsCapacitiesOfNobody) {
  folder_.put("capacity.csv", "expert,capacity\nann,3\nAnne,2\nzoe,1\n");
  EXPECT_THAT(output("check capacity.csv p.csv c.csv"),
              HasSubstr("odd: experts whom no context knows: 'Anne', 'zoe'\n"));
  EXPECT_THAT(output("check capacity.csv p.csv"), Not(HasSubstr("no context knows")));
}

TEST_F(Command, CheckKnowsRoutes) {
  output(kRoute + std::string("--budget 0.6 -o routes.csv"));
  EXPECT_EQ(output("check routes.csv"),
            "routes.csv: routes made by 'ifd route'\n"
            "  columns 5: case, decision, expert, prediction, margin\n"
            "  experts 1: ann\n"
            "  rows 5\n"
            "  cases 5\n"
            "  3 of 5 cases go to an expert\n");
}

}  // namespace
}  // namespace ifd
