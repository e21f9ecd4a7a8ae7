#include "train/population_net.h"

#include <gtest/gtest.h>

#include "ifd/policy/population_policy.h"
#include "ifd/rejector/margin_scale.h"
#include "tests/finite_difference.h"
#include "train/tensor_exchange.h"

namespace ifd::train {
namespace {

constexpr std::int64_t kFeatures = 7;
constexpr std::int64_t kClasses = 5;

PopulationNet net_of(PopulationEncoder encoder, std::uint64_t seed = 1) {
  PopulationNet net(PopulationShape{encoder, kClasses, kFeatures, 16});
  net->initialise_from(Key(seed));
  return net;
}

torch::Tensor normals(at::IntArrayRef shape, const Key& key) {
  auto made = torch::empty(shape);
  for (std::int64_t i = 0; i < made.numel(); ++i) {
    made.data_ptr<float>()[i] = static_cast<float>(key.normal(static_cast<std::uint64_t>(i)));
  }
  return made;
}

torch::Tensor numbers_below(std::size_t bound, at::IntArrayRef shape, const Key& key) {
  auto made = torch::empty(shape, torch::kInt64);
  for (std::int64_t i = 0; i < made.numel(); ++i) {
    made.data_ptr<std::int64_t>()[i] =
        static_cast<std::int64_t>(key.below(bound, static_cast<std::uint64_t>(i)));
  }
  return made;
}

// Answers may be outside the classes (number K).
PopulationContext context_of(std::int64_t points, std::int64_t experts, const Key& key) {
  return {normals({points, kFeatures}, key.with("features")),
          numbers_below(kClasses, {points}, key.with("truths")),
          numbers_below(kClasses + 1, {experts, points}, key.with("answers"))};
}

class PopulationEncoders : public testing::TestWithParam<PopulationEncoder> {};
INSTANTIATE_TEST_SUITE_P(Both, PopulationEncoders,
                         testing::Values(PopulationEncoder::kQueryIndependent,
                                         PopulationEncoder::kQueryConditioned));

// In double, so that rounding cannot be mistaken for a difference.
TEST_P(PopulationEncoders, ContextIsASet) {
  auto net = net_of(GetParam());
  net->to(torch::kFloat64);
  const auto phi = normals({4, kFeatures}, Key(2)).to(torch::kFloat64);
  auto context = context_of(9, 3, Key(3));
  context.features = context.features.to(torch::kFloat64);
  const auto order = torch::tensor({4, 2, 8, 0, 1, 7, 3, 5, 6}, torch::kInt64);
  const PopulationContext reordered{context.features.index_select(0, order),
                                    context.truths.index_select(0, order),
                                    context.answers.index_select(1, order)};
  EXPECT_LT((net(phi, context) - net(phi, reordered)).abs().max().item<double>(), 1e-12);
}

// The tokens name classes, so a coherent relabelling of truths and answers is noticed.
TEST_P(PopulationEncoders, NoticesARelabelling) {
  auto net = net_of(GetParam());
  net->to(torch::kFloat64);
  const auto phi = normals({4, kFeatures}, Key(2)).to(torch::kFloat64);
  auto context = context_of(9, 3, Key(3));
  context.features = context.features.to(torch::kFloat64);
  const auto images = torch::tensor({1, 2, 3, 4, 0, 5}, torch::kInt64);  // outside stays outside
  const PopulationContext renamed{
      context.features, images.index_select(0, context.truths),
      images.index_select(0, context.answers.reshape({-1})).view({3, 9})};
  EXPECT_GT((net(phi, context) - net(phi, renamed)).abs().max().item<double>(), 1e-6);
}

// An expert's logit does not depend on who else is there, nor a case's on the batch.
TEST_P(PopulationEncoders, ExpertsAndCasesAreIndependent) {
  auto net = net_of(GetParam());
  const auto phi = normals({4, kFeatures}, Key(2));
  const auto context = context_of(9, 3, Key(3));
  const auto all = net(phi, context);
  const PopulationContext second{context.features, context.truths, context.answers.slice(0, 1, 2)};
  EXPECT_TRUE(torch::allclose(all.slice(1, 1, 2), net(phi, second), 1e-5, 1e-6));
  EXPECT_TRUE(torch::allclose(all.slice(0, 2, 3), net(phi.slice(0, 2, 3), context), 1e-5, 1e-6));
}

// Contexts of 4, 9 and 6 points of their own, in places for 9.
PopulationContext own_contexts(const Key& key) {
  const auto given = torch::arange(9).unsqueeze(0) < torch::tensor({4, 9, 6}).unsqueeze(1);
  return {normals({3, 9, kFeatures}, key.with("features")),
          numbers_below(kClasses, {3, 9}, key.with("truths")),
          numbers_below(kClasses + 1, {3, 9}, key.with("answers")), given};
}

// To the last bit.
TEST_P(PopulationEncoders, AMaskWithNothingMissingIsNone) {
  auto net = net_of(GetParam());
  const auto phi = normals({4, kFeatures}, Key(2));
  auto context = own_contexts(Key(3));
  context.given = torch::Tensor();
  const auto without = net(phi, context);
  context.given = torch::ones({3, 9}, torch::kBool);
  EXPECT_TRUE(torch::equal(net(phi, context), without));
}

// Contexts of their own that hold the same cases are the shared context.
TEST_P(PopulationEncoders, OwnContextsOfTheSameCasesAreTheSharedOne) {
  auto net = net_of(GetParam());
  const auto phi = normals({4, kFeatures}, Key(2));
  const auto context = context_of(9, 3, Key(3));
  const PopulationContext own{context.features.expand({3, 9, kFeatures}),
                              context.truths.expand({3, 9}), context.answers};
  EXPECT_TRUE(torch::allclose(net(phi, own), net(phi, context), 1e-5, 1e-6));
}

// What stands in a place without an answer changes no bit of the logits and has no gradient; and an
// expert's logits are those of the answers given, alone.
TEST_P(PopulationEncoders, MissingAnswersHaveNoInfluence) {
  auto net = net_of(GetParam());
  const auto phi = normals({4, kFeatures}, Key(2));
  const auto context = own_contexts(Key(3));
  const auto missing = context.given.logical_not();
  const auto other = own_contexts(Key(4));
  const PopulationContext changed{
      torch::where(missing.unsqueeze(2), other.features, context.features),
      torch::where(missing, other.truths, context.truths),
      torch::where(missing, other.answers, context.answers), context.given};
  const auto gradients = [&](PopulationContext of) {
    net->zero_grad();
    of.features = of.features.clone().requires_grad_();
    const auto logits = net(phi, of);
    logits.square().sum().backward();
    EXPECT_EQ(of.features.grad().masked_select(missing.unsqueeze(2)).abs().max().item<float>(), 0);
    std::vector<torch::Tensor> all = {logits.detach()};
    for (const auto& parameter : net->parameters()) all.push_back(parameter.grad().clone());
    return all;
  };
  const auto before = gradients(context);
  const auto after = gradients(changed);
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_TRUE(torch::equal(before[i], after[i]));
  const std::int64_t counts[] = {4, 9, 6};
  for (std::int64_t j = 0; j < 3; ++j) {
    const PopulationContext alone{context.features[j].slice(0, 0, counts[j]),
                                  context.truths[j].slice(0, 0, counts[j]),
                                  context.answers.slice(0, j, j + 1).slice(1, 0, counts[j])};
    EXPECT_TRUE(torch::allclose(before[0].slice(1, j, j + 1), net(phi, alone), 1e-5, 1e-6));
  }
}

TEST_P(PopulationEncoders, GradientsOfOwnContextsAreCentralDifferences) {
  auto net = net_of(GetParam());
  net->to(torch::kFloat64);
  const auto phi = normals({2, kFeatures}, Key(2)).to(torch::kFloat64);
  auto context = own_contexts(Key(3));
  context.features = context.features.to(torch::kFloat64);
  const auto towards = normals({2, 3}, Key(4)).to(torch::kFloat64);
  expect_gradients([&] { return (net(phi, context) * towards).sum(); }, net->parameters(), 4);
}

TEST_P(PopulationEncoders, GradientsAreCentralDifferences) {
  auto net = net_of(GetParam());
  net->to(torch::kFloat64);
  const auto phi = normals({3, kFeatures}, Key(2)).to(torch::kFloat64);
  auto context = context_of(6, 2, Key(3));
  context.features = context.features.to(torch::kFloat64);
  const auto towards = normals({3, 2}, Key(4)).to(torch::kFloat64);
  expect_gradients([&] { return (net(phi, context) * towards).sum(); }, net->parameters(), 4);
}

// The core's plain loops and LibTorch's kernels are two implementations of the same formulas.
TEST_P(PopulationEncoders, CoreDecidesLikeTorch) {
  auto net = net_of(GetParam(), 7);
  const auto phi = normals({6, kFeatures}, Key(2));
  const auto context = context_of(11, 2, Key(3));
  const torch::NoGradGuard guard;
  const auto expected = net(phi, context);

  PolicyFile file;
  file.metadata_json = R"({"classes":["0","1","2","3","4"]})";
  file.tensors = parameters_of(*net, "");
  file.tensors.push_back({"feature_mean", {kFeatures}, std::vector<float>(kFeatures, 0.0F)});
  file.tensors.push_back({"feature_scale", {kFeatures}, std::vector<float>(kFeatures, 1.0F)});

  const auto predictions = [](const torch::Tensor& features) {
    const auto n = static_cast<std::size_t>(features.size(0));
    Predictions::Parts parts{ClassNames::numbered(kClasses),     {}, {}, {}, {},
                             static_cast<std::size_t>(kFeatures)};
    for (std::size_t i = 0; i < n; ++i) {
      parts.probabilities.insert(parts.probabilities.end(), {.5F, .2F, .1F, .1F, .1F});
    }
    parts.features.assign(features.data_ptr<float>(),
                          features.data_ptr<float>() + features.numel());
    for (std::size_t i = 0; i < n; ++i) parts.cases.push_back(std::to_string(i));
    return Predictions(std::move(parts));
  };
  std::vector<ExpertContext> contexts = {{"ann", {}}, {"bob", {}}};
  for (std::int64_t j = 0; j < 2; ++j) {
    for (std::int64_t i = 0; i < 11; ++i) {
      const auto answer = context.answers[j][i].item<std::int64_t>();
      contexts[static_cast<std::size_t>(j)].rows.push_back(
          {std::to_string(i),
           class_id(static_cast<std::size_t>(context.truths[i].item<std::int64_t>())),
           answer == kClasses ? Answer::outside()
                              : Answer(class_id(static_cast<std::size_t>(answer)))});
    }
  }
  const auto policy = population_policy(population_weights(file), contexts,
                                        predictions(context.features), MarginScale::kLogit);
  std::vector<double> margins(12);
  policy->score(predictions(phi), {0, 6}, margins);
  for (std::int64_t i = 0; i < 6; ++i) {
    for (std::int64_t j = 0; j < 2; ++j) {
      EXPECT_NEAR(margins[static_cast<std::size_t>(i * 2 + j)],
                  expected[i][j].item<double>() - std::log(.5), 1e-4);
    }
  }
}

// Against the formulas, element by element in double.
TEST(AttentionBlock, IsThePlainReference) {
  constexpr std::int64_t kWidth = 16, kQueries = 3, kPoints = 5;
  AttentionBlock block(4, 6, 8, kWidth);
  initialise(*block, Key(5));
  block->to(torch::kFloat64);
  const auto parameters = block->named_parameters();
  const auto queries = normals({1, kQueries, 4}, Key(6)).to(torch::kFloat64);
  const auto keys = normals({1, kPoints, 6}, Key(7)).to(torch::kFloat64);
  const auto values = normals({1, kPoints, 8}, Key(8)).to(torch::kFloat64);
  const torch::NoGradGuard guard;
  const auto out = block(queries, keys, values);

  const auto times = [](const torch::Tensor& weight, const torch::Tensor& x) {
    std::vector<double> y(static_cast<std::size_t>(weight.size(0)), 0.0);
    for (std::int64_t o = 0; o < weight.size(0); ++o) {
      for (std::int64_t i = 0; i < weight.size(1); ++i) {
        y[static_cast<std::size_t>(o)] += weight[o][i].item<double>() * x[i].item<double>();
      }
    }
    return y;
  };
  const auto norm = [](std::vector<double> x) {
    double mean = 0, variance = 0;
    for (const double v : x) mean += v / static_cast<double>(x.size());
    for (const double v : x) variance += (v - mean) * (v - mean) / static_cast<double>(x.size());
    for (double& v : x) v = (v - mean) / std::sqrt(variance + 1e-5);
    return x;
  };
  for (std::int64_t row = 0; row < kQueries; ++row) {
    const auto q = times(parameters["query.weight"], queries[0][row]);
    auto o = q;
    for (std::size_t h = 0; h < 8; ++h) {
      std::vector<double> score;
      double sum = 0;
      for (std::int64_t p = 0; p < kPoints; ++p) {
        const auto k = times(parameters["key.weight"], keys[0][p]);
        double dot = 0;
        for (std::size_t d = 2 * h; d < 2 * h + 2; ++d) dot += q[d] * k[d];
        score.push_back(std::exp(dot / std::sqrt(16.0)));
        sum += score.back();
      }
      for (std::int64_t p = 0; p < kPoints; ++p) {
        const auto v = times(parameters["value.weight"], values[0][p]);
        for (std::size_t d = 2 * h; d < 2 * h + 2; ++d) {
          o[d] += score[static_cast<std::size_t>(p)] / sum * v[d];
        }
      }
    }
    o = norm(o);
    auto mixed = times(parameters["mix.weight"], torch::tensor(o, torch::kFloat64));
    for (std::size_t d = 0; d < mixed.size(); ++d) {
      const double bias = parameters["mix.bias"][static_cast<std::int64_t>(d)].item<double>();
      mixed[d] = o[d] + std::max(0.0, mixed[d] + bias);
    }
    const auto expected = norm(mixed);
    for (std::size_t d = 0; d < expected.size(); ++d) {
      EXPECT_NEAR(out[0][row][static_cast<std::int64_t>(d)].item<double>(), expected[d], 1e-10);
    }
  }
}

}  // namespace
}  // namespace ifd::train
