#include "train/fused_adam.h"

#include <gtest/gtest.h>
#include <torch/nn/modules/linear.h>

#include "train/rejector_net.h"

namespace ifd::train {
namespace {

MlpNet small_net() {
  MlpNet net(mlp_widths(5, 3, 7, 2));
  initialise(*net, Key(3));
  return net;
}

torch::Tensor loss_of(MlpNet& net, std::int64_t step) {
  const auto x = torch::arange(20, torch::kFloat32).view({4, 5}) / 20 - 0.3;
  return (net(x * (1 + 0.1 * static_cast<double>(step))) - 0.2).square().mean();
}

double distance(MlpNet& a, MlpNet& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a->parameters().size(); ++i) {
    largest =
        std::max(largest, (a->parameters()[i] - b->parameters()[i]).abs().max().item<double>());
  }
  return largest;
}

// LibTorch's own Adam is the oracle: 50 steps apart by rounding only.
TEST(FusedAdam, StepsAsLibTorchDoes) {
  auto ours = small_net();
  auto theirs = small_net();
  FusedAdam fused(ours->parameters(), torch::optim::AdamOptions(1e-2));
  torch::optim::Adam plain(theirs->parameters(), torch::optim::AdamOptions(1e-2));
  for (std::int64_t step = 0; step < 50; ++step) {
    fused.zero_grad();
    loss_of(ours, step).backward();
    fused.step();
    plain.zero_grad();
    loss_of(theirs, step).backward();
    plain.step();
    ASSERT_LT(distance(ours, theirs), 2e-5) << "step " << step;
  }
  EXPECT_GT(distance(ours, *std::make_unique<MlpNet>(small_net())), 0.01);
}

// Its state is Adam's: LibTorch can take over in the middle.
TEST(FusedAdam, KeepsTheStateOfAdam) {
  auto ours = small_net();
  auto theirs = small_net();
  FusedAdam fused(ours->parameters(), torch::optim::AdamOptions(1e-2));
  torch::optim::Adam plain(theirs->parameters(), torch::optim::AdamOptions(1e-2));
  for (std::int64_t step = 0; step < 10; ++step) {
    fused.zero_grad();
    loss_of(ours, step).backward();
    if (step < 5) {
      fused.step();
    } else {
      fused.Adam::step();
    }
    plain.zero_grad();
    loss_of(theirs, step).backward();
    plain.step();
  }
  EXPECT_LT(distance(ours, theirs), 1e-5);
  EXPECT_EQ(fused.state().size(), plain.state().size());
}

// Doubles are not fused, but stepped all the same.
TEST(FusedAdam, LeavesOtherNumbersToLibTorch) {
  const auto make = [] {
    return torch::ones({3}, torch::TensorOptions(torch::kFloat64).requires_grad(true));
  };
  auto a = make();
  auto b = make();
  FusedAdam fused({a}, torch::optim::AdamOptions(1e-1));
  torch::optim::Adam plain({b}, torch::optim::AdamOptions(1e-1));
  for (int step = 0; step < 3; ++step) {
    fused.zero_grad();
    (a * a).sum().backward();
    fused.step();
    plain.zero_grad();
    (b * b).sum().backward();
    plain.step();
  }
  EXPECT_TRUE(torch::equal(a, b));
}

}  // namespace
}  // namespace ifd::train
