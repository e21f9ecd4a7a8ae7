#include "ifd/network/bf16.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <optional>
#include <vector>

#include "tests/amx_emulator.h"
#include "tests/random_network.h"

namespace ifd {
namespace {

// bf16 has 8 bits of precision: 1 + 2^-8 lies between 1 and 1 + 2^-7 and goes to the even one.
TEST(Bf16, RoundsToNearestAndTiesToEven) {
  EXPECT_EQ(rounded_to_bf16(1.0F), 1.0F);
  EXPECT_EQ(rounded_to_bf16(1.0F + 0x1p-8F), 1.0F);
  EXPECT_EQ(rounded_to_bf16(1.0F + 0x1p-7F + 0x1p-8F), 1.0F + 0x1p-6F);
  EXPECT_EQ(rounded_to_bf16(1.0F + 0x1p-8F + 0x1p-20F), 1.0F + 0x1p-7F);
  EXPECT_EQ(rounded_to_bf16(-3.0F), -3.0F);
  EXPECT_EQ(rounded_to_bf16(std::numeric_limits<float>::max()),
            std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(rounded_to_bf16(std::numeric_limits<float>::quiet_NaN())));
}

TEST(Bf16, RoundingMovesNothingByMoreThanHalfAStep) {
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    const auto value = static_cast<float>(Key(5).normal(i) * std::exp(10 * Key(6).normal(i)));
    EXPECT_LE(std::abs(rounded_to_bf16(value) - value), std::abs(value) * 0x1p-8F) << value;
  }
}

// The definition in double: inputs, weights and activations rounded, sums exact but for rounding.
TEST(Bf16, NetworkRoundsWhatEveryLayerReads) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto layers = random_layers(Key(seed), {6, 20 + seed, 33, 1});
    const auto inputs = random_inputs(Key(seed).with("input"), 6 * 5);
    const auto outputs = run(Mlp(layers, Precision::kBf16), inputs);
    for (std::size_t row = 0; row < 5; ++row) {
      std::vector<float> x(inputs.begin() + 6 * row, inputs.begin() + 6 * row + 6);
      for (std::size_t i = 0; i < layers.size(); ++i) {
        std::vector<float> y(layers[i].out);
        for (std::size_t o = 0; o < layers[i].out; ++o) {
          double sum = layers[i].bias[o];
          for (std::size_t k = 0; k < layers[i].in; ++k) {
            sum += static_cast<double>(rounded_to_bf16(x[k])) *
                   rounded_to_bf16(layers[i].weights[o * layers[i].in + k]);
          }
          y[o] = static_cast<float>(i + 1 < layers.size() ? std::max(sum, 0.0) : sum);
        }
        x = y;
      }
      // A sum at the edge of a step may round the other way than here.
      EXPECT_NEAR(outputs[row], x.front(), 0.01 * (1 + std::abs(x.front())));
    }
  }
}

TEST(Bf16, NetworkIsNearFloatButNotIt) {
  const auto layers = random_layers(Key(9), {6, 256, 256, 256, 256, 256, 1});
  const auto inputs = random_inputs(Key(10), 6 * 200);
  const auto in_float = run(Mlp(layers), inputs);
  const auto in_bf16 = run(Mlp(layers, Precision::kBf16), inputs);
  std::size_t different = 0;
  for (std::size_t i = 0; i < in_float.size(); ++i) {
    EXPECT_NEAR(in_bf16[i], in_float[i], 0.05);
    different += in_bf16[i] != in_float[i] ? 1 : 0;
  }
  EXPECT_GT(different, 150u);
}

// Tiles by hand: output 17 reads input 35 from the second tile of the second group of outputs, in
// the line of the pair (34, 35), second of its pair.
TEST(AmxLayer, LaysOutWeightsInPairsOfInputs) {
  std::vector<float> weights(20 * 40, 0.0F);
  weights[17 * 40 + 35] = 3.0F;
  const AmxLayer layer = amx_layer(40, 20, weights, std::vector<float>(20, 1.0F));
  EXPECT_EQ(layer.in, 64u);
  EXPECT_EQ(layer.out, 32u);
  ASSERT_EQ(layer.tiles.size(), 64u * 32);
  for (std::size_t i = 0; i < layer.tiles.size(); ++i) {
    const bool there = i == (1 * 2 + 1) * 512 + 1 * 32 + 1 * 2 + 1;
    EXPECT_EQ(from_bf16(layer.tiles[i]), there ? 3.0F : 0.0F) << i;
  }
  EXPECT_EQ(layer.bias[19], 1.0F);
  EXPECT_EQ(layer.bias[20], 0.0F);
}

#if defined(__x86_64__) && defined(__linux__)

// On the processor where it has AMX and the kernel lets us use it, elsewhere emulated: the laws are
// the same, and the test says which of the two it was.
class Amx : public testing::Test {
 protected:
  void SetUp() override {
    if (!amx_is_there()) {
      emulator_.emplace();
      if (!emulator_->sees_configuration()) {
        GTEST_SKIP() << "the processor has AMX, but the kernel refuses it to this process";
      }
    }
    const char* where = emulator_ ? "emulated" : "on the processor";
    RecordProperty("amx", where);
    std::cout << "AMX: " << where << "\n";
  }

  void TearDown() override {
    if (IsSkipped()) return;
    EXPECT_TRUE(AmxEmulator::released());
    EXPECT_EQ(AmxEmulator::products() > 0, emulator_.has_value());
  }

 private:
  std::optional<AmxEmulator> emulator_;
};

// Small whole numbers: every sum is exact, so there is one answer.
TEST_F(Amx, LayerIsAProductOfMatrices) {
  struct Shape {
    std::size_t in, out, rows;
  };
  for (const auto [in, out, rows] : {Shape{6, 1, 32}, Shape{40, 20, 32}, Shape{64, 100, 96}}) {
    SCOPED_TRACE(testing::Message() << in << " to " << out << ", " << rows << " rows");
    const auto whole = [](const char* what, std::size_t i) {
      return static_cast<float>(static_cast<int>(Key(11).with(what).below(9, i)) - 4);
    };
    std::vector<float> weights(in * out), bias(out);
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = whole("weights", i);
    for (std::size_t i = 0; i < bias.size(); ++i) bias[i] = whole("bias", i);
    const AmxLayer layer = amx_layer(in, out, weights, bias);
    std::vector<std::uint16_t> from(rows * layer.in, 0), to(rows * layer.out);
    std::vector<float> sums(rows * layer.out);
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t k = 0; k < in; ++k) {
        from[row * layer.in + k] = to_bf16(whole("from", row * in + k));
      }
    }
    run_amx_layer(layer, from.data(), rows, to.data(), sums.data());
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t o = 0; o < out; ++o) {
        float sum = bias[o];
        for (std::size_t k = 0; k < in; ++k) {
          sum += weights[o * in + k] * from_bf16(from[row * layer.in + k]);
        }
        EXPECT_EQ(sums[row * layer.out + o], sum) << row << ", " << o;
        EXPECT_EQ(to[row * layer.out + o], to_bf16(std::max(sum, 0.0F))) << row << ", " << o;
      }
    }
    EXPECT_TRUE(AmxEmulator::released());
  }
}

TEST_F(Amx, NetworkAgreesWithThePortableArithmetic) {
#ifndef NDEBUG
  if (!amx_is_there()) GTEST_SKIP() << "a network asserts that the processor has AMX";
#endif
  for (const std::size_t rows : {1UL, 31UL, 32UL, 33UL, 96UL, 97UL, 500UL}) {
    SCOPED_TRACE(testing::Message() << rows << " rows");
    const auto layers = random_layers(Key(rows), {6, 256, 100, 256, 1});
    const auto inputs = random_inputs(Key(rows).with("input"), 6 * rows);
    const auto expected = run(Mlp(layers, Precision::kBf16), inputs);
    const auto outputs = run(Mlp(layers, Precision::kAmx), inputs);
    for (std::size_t i = 0; i < rows; ++i) {
      EXPECT_NEAR(outputs[i], expected[i], 0.02 * (1 + std::abs(expected[i])));
    }
  }
}

#endif

}  // namespace
}  // namespace ifd
