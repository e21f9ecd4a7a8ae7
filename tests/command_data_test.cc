// Data sets and made experts, from files to what the commands print.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>

#include "fetch/catalogue.h"
#include "fetch/local_server.h"
#include "tests/command_fixture.h"
#include "tests/real_data.h"

namespace ifd {
namespace {

using nlohmann::json;

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

}  // namespace
}  // namespace ifd
