#include "train/classifier_progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/refusal.h"

namespace ifd::train {
namespace {

const std::string kClassifierSettings = R"({"epochs":5,"seed":7})";

ClassifierProgress three_epochs() {
  ClassifierProgress progress;
  progress.add(.9, .6, 1.1);
  progress.add(.8, .6, 1.0);  // as many right, and surer of them
  progress.add(.7, .5, .9);
  return progress;
}

SafetensorsFile checkpoint_of_epochs(const ClassifierProgress& progress, float square,
                                     const std::string& settings = kClassifierSettings) {
  SafetensorsWriter writer;
  add_progress(writer, progress, settings);
  writer.add("moment2.head", {1}, std::span<const float>(&square, 1));
  writer.add_checksum();
  return SafetensorsFile::from_bytes(std::move(writer).bytes(), "blood.checkpoint");
}

TEST(ClassifierProgress, TheBestIsTheMostAccurateAndAmongEqualsTheSurest) {
  EXPECT_EQ(ClassifierProgress().best().epoch, 0U);
  const ClassifierProgress progress = three_epochs();
  EXPECT_EQ(progress.best().epoch, 2U);
  EXPECT_TRUE(progress.epochs()[0].best);
  EXPECT_FALSE(progress.epochs()[2].best);
}

TEST(ClassifierProgress, IsReadAsItWasWritten) {
  const auto read =
      classifier_progress(checkpoint_of_epochs(three_epochs(), .5F), kClassifierSettings, 5);
  ASSERT_EQ(read.epochs().size(), 3U);
  EXPECT_EQ(read.epochs()[1].loss, .8);
  EXPECT_EQ(read.epochs()[2].log_loss, .9);
  EXPECT_EQ(read.best().epoch, 2U);
}

TEST(ClassifierProgress, OfAnotherTrainingOrOfNoneIsRefused) {
  const auto said = [](const SafetensorsFile& file, std::size_t epochs) {
    return refusal([&] { classifier_progress(file, kClassifierSettings, epochs); });
  };
  using testing::HasSubstr;
  EXPECT_THAT(said(checkpoint_of_epochs(three_epochs(), .5F, R"({"epochs":5,"seed":8})"), 5),
              HasSubstr("blood.checkpoint: the checkpoint of another training"));
  EXPECT_THAT(said(checkpoint_of_epochs(three_epochs(), .5F), 6),
              HasSubstr("the checkpoint of a training of 5 epochs; expected 6"));
  EXPECT_THAT(said(checkpoint_of_epochs(three_epochs(), -.5F), 5),
              HasSubstr("'moment2.head' holds -0.5; expected 0 or more"));
  EXPECT_THAT(said(checkpoint_of_epochs(three_epochs(), std::numeric_limits<float>::infinity()), 5),
              HasSubstr("holds inf"));
  EXPECT_THAT(said(checkpoint_of_epochs(ClassifierProgress(), .5F), 5),
              HasSubstr("0 epochs; expected 1..4"));
  ClassifierProgress impossible;
  impossible.add(.9, 1.5, 1.1);
  EXPECT_THAT(said(checkpoint_of_epochs(impossible, .5F), 5),
              HasSubstr("epoch 1 has accuracy 1.5"));
}

}  // namespace
}  // namespace ifd::train
