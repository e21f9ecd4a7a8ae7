#include "train/rejector_net.h"

#include <gtest/gtest.h>

#include "tests/finite_difference.h"

namespace ifd::train {
namespace {

TEST(RejectorNet, HasSixLinearLayers) {
  auto net = rejector_net(6, 256);
  std::int64_t numbers = 0;
  for (const auto& parameter : net->parameters()) numbers += parameter.numel();
  EXPECT_EQ(net->parameters().size(), 12u);
  EXPECT_EQ(numbers, (6 + 1) * 256 + 4 * (256 + 1) * 256 + 257);
}

TEST(RejectorNet, GradientsAreCentralDifferences) {
  auto net = rejector_net(6, 8);
  initialise(*net, Key(1));
  net->to(torch::kFloat64);
  const auto states = torch::linspace(0, 1, 24, torch::kFloat64).view({4, 6});
  expect_gradients([&] { return net(states).square().sum(); }, net->parameters());
}

// LibTorch's own ranges, and a name's draw does not depend on the other layers.
TEST(RejectorNet, WeightsAreUniformWithinOneOverRootFanIn) {
  auto net = rejector_net(6, 64);
  initialise(*net, Key(2));
  for (const auto& item : net->named_parameters()) {
    const double bound = item.key().starts_with("0.") ? 1 / std::sqrt(6.0) : 1 / 8.0;
    const double largest = item.value().abs().max().item<double>();
    EXPECT_LE(largest, bound);
    if (item.value().numel() > 60) {
      EXPECT_GT(largest, .9 * bound) << item.key();
    }
  }
  auto wider = rejector_net(12, 64);
  initialise(*wider, Key(2));
  EXPECT_TRUE(
      torch::equal(net->named_parameters()["3.weight"], wider->named_parameters()["3.weight"]));
  auto other = rejector_net(6, 64);
  initialise(*other, Key(3));
  EXPECT_FALSE(
      torch::equal(net->named_parameters()["3.weight"], other->named_parameters()["3.weight"]));
}

}  // namespace
}  // namespace ifd::train
