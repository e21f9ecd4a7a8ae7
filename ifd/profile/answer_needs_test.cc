#include "ifd/profile/answer_needs.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ifd {
namespace {

constexpr ClassId kCat{0};
constexpr ClassId kDog{1};

// Beta(1,1) has the variance 1/12, Beta(4,1) 4/150.
TEST(AnswerNeeds, MostUncertainFirst) {
  std::vector<ExpertProfile> profiles(2, ExpertProfile(2));
  profiles[0].observe({.truth = kCat, .answer = kCat, .count = 3});
  profiles[1].observe({.truth = kCat, .answer = kCat, .count = 50});
  const AnswerNeeds needs = answer_needs(profiles, {}, 15, 10);
  EXPECT_EQ(needs.cells, 3U);
  ASSERT_EQ(needs.first.size(), 3U);
  EXPECT_EQ(needs.first[0].expert, 0U);
  EXPECT_EQ(needs.first[0].class_id, kDog);
  EXPECT_DOUBLE_EQ(needs.first[0].uncertainty, .5 * std::sqrt(1.0 / 12));
  EXPECT_EQ(needs.first[1].expert, 1U);
  EXPECT_EQ(needs.first[1].class_id, kDog);
  EXPECT_EQ(needs.first[2].class_id, kCat);
  EXPECT_EQ(needs.first[2].answers, 3U);
  EXPECT_DOUBLE_EQ(needs.first[2].uncertainty, .5 * std::sqrt(4.0 / 150));
}

// What never comes is not worth asking for.
TEST(AnswerNeeds, ClassesThatComeOftenCountMore) {
  std::vector<ExpertProfile> profiles(1, ExpertProfile(2));
  profiles[0].observe({.truth = kCat, .answer = kCat, .count = 3});
  const std::vector<double> shares = {.9, .1};
  EXPECT_EQ(answer_needs(profiles, shares, 15, 10).first[0].class_id, kCat);
}

TEST(AnswerNeeds, NoneWhereThereAreEnough) {
  std::vector<ExpertProfile> profiles(1, ExpertProfile(2));
  profiles[0].observe({.truth = kCat, .answer = kDog, .count = 15});
  profiles[0].observe({.truth = kDog, .answer = kDog, .count = 15});
  EXPECT_EQ(answer_needs(profiles, {}, 15, 10).cells, 0U);
  EXPECT_EQ(answer_needs(profiles, {}, 16, 1).cells, 2U);
  EXPECT_EQ(answer_needs(profiles, {}, 16, 1).first.size(), 1U);
}

}  // namespace
}  // namespace ifd
