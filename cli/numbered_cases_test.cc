// Files of predictions whose cases have no names, as arrays from a notebook: row 1 of one file is
// not row 1 of another. The example's numbers must come out as if every case had a name.
#include <gtest/gtest.h>

#include <regex>

#include "ifd/data/npz.h"
#include "tests/command_fixture.h"

namespace ifd {
namespace {

std::string npz(const std::vector<float>& first_class, const std::vector<std::int64_t>& labels) {
  std::vector<float> probabilities;
  for (const float p : first_class) probabilities.insert(probabilities.end(), {p, 1 - p});
  NpzWriter writer;
  writer.add("probabilities", {labels.size(), 2}, std::span<const float>(probabilities));
  writer.add("labels", {labels.size()}, std::span<const std::int64_t>(labels));
  writer.add("classes", std::vector<std::string>{"cat", "dog"});
  return std::move(writer).bytes();
}

// The example with a number for every name: a..e are the rows of test.npz, x1..x4 of train.npz,
// whose labels disagree where rows have one number.
class NumberedCases : public Command {
 protected:
  NumberedCases() {
    folder_.put("test.npz", npz({.75F, .5625F, .25F, .5F, .5625F}, {0, 1, 1, 0, 0}));
    folder_.put("train.npz", npz({.75F, .5F, .25F, .25F}, {0, 0, 1, 1}));
    folder_.put("train.csv",
                "case,label,cat,dog\nx1,cat,0.75,0.25\nx2,cat,0.5,0.5\nx3,dog,0.25,0.75\n"
                "x4,dog,0.25,0.75\n");
    folder_.put("context.csv", numbered(kContext));
    folder_.put("answers.csv", numbered(kAnswers));
    std::string bare = std::regex_replace(numbered(kContext), std::regex(",[a-z]+\n"), "\n");
    folder_.put("context_without_truth.csv", bare);
  }

  static std::string numbered(std::string text) {
    for (const char* names : {"abcde", "1234"}) {
      const std::string prefix = *names == '1' ? "x" : "";
      for (std::size_t row = 0; names[row] != '\0'; ++row) {
        text = std::regex_replace(text, std::regex("," + prefix + names[row] + ","),
                                  "," + std::to_string(row) + ",");
      }
    }
    return text;
  }
};

TEST_F(NumberedCases, AContextBelongsToItsOwnPredictionsAlone) {
  const std::string own = " --predictions test.npz --context-predictions train.npz ";
  for (const std::string context :
       {"--context context.csv", "--context context_without_truth.csv"}) {
    for (const std::string how : {"", " --calibrate temperature", " --calibrate bias"}) {
      SCOPED_TRACE(context + how);
      const CommandResult named =
          run("evaluate --json --bootstrap 0 --predictions p.csv --context c.csv --answers a.csv "
              "--context-predictions train.csv" +
              how);
      ASSERT_EQ(named.code, 0) << named.err;
      const CommandResult result =
          run("evaluate --json --bootstrap 0 --answers answers.csv " + context + own + how);
      EXPECT_EQ(result.code, 0);
      EXPECT_EQ(result.err, named.err);
      EXPECT_EQ(result.out, named.out);
    }
    const Words named = split_lines(output(kRoute + std::string("--budget 0.6")));
    const Words routes = split_lines(output("route --budget 0.6 " + context + own));
    ASSERT_EQ(routes.size(), named.size());
    for (std::size_t row = 0; row + 1 < named.size(); ++row) {
      EXPECT_EQ(routes[row + 1], std::to_string(row) + named[row + 1].substr(1));
    }
    EXPECT_EQ(output("profile " + context + own),
              output("profile --context c.csv --classes cat,dog"));
  }
}

// A context that says its truths needs no other file, and is not held against rows that happen to
// have the same numbers.
TEST_F(NumberedCases, AContextWithTruthsNeedsNoPredictions) {
  const std::string inputs = " --predictions test.npz --context context.csv ";
  EXPECT_EQ(output("profile" + inputs), output("profile --predictions p.csv --context c.csv"));
  const CommandResult named = run(kEvaluate + std::string("--json"));
  const CommandResult result = run("evaluate --json --bootstrap 0 --answers answers.csv" + inputs);
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out, named.out);
  EXPECT_EQ(result.err,
            "note: the cases to be scored have no names, so whether they are in the context too is "
            "not known; give --context-predictions FILE, or an array 'cases' with names in the "
            "NPZ\n");
  // Other names are other cases.
  EXPECT_EQ(
      run("evaluate --bootstrap 0 --answers answers.csv --predictions test.npz --context c.csv")
          .err,
      "");
}

TEST_F(NumberedCases, WithoutTruthsTheMessageSaysWhatToDo) {
  for (const std::string command :
       {"profile", "route --budget 0.5", "evaluate --answers answers.csv",
        "plan threshold --budget 0.5"}) {
    const CommandResult result =
        run(command + " --predictions test.npz --context context_without_truth.csv");
    EXPECT_EQ(result.code, 3) << command;
    EXPECT_EQ(result.err,
              "ifd: context_without_truth.csv:2: no truth for case '0'; expected a column 'truth', "
              "since the predictions only number their cases; or --context-predictions FILE, or an "
              "array 'cases' with names in the NPZ\n");
  }
}

}  // namespace
}  // namespace ifd
