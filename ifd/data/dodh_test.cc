#include "ifd/data/dodh.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ifd/error.h"
#include "ifd/random/keyed_random.h"

namespace ifd {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string refusal_of(const std::string& text) {
  try {
    hypnogram_from_bytes(text, "night.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Dodh, AHypnogramIsAListOfStages) {
  EXPECT_THAT(hypnogram_from_bytes("[0, 1,\n 2, 3, 4, -1, 7]", "night.json"),
              ElementsAre(class_id(0), class_id(1), class_id(2), class_id(3), class_id(4),
                          Answer::missing(), Answer::missing()));
  EXPECT_EQ(dodh_classes().name(class_id(4)), "rem");
}

TEST(Dodh, WhatIsNoListOfStagesIsOneClearLine) {
  EXPECT_THAT(refusal_of("{\"a\": 1}"), HasSubstr("night.json: the list"));
  EXPECT_THAT(refusal_of("[0, \"wake\"]"), HasSubstr("night.json: the list"));
  EXPECT_THAT(refusal_of("[0, 1.5]"), HasSubstr("night.json: the list"));
  EXPECT_THAT(refusal_of("[0"), HasSubstr("night.json: the list is not JSON"));
  std::string long_night = "[0";
  for (int i = 0; i < 100'000; ++i) long_night += ",0";
  EXPECT_THAT(refusal_of(long_night + "]"),
              HasSubstr("has 100001 epochs; expected at most 100000"));
}

// A night of `epochs` epochs that begins `late` epochs late.
Hypnogram night(std::size_t epochs, std::size_t late) {
  Hypnogram stages;
  for (std::size_t i = 0; i < epochs; ++i) {
    stages.emplace_back(class_id(Key(9).with((i + late) / 5).below(5)));
  }
  return stages;
}

TEST(Dodh, ShiftedRecordingsAreAligned) {
  EXPECT_EQ(shift_of_networks({"a", {night(500, 0)}, {night(500, 0)}}), 0);
  EXPECT_EQ(shift_of_networks({"a", {night(500, 60)}, {night(560, 0)}}), 60);
  EXPECT_EQ(shift_of_networks({"a", {night(500, 0)}, {night(440, 60)}}), -60);
  const ScoredSleep sleep =
      scored_sleep({"ann"}, {{"a", {night(500, 0)}, {night(440, 60), night(440, 60)}}});
  EXPECT_EQ(sleep.predictions.size(), 440u);
  EXPECT_EQ(sleep.predictions.case_name(0), "r00-0060");
  // Two votes: 2.5 of 4.5.
  const Answer first = sleep.answers.at(case_id(0), expert_id(0));
  EXPECT_FLOAT_EQ(sleep.predictions.probabilities(0)[index(first.as_class())], 2.5F / 4.5F);
}

TEST(Dodh, ListsThatDoNotFitTogetherAreRefused) {
  const auto refusal = [](const ScoredRecording& recording) {
    try {
      scored_sleep({"ann", "bob"}, {recording});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const Hypnogram one = night(50, 0), longer = night(51, 0);
  EXPECT_THAT(refusal({"a", {one, longer}, {one}}),
              HasSubstr("recording a: the scorers have 50 and 51 epochs"));
  EXPECT_THAT(refusal({"a", {one, one}, {one, longer}}), HasSubstr("the networks have 50 and 51"));
  EXPECT_THAT(refusal({"a", {one}, {one}}), HasSubstr("1 scorers and 1 networks; expected 2"));
  EXPECT_THAT(refusal({"a", {{}, {}}, {{}}}), HasSubstr("no epoch that scorers and networks"));
}

}  // namespace
}  // namespace ifd
