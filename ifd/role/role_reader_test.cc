#include "ifd/role/role_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace ifd {
namespace {

using testing::ElementsAre;

ExpertProfile profile_of(const std::vector<std::pair<int, int>>& answers_and_correct) {
  ExpertProfile profile(answers_and_correct.size());
  for (std::size_t k = 0; k < answers_and_correct.size(); ++k) {
    const auto [answers, correct] = answers_and_correct[k];
    for (int i = 0; i < answers; ++i) {
      profile.observe(class_id(k), i < correct ? Answer(class_id(k)) : Answer::outside());
    }
  }
  return profile;
}

// Eq. z-summary-main by hand: the model favours class 1, the expert class 2.
TEST(RoleState, ReadsSixNumbersAtTheTwoRoles) {
  const ExpertProfile profile = profile_of({{2, 1}, {2, 0}, {2, 2}});
  const std::vector<float> p = {.25F, .5F, .25F};
  EXPECT_THAT(role_state(p, profile).numbers(),
              ElementsAre(.5, .25, .25, .25 * .75 / 5, .75, .75 * .25 / 5));
}

TEST(RoleState, TopRolePrefersTheClassTheExpertKnowsBetterAmongEqualProbabilities) {
  const ExpertProfile profile = profile_of({{4, 1}, {4, 2}, {4, 4}});
  const std::vector<float> p = {.4F, .4F, .2F};
  EXPECT_EQ(role_state(p, profile).mean_at_top, profile.means()[1]);
  EXPECT_EQ(role_state(p, profile, TieRule::kLowestIndex).mean_at_top, profile.means()[0]);
}

TEST(RoleState, BestRolePrefersTheClassTheModelFavoursAmongEqualSkills) {
  const ExpertProfile profile = profile_of({{4, 4}, {4, 1}, {4, 4}});
  const std::vector<float> p = {.2F, .3F, .5F};
  EXPECT_EQ(role_state(p, profile).model_at_best, .5F);
  EXPECT_EQ(role_state(p, profile, TieRule::kLowestIndex).model_at_best, .2F);
}

// The six aggregates by hand.
TEST(RoleState, ExtendedAddsSymmetricAggregates) {
  const ExpertProfile profile = profile_of({{2, 1}, {2, 0}, {2, 2}});
  const std::vector<float> p = {.25F, .5F, .25F};
  const ExtendedRoleState z = extended_role_state(p, profile);
  EXPECT_EQ(z.roles, role_state(p, profile));
  EXPECT_DOUBLE_EQ(z.log_expected_accuracy, std::log(.25 * .5 + .5 * .25 + .25 * .75));
  EXPECT_DOUBLE_EQ(z.expected_variance, .25 * .05 + .5 * .0375 + .25 * .0375);
  EXPECT_DOUBLE_EQ(z.entropy, .5 * std::log(4) + .5 * std::log(2));
  EXPECT_DOUBLE_EQ(z.model_gap, .25);
  EXPECT_DOUBLE_EQ(z.mean_gap, .25);
  EXPECT_EQ(z.roles_agree, 0);
  EXPECT_EQ(extended_role_state(std::vector<float>{.1F, .2F, .7F}, profile).roles_agree, 1);
}

}  // namespace
}  // namespace ifd
