#include "ifd/profile/faded_profile.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ifd {
namespace {

const std::vector<BetaPrior> kFlat(2);

DatedAnswers given(std::uint64_t date, std::size_t truth, std::size_t answer) {
  return {date, class_id(truth), Answer(class_id(answer))};
}

// Half-life 2: ages 0, 2 and 4 count 1, 1/2 and 1/4.
TEST(FadedProfile, CountsHalfAfterAHalfLife) {
  const std::vector answers = {given(1, 0, 0), given(3, 0, 1), given(5, 0, 0), given(5, 1, 1)};
  const ExpertProfile profile = faded_profile(kFlat, answers, 2);
  EXPECT_EQ(profile.at(class_id(0)).alpha(), 1 + 1 + .25);
  EXPECT_EQ(profile.at(class_id(0)).beta(), 1 + .5);
  EXPECT_EQ(profile.at(class_id(1)).alpha(), 2);
  EXPECT_EQ(profile.answers(), 2u);
}

// Age is counted in all answers of the expert, also those on other classes.
TEST(FadedProfile, IsThePriorWhenAllIsLongAgo) {
  const std::vector answers = {given(1, 0, 0), given(100000, 1, 1)};
  const ExpertProfile profile = faded_profile(kFlat, answers, 10);
  EXPECT_EQ(profile.means()[0], .5);
  EXPECT_EQ(faded_profile(kFlat, {}, 10), ExpertProfile(kFlat));
}

// With a half-life beyond all ages nothing fades, up to rounding.
TEST(FadedProfile, IsTheProfileWhereNothingFades) {
  std::vector<DatedAnswers> answers;
  ExpertProfile plain(kFlat);
  for (std::uint64_t date = 1; date <= 200; ++date) {
    answers.push_back(given(date, date % 2, date % 3 == 0 ? 0 : 1));
    plain.observe({.truth = answers.back().truth, .answer = answers.back().answer});
  }
  const ExpertProfile faded = faded_profile(kFlat, answers, 1e12);
  for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(faded.means()[k], plain.means()[k], 1e-9);
}

}  // namespace
}  // namespace ifd
