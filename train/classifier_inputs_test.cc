#include "train/classifier_inputs.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/coloured_shapes.h"

namespace ifd::train {
namespace {

torch::Tensor all_rows(const ClassifierInputs& inputs) {
  return torch::arange(inputs.size(), torch::kInt64);
}

const Normalisation kPlain{{0, 0, 0}, {1, 1, 1}};

TEST(ClassifierInputs, AreNamedBySplitAndRow) {
  const auto inputs = inputs_of(coloured_shapes(6, 8, "val"), Split::kValidation);
  EXPECT_EQ(inputs.cases.front(), "val-0");
  EXPECT_EQ(inputs.cases.back(), "val-5");
  EXPECT_EQ(inputs.labels[4].item<int>(), 1);
}

TEST(ClassifierInputs, AreNormalisedToMeanZeroAndSpreadOne) {
  const auto inputs = inputs_of(coloured_shapes(30, 8, "train"), Split::kTrain);
  const auto x = batch_of(inputs, normalisation_of(inputs), all_rows(inputs));
  ASSERT_EQ(x.sizes(), (std::vector<std::int64_t>{30, 3, 8, 8}));
  EXPECT_TRUE(x.is_contiguous(at::MemoryFormat::ChannelsLast));
  for (int c = 0; c < 3; ++c) {
    EXPECT_NEAR(x.select(1, c).mean().item<double>(), 0, 1e-5);
    EXPECT_NEAR(x.select(1, c).std(false).item<double>(), 1, 1e-5);
  }
  // By hand: the first pixel of image 4, second channel.
  const auto plain = batch_of(inputs, kPlain, all_rows(inputs));
  EXPECT_FLOAT_EQ(plain[4][1][0][0].item<float>(),
                  static_cast<float>(coloured_shapes(30, 8, "train").pixels[4 * 192 + 1]) / 255);
}

TEST(ClassifierInputs, AChannelThatNeverChangesIsScaledByOne) {
  ImageSplit flat{2, 1, 1, 1, {51, 51}, {class_id(0), class_id(1)}};
  const auto made = normalisation_of(inputs_of(flat, Split::kTrain));
  EXPECT_FLOAT_EQ(made.mean[0], .2F);
  EXPECT_FLOAT_EQ(made.scale[0], 1.F);
}

// The oracle lists all eight symmetries by LibTorch's own flips and transposition.
TEST(Augmentation, DihedralGivesEveryOneOfTheEightSymmetries) {
  const auto inputs = inputs_of(coloured_shapes(1, 8, "train"), Split::kTrain);
  const auto image = batch_of(inputs, kPlain, all_rows(inputs))[0];
  std::vector<torch::Tensor> symmetries;
  for (const auto& turned : {image, image.transpose(1, 2)}) {
    for (const auto& flipped : {turned, turned.flip({1})}) {
      symmetries.push_back(flipped);
      symmetries.push_back(flipped.flip({2}));
    }
  }
  std::set<std::size_t> seen;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto got = augmented_batch_of(inputs, kPlain, all_rows(inputs), {Symmetry::kDihedral, 0},
                                        Key(seed))[0];
    std::size_t which = 0;
    while (which < 8 && !torch::equal(got, symmetries[which])) ++which;
    ASSERT_LT(which, 8U);
    seen.insert(which);
  }
  EXPECT_EQ(seen.size(), 8U);
}

// Moved by at most two pixels, with a mirrored border: a window of the padded image.
TEST(Augmentation, ShiftIsAWindowOfTheMirroredImage) {
  const auto inputs = inputs_of(coloured_shapes(1, 8, "train"), Split::kTrain);
  const auto padded = torch::reflection_pad2d(
      batch_of(inputs, kPlain, all_rows(inputs)).contiguous(), {2, 2, 2, 2})[0];
  std::set<std::pair<int, int>> seen;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const auto got =
        augmented_batch_of(inputs, kPlain, all_rows(inputs), {Symmetry::kNone, 2}, Key(seed))[0];
    for (int y = 0; y < 5; ++y) {
      for (int x = 0; x < 5; ++x) {
        if (torch::equal(got, padded.slice(1, y, y + 8).slice(2, x, x + 8))) seen.emplace(y, x);
      }
    }
  }
  EXPECT_EQ(seen.size(), 25U);
}

TEST(Augmentation, DependsOnTheNameOfTheCaseNotOnItsPlace) {
  const auto inputs = inputs_of(coloured_shapes(12, 8, "train"), Split::kTrain);
  const auto rows = all_rows(inputs);
  const auto forward = augmented_batch_of(inputs, kPlain, rows, {}, Key(3));
  const auto backward = augmented_batch_of(inputs, kPlain, rows.flip({0}), {}, Key(3));
  EXPECT_TRUE(torch::equal(forward, backward.flip({0})));
}

}  // namespace
}  // namespace ifd::train
