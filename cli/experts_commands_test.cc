// Experts to test with, from files to what the commands print.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

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
    // About 200 cases per class: four standard errors.
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
  EXPECT_EQ(result["schema"], "ifd fingerprints 1");
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
  EXPECT_EQ(sample["schema"], "ifd sampled experts 1");
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

}  // namespace
}  // namespace ifd
