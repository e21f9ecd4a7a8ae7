#include "train/dense.h"

#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "tests/finite_difference.h"
#include "tests/threads_seen.h"
#include "train/threads.h"

namespace ifd::train {
namespace {

torch::Tensor variable(at::IntArrayRef sizes, torch::Dtype type) {
  return torch::randn(sizes, type).requires_grad_();
}

// Layers with these widths, the first being the inputs'.
std::vector<DenseLayer> random_layers(const std::vector<std::int64_t>& widths,
                                      torch::Dtype type = torch::kFloat32) {
  std::vector<DenseLayer> layers;
  for (std::size_t i = 1; i < widths.size(); ++i) {
    layers.push_back({variable({widths[i], widths[i - 1]}, type), variable({widths[i]}, type)});
  }
  return layers;
}

std::vector<torch::Tensor> parameters_of(const std::vector<DenseLayer>& layers) {
  std::vector<torch::Tensor> all;
  for (const auto& [weight, bias] : layers) {
    all.push_back(weight);
    all.push_back(bias);
  }
  return all;
}

// With gradients and without, more rows than a block has.
TEST(Dense, IsItsFormula) {
  torch::manual_seed(1);
  const auto layers = random_layers({5, 7, 3}, torch::kFloat64);
  const auto x = torch::randn({600, 5}, torch::kFloat64);
  for (const Inputs inputs : {Inputs::kAsTheyAre, Inputs::kThroughRelu}) {
    const auto read = inputs == Inputs::kThroughRelu ? x.relu() : x;
    const auto hidden = (read.mm(layers[0].weight.t()) + layers[0].bias).relu();
    const auto expected = hidden.mm(layers[1].weight.t()) + layers[1].bias;
    EXPECT_TRUE(torch::allclose(dense(x.clone(), layers, inputs), expected, 1e-12, 1e-12));
    const torch::NoGradGuard guard;
    EXPECT_TRUE(torch::allclose(dense(x.clone(), layers, inputs), expected, 1e-12, 1e-12));
  }
}

TEST(Dense, GradientsAreCentralDifferences) {
  torch::manual_seed(2);
  const auto layers = random_layers({4, 6, 5, 2}, torch::kFloat64);
  const auto x = variable({300, 4}, torch::kFloat64);
  const auto factors = torch::randn({300, 2}, torch::kFloat64);
  auto checked = parameters_of(layers);
  checked.push_back(x);
  for (const Inputs inputs : {Inputs::kAsTheyAre, Inputs::kThroughRelu}) {
    expect_gradients([&] { return (dense(x + 0, layers, inputs) * factors).sum(); }, checked);
  }
}

// Blocks with a rest, one block, a layer with more outputs than a block, a layer with one.
TEST(Dense, ThreadsChangeNoBit) {
  torch::manual_seed(3);
  for (const std::int64_t rows : {1, 256, 1000, 40'000}) {
    const auto x = torch::randn({rows, 12});
    const auto layers = random_layers({12, 300, 64, 1});
    const auto gradient = torch::randn({rows, 1});
    const auto results = [&](int threads) {
      use_threads(threads);
      const auto input = x.clone().requires_grad_();
      const auto y = dense(input, layers);
      auto wanted = parameters_of(layers);
      wanted.push_back(input);
      auto all = torch::autograd::grad({y}, wanted, {gradient});
      all.push_back(y.detach());
      return all;
    };
    const auto expected = results(1);
    for (const int threads : {2, 3, 5}) {
      const auto found = results(threads);
      for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_TRUE(torch::equal(found[i], expected[i]))
            << rows << " rows, " << threads << " threads, tensor " << i;
      }
    }
  }
  use_threads(1);
}

// A product of one block runs outside of any parallel region, one of many inside.
TEST(Dense, NoProductOrSumIsOfferedASecondThread) {
  use_threads(3);
  for (const std::int64_t rows : {1, 256, 2000}) {
    for (const std::int64_t outputs : {1, 256, 700}) {
      SCOPED_TRACE(testing::Message() << rows << " rows, " << outputs << " outputs");
      const auto x = variable({rows, 40}, torch::kFloat32);
      const auto layers = random_layers({40, 30, outputs});
      const auto gradient = torch::randn({rows, outputs});
      const ThreadsSeen seen;
      dense(x, layers).backward(gradient);
      for (const char* operation : {"aten::addmm", "aten::mm", "aten::sum"}) {
        ASSERT_TRUE(seen.most().contains(operation)) << operation;
        EXPECT_EQ(seen.most().at(operation), 1) << operation;
      }
    }
  }
  use_threads(1);
}

}  // namespace
}  // namespace ifd::train
