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
