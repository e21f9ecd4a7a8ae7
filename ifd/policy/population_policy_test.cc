#include "ifd/policy/population_policy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ifd/policy/multi_expert_policy.h"
#include "tests/refusal.h"

namespace ifd {
namespace {

Mlp::Layer layer(std::size_t in, std::size_t out, std::vector<float> weights,
                 std::vector<float> bias) {
  return {in, out, std::move(weights), std::move(bias)};
}

// One feature, embeddings of width 1: e(x) = 1, e(y) = 10. The encoder adds the three numbers of a
// token, the rejector adds phi(x) and psi.
PopulationWeights adding_weights() {
  PopulationWeights weights;
  weights.scaling = {{0}, {1}};
  weights.classes = {"x", "y"};
  weights.embedding = {1, 10};
  weights.encoder = {layer(3, 1, {1, 1, 1}, {0})};
  weights.rejector = {layer(2, 1, {1, 1}, {0})};
  return weights;
}

Predictions cases(std::vector<float> features, std::vector<std::string> names,
                  std::vector<std::string> classes = {"x", "y"}) {
  Predictions::Parts parts{ClassNames(std::move(classes)), std::move(names), {}, {}, {}, 1};
  for (std::size_t i = 0; i < features.size(); ++i) {
    parts.probabilities.insert(parts.probabilities.end(), {.5F, .5F});
  }
  parts.features = std::move(features);
  return Predictions(std::move(parts));
}

const ClassId kX{0}, kY{1};

// By hand: tokens 2 + 1 + 1, 4 + 10 + 1 and 6 + 10 + 0 (an answer outside the classes) have the
// mean 35 / 3. Nobody's context is psi = 0.
TEST(PopulationPolicy, AveragesTheEncodedContext) {
  const std::vector<ExpertContext> contexts = {
      {"ann", {{"a", kX, kX}, {"b", kY, kX}, {"c", kY, Answer::outside()}}}, {"new", {}}};
  const auto policy = population_policy(adding_weights(), contexts,
                                        cases({2, 4, 6}, {"a", "b", "c"}), MarginScale::kLogit);
  std::vector<double> margins(4);
  policy->score(cases({.5F, -1}, {"q", "r"}), {0, 2}, margins);
  EXPECT_NEAR(margins[0], 35.0 / 3 + .5 - std::log(.5), 1e-5);
  EXPECT_NEAR(margins[1], .5 - std::log(.5), 1e-6);
  EXPECT_NEAR(margins[2], 35.0 / 3 - 1 - std::log(.5), 1e-5);
  EXPECT_NEAR(margins[3], -1 - std::log(.5), 1e-6);
}

TEST(PopulationPolicy, RefusesWhatDoesNotFit) {
  const std::vector<ExpertContext> contexts = {{"ann", {{"a", kX, kX}}}};
  const auto made = [&](const PopulationWeights& weights, const Predictions& about) {
    return refusal([&] { population_policy(weights, contexts, about, MarginScale::kLogit); });
  };
  EXPECT_EQ(made(adding_weights(), cases({1}, {"other"})),
            "context case 'a' of expert 'ann' is not among the context's predictions; expected its "
            "features there");
  EXPECT_EQ(made(adding_weights(), cases({1}, {"a"}, {"x", "z"})),
            "the classes are x, z; this policy was trained on x, y");
  PopulationWeights broken = adding_weights();
  broken.encoder = {layer(2, 1, {1, 1}, {0})};
  EXPECT_EQ(made(broken, cases({1}, {"a"})), "the policy's encoder does not fit its other tensors");
  broken = adding_weights();
  broken.cross_attention.emplace();
  EXPECT_EQ(made(broken, cases({1}, {"a"})),
            "the policy's attention does not fit its other tensors");
}

// By hand: g = (phi, -phi | 0, 2 phi), asked for the second expert alone.
TEST(MultiExpertPolicy, ScoresEachExpertWithItsOwnColumn) {
  const MultiExpertWeights weights{
      {{0}, {1}}, 2, {"ann", "bob"}, layer(1, 4, {1, -1, 0, 2}, {0, 0, 0, 0}), HeadLink::kSoftmax};
  const std::vector<std::string> bob = {"bob"};
  std::vector<double> margins(2);
  const Predictions queries = cases({1, -1}, {"q", "r"});
  multi_expert_policy(weights, bob, MarginScale::kLogit)->score(queries, {0, 2}, margins);
  EXPECT_NEAR(margins[0], 1, 1e-12);
  EXPECT_NEAR(margins[1], -3, 1e-12);
  multi_expert_policy(weights, bob, MarginScale::kProbability)->score(queries, {0, 1}, margins);
  const double z = std::exp(1) + std::exp(-1) + 1 + std::exp(2);
  EXPECT_NEAR(margins[0], (std::exp(2) - std::exp(1)) / z, 1e-12);
}

}  // namespace
}  // namespace ifd
