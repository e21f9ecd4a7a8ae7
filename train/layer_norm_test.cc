#include "train/layer_norm.h"

#include <gtest/gtest.h>

#include "tests/finite_difference.h"

namespace ifd::train {
namespace {

constexpr double kEpsilon = 1e-5;

TEST(LayerNorm, IsItsFormula) {
  torch::manual_seed(1);
  const auto x = torch::randn({3, 5, 8}, torch::kFloat64);
  const auto weight = torch::randn({8}, torch::kFloat64);
  const auto bias = torch::randn({8}, torch::kFloat64);
  const auto centred = x - x.mean(-1, true);
  const auto expected =
      centred / (centred.square().mean(-1, true) + kEpsilon).sqrt() * weight + bias;
  EXPECT_TRUE(torch::allclose(layer_norm(x, weight, bias, kEpsilon), expected, 1e-12, 1e-12));
}

TEST(LayerNorm, GradientsAreCentralDifferences) {
  torch::manual_seed(2);
  const auto variable = [](at::IntArrayRef sizes) {
    return torch::randn(sizes, torch::kFloat64).requires_grad_();
  };
  const auto x = variable({2, 3, 8});
  const auto weight = variable({8});
  const auto bias = variable({8});
  const auto factors = torch::randn({2, 3, 8}, torch::kFloat64);
  expect_gradients([&] { return (layer_norm(x, weight, bias, kEpsilon) * factors).sum(); },
                   {x, weight, bias});
}

}  // namespace
}  // namespace ifd::train
