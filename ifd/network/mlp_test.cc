#include "ifd/network/mlp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "tests/instruction_sets.h"
#include "tests/random_network.h"
#include "tests/refusal.h"

namespace ifd {
namespace {

using testing::HasSubstr;

// The definition, in double.
double oracle(const std::vector<Mlp::Layer>& layers, std::span<const float> input) {
  std::vector<double> x(input.begin(), input.end());
  for (std::size_t i = 0; i < layers.size(); ++i) {
    std::vector<double> y(layers[i].bias.begin(), layers[i].bias.end());
    for (std::size_t o = 0; o < layers[i].out; ++o) {
      for (std::size_t k = 0; k < layers[i].in; ++k) {
        y[o] += static_cast<double>(layers[i].weights[o * layers[i].in + k]) * x[k];
      }
      if (i + 1 < layers.size()) y[o] = std::max(y[o], 0.0);
    }
    x = y;
  }
  return x.front();
}

TEST(Mlp, ComputesByHand) {
  // Hidden: ReLU(1 - 2 + .5) = 0 and ReLU(3 + 4 - 1) = 6; out: 7 * 0 - .5 * 6 + 2.
  const std::vector<Mlp::Layer> layers = {{2, 2, {1, -1, 3, 2}, {.5F, -1}}, {2, 1, {7, -.5F}, {2}}};
  EXPECT_EQ(run(Mlp(layers), std::vector<float>{1, 2}), std::vector<float>{-1});
}

TEST(Mlp, AgreesWithTheDefinitionForEveryShapeAndInstructionSet) {
  const std::vector<std::vector<std::size_t>> shapes = {
      {6, 1},        {40, 1},         {6, 1, 1},       {6, 5, 1},
      {12, 33, 1},   {6, 16, 31, 1},  {6, 64, 100, 1}, {6, 256, 256, 256, 256, 256, 1},
      {1, 17, 7, 1}, {12, 200, 8, 1},
  };
  on_every_instruction_set([&] {
    for (std::size_t s = 0; s < shapes.size(); ++s) {
      SCOPED_TRACE(testing::Message() << "shape " << s);
      const Key key = Key(7).with(s);
      const auto layers = random_layers(key, shapes[s], 1);
      const Mlp network(layers);
      const auto inputs = random_inputs(key, 29 * shapes[s].front());
      const auto outputs = run(network, inputs);
      for (std::size_t row = 0; row < outputs.size(); ++row) {
        const auto input =
            std::span(inputs).subspan(row * network.input_width(), network.input_width());
        EXPECT_NEAR(outputs[row], oracle(layers, input), 2e-6) << "row " << row;
      }
    }
  });
}

// A row's result is the same bits alone, in any batch, and at any place in it.
TEST(Mlp, BatchSizeAndPlaceChangeNoBit) {
  on_every_instruction_set([] {
    for (const auto& widths : std::vector<std::vector<std::size_t>>{
             {6, 256, 256, 256, 1}, {12, 96, 40, 1}, {6, 3, 1}, {6, 1}}) {
      const Key key = Key(11).with(widths.size());
      const Mlp network(random_layers(key, widths));
      const std::size_t width = widths.front();
      const auto inputs = random_inputs(key, 4096 * width);
      Mlp::Workspace workspace;
      std::vector<float> alone(4096);
      for (std::size_t row = 0; row < alone.size(); ++row) {
        network.run(std::span(inputs).subspan(row * width, width), 1,
                    std::span(alone).subspan(row, 1), workspace);
      }
      std::vector<std::size_t> sizes = {256, 4096};
      for (std::size_t size = 1; size <= 70; ++size) sizes.push_back(size);
      for (const std::size_t size : sizes) {
        for (std::uint64_t draw = 0; draw < 3; ++draw) {
          const std::size_t first = key.with("first").with(size).below(4096 - size + 1, draw);
          std::vector<float> together(size);
          network.run(std::span(inputs).subspan(first * width, size * width), size, together,
                      workspace);
          for (std::size_t i = 0; i < size; ++i) {
            ASSERT_EQ(together[i], alone[first + i]) << "size " << size << " row " << first + i;
          }
        }
      }
    }
  });
}

// Every hidden number is the first input but for a few that never fire, so that the first input
// decides whether a row has many zeros or hardly any.
TEST(Mlp, ZerosPassedOverAndZerosMultipliedGiveTheSameBits) {
  const Key key(13);
  for (const std::size_t width : {64U, 96U, 200U, 256U}) {
    auto layers = random_layers(key.with(width), {6, width, width, 72, 1});
    for (std::size_t o = 0; o < width; ++o) layers[0].weights[o * 6] = o % 7 == 0 ? -9.F : 9.F;
    const Mlp network(layers);
    constexpr std::size_t kRows = 96;
    auto inputs = random_inputs(key, kRows * 6);
    for (std::size_t row = 0; row < kRows; ++row) inputs[row * 6] = row % 12 == 5 ? -1.F : 1.F;
    on_every_instruction_set([&] {
      const auto mostly_dense = run(network, inputs);
      for (std::size_t row = 0; row < kRows; ++row) {
        const auto input = std::span(inputs).subspan(row * 6, 6);
        EXPECT_EQ(mostly_dense[row], run(network, input)[0]) << "width " << width << " row " << row;
        EXPECT_NEAR(mostly_dense[row], oracle(layers, input), 1e-4);
      }
    });
  }
}

// One workspace serves a wide network with few rows, then a narrow one with many.
TEST(Mlp, NetworksShareAWorkspace) {
  Mlp::Workspace shared;
  for (const auto& [width, rows] :
       {std::pair<std::size_t, std::size_t>{512, 2}, {64, 16}, {256, 4}}) {
    const Mlp network(random_layers(Key(width), {6, width, width, 1}));
    const auto inputs = random_inputs(Key(rows), rows * 6);
    std::vector<float> outputs(rows);
    network.run(inputs, rows, outputs, shared);
    EXPECT_EQ(outputs, run(network, inputs));
  }
}

TEST(Mlp, ThreadsShareOneNetwork) {
  const Key key(3);
  const Mlp network(random_layers(key, {6, 64, 64, 1}));
  const auto inputs = random_inputs(key, 500 * 6);
  const auto expected = run(network, inputs);
  std::vector<std::vector<float>> found(4);
  std::vector<std::thread> threads;
  for (auto& outputs : found) {
    threads.emplace_back([&] { outputs = run(network, inputs); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& outputs : found) EXPECT_EQ(outputs, expected);
}

TEST(Mlp, HashTellsArchitecturesApartAndIgnoresWeights) {
  const auto hash = [](std::uint64_t seed, const std::vector<std::size_t>& widths) {
    return Mlp(random_layers(Key(seed), widths)).architecture_hash();
  };
  EXPECT_EQ(hash(1, {6, 8, 1}), hash(2, {6, 8, 1}));
  EXPECT_NE(hash(1, {6, 8, 1}), hash(1, {6, 9, 1}));
  EXPECT_NE(hash(1, {6, 8, 1}), hash(1, {12, 8, 1}));
  EXPECT_NE(hash(1, {6, 8, 1}), hash(1, {6, 8, 8, 1}));
}

TEST(Mlp, RefusesWhatIsNotANetwork) {
  const auto refused = [](const std::vector<Mlp::Layer>& layers) {
    return refusal([&] { Mlp{layers}; });
  };
  EXPECT_THAT(refused({}), HasSubstr("no layers"));
  EXPECT_THAT(refused({{2, 1, {1}, {0}}}), HasSubstr("layer 0 has 1 weights and 1 biases"));
  EXPECT_THAT(refused({{2, 1, {1, 1}, {}}}), HasSubstr("2 weights and 0 biases"));
  EXPECT_THAT(refused({{0, 1, {}, {0}}}), HasSubstr("none of them 0"));
  EXPECT_THAT(refused({{1, 2, {1, 1}, {0, 0}}}), HasSubstr("2 outputs; expected 1"));
  EXPECT_THAT(refused({{1, 2, {1, 1}, {0, 0}}, {1, 1, {1}, {0}}}),
              HasSubstr("layer 1 reads 1 numbers; expected the 2 of layer 0"));
  EXPECT_THAT(refused({{1, 1, {std::numeric_limits<float>::infinity()}, {0}}}),
              HasSubstr("not finite"));
}

}  // namespace
}  // namespace ifd
