#include "train/losses.h"

#include <gtest/gtest.h>

#include <numbers>

#include "tests/finite_difference.h"

namespace ifd::train {
namespace {

torch::Tensor doubles(std::vector<double> values, at::IntArrayRef shape) {
  return torch::tensor(values, torch::kFloat64).view(shape);
}

struct Example {
  torch::Tensor classes = doubles(
      {.3, -1.2, 2, .1, .7, 1, 0, -.5, .2, .3, -.3, .9, .4, 2.2, -1, .05, .15, .25, .35, .45},
      {4, 5});
  torch::Tensor deferral = doubles({.5, 1.4, -.6, .55}, {4, 1});
  torch::Tensor labels = torch::tensor({2, 0, 3, 4}, torch::kInt64);
  torch::Tensor correct = doubles({1, 0, 1, 1}, {4, 1});
  // Three experts.
  torch::Tensor experts = doubles({.5, -.2, 1.1, 1.4, .3, -.7, -.6, .8, 0, .55, .65, .75}, {4, 3});
  torch::Tensor correct_by_expert = doubles({1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0, 1}, {4, 3});
};

// Worked out independently in double precision.
TEST(Losses, SoftmaxSurrogateOfTheExample) {
  const Example e;
  EXPECT_NEAR(deferral_loss(e.classes, e.deferral, e.labels, e.correct).item<double>(),
              2.780800262286, 1e-12);
}

TEST(Losses, MultiExpertSurrogateOfTheExample) {
  const Example e;
  const auto logits = torch::cat({e.classes, e.experts}, 1);
  EXPECT_NEAR(multi_expert_loss(logits, e.labels, e.correct_by_expert).item<double>(),
              7.870517536258 / std::numbers::log2e, 1e-11);
}

// One expert: the softmax over K + 1 logits is the same either way.
TEST(Losses, OneExpertOfManyIsTheSingleExpertSurrogate) {
  const Example e;
  const auto logits = torch::cat({e.classes, e.deferral}, 1);
  EXPECT_NEAR(multi_expert_loss(logits, e.labels, e.correct).item<double>(), 2.780800262286, 1e-12);
}

// phi(f) = log(1 + exp(-f)), summed by hand.
TEST(Losses, OneVsAllIsASumOfLogisticLosses) {
  const Example e;
  const auto logits = torch::cat({e.classes, e.experts}, 1);
  double sum = 0;
  for (std::int64_t i = 0; i < 4; ++i) {
    for (std::int64_t c = 0; c < 8; ++c) {
      const bool positive = c < 5 ? e.labels[i].item<std::int64_t>() == c
                                  : e.correct_by_expert[i][c - 5].item<double>() == 1;
      const double f = logits[i][c].item<double>();
      sum += std::log1p(std::exp(positive ? -f : f));
    }
  }
  EXPECT_NEAR(one_vs_all_loss(logits, e.labels, e.correct_by_expert).item<double>(), sum / 4,
              1e-12);
}

TEST(Losses, GradientsAreCentralDifferences) {
  Example e;
  e.classes.requires_grad_();
  e.experts.requires_grad_();
  // Weights between 0 and 1, as lower confidence bounds are.
  const auto weights = e.correct_by_expert * .7 + .1;
  expect_gradients([&] { return deferral_loss(e.classes, e.experts, e.labels, weights); },
                   {e.classes, e.experts});
  const auto logits = [&] { return torch::cat({e.classes, e.experts}, 1); };
  expect_gradients([&] { return multi_expert_loss(logits(), e.labels, e.correct_by_expert); },
                   {e.classes, e.experts});
  expect_gradients([&] { return one_vs_all_loss(logits(), e.labels, e.correct_by_expert); },
                   {e.classes, e.experts});
}

torch::Tensor deferral_example(const Example& e, const torch::Tensor& counted) {
  return deferral_loss(e.classes.to(torch::kFloat32), e.experts.to(torch::kFloat32), e.labels,
                       e.correct_by_expert.to(torch::kFloat32), counted);
}

// To the last bit: nothing left out is no mask.
TEST(Losses, AMaskWithNothingLeftOutIsNone) {
  const Example e;
  const auto all = torch::ones({4, 3}, torch::kBool);
  EXPECT_EQ(deferral_example(e, all).item<float>(), deferral_example(e, {}).item<float>());
}

// By cases, with the loss of the pairs that count alone: two experts on the first case, one on the
// second, nobody on the third, all on the fourth.
TEST(Losses, OnlyPairsThatCountAreInTheLoss) {
  Example e;
  const auto counted = torch::tensor({1, 0, 1, 0, 1, 0, 0, 0, 0, 1, 1, 1}, torch::kInt64)
                           .view({4, 3})
                           .to(torch::kBool);
  double expected = 0;
  for (std::int64_t i = 0; i < 4; ++i) {
    std::vector<double> of_experts;
    for (std::int64_t j = 0; j < 3; ++j) {
      if (!counted[i][j].item<bool>()) continue;
      const auto at = [&](const torch::Tensor& x) { return x.slice(0, i, i + 1); };
      of_experts.push_back(deferral_loss(at(e.classes), at(e.experts).slice(1, j, j + 1),
                                         at(e.labels), at(e.correct_by_expert).slice(1, j, j + 1))
                               .item<double>());
    }
    for (const double one : of_experts) {
      expected += one / static_cast<double>(of_experts.size()) / 4;
    }
  }
  e.classes.requires_grad_();
  e.experts.requires_grad_();
  const auto loss = [&] {
    return deferral_loss(e.classes, e.experts, e.labels, e.correct_by_expert, counted);
  };
  EXPECT_NEAR(loss().item<double>(), expected, 1e-12);
  expect_gradients(loss, {e.classes, e.experts});
  // Whatever stands where nothing counts changes neither loss nor gradient.
  const auto gradients = [&](const torch::Tensor& experts, const torch::Tensor& correct) {
    const auto leaf = experts.detach().clone().requires_grad_();
    const auto at = deferral_loss(e.classes.detach(), leaf, e.labels, correct, counted);
    at.backward();
    return std::pair(at.item<double>(), leaf.grad());
  };
  const auto [loss_before, before] = gradients(e.experts, e.correct_by_expert);
  const auto elsewhere = counted.logical_not();
  const auto [loss_after, after] =
      gradients(e.experts.detach().masked_fill(elsewhere, 7.5),
                torch::where(counted, e.correct_by_expert, 1 - e.correct_by_expert));
  EXPECT_EQ(loss_before, loss_after);
  EXPECT_TRUE(torch::equal(before, after));
  EXPECT_EQ(before.masked_select(elsewhere).abs().max().item<double>(), 0);
}

// Logits of a thousand overflow a softmax that is not written with log-sum-exp.
TEST(Losses, StayFiniteAtExtremeLogits) {
  const auto classes = doubles({1000, -1000, 0}, {1, 3});
  const auto deferral = doubles({-1000}, {1, 1});
  const auto label = torch::tensor({1}, torch::kInt64);
  const auto weight = doubles({1}, {1, 1});
  EXPECT_DOUBLE_EQ(deferral_loss(classes, deferral, label, weight).item<double>(), 4000);
  EXPECT_DOUBLE_EQ(
      multi_expert_loss(torch::cat({classes, deferral}, 1), label, weight).item<double>(), 4000);
}

}  // namespace
}  // namespace ifd::train
