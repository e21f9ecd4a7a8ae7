#include "ifd/role/role_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <vector>

#include "ifd/random/keyed_random.h"
#include "tests/profile_of.h"

namespace ifd {
namespace {

using testing::ElementsAre;

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

// Many experts, few answers, coarse probabilities: ties everywhere.
struct Crowd {
  std::vector<float> probabilities;
  std::vector<ExpertProfile> profiles;
};

Crowd make_crowd(std::uint64_t seed) {
  const Key key = Key(seed).with("crowd");
  const std::size_t classes = 2 + key.below(6);
  Crowd crowd;
  crowd.probabilities.resize(classes);
  for (std::size_t part = 0; part < 8; ++part) {
    crowd.probabilities[key.with("case").below(classes, part)] += .125F;
  }
  for (std::size_t j = 0; j < 30; ++j) {
    std::vector<std::pair<int, int>> counts;
    for (std::size_t k = 0; k < classes; ++k) {
      const Key cell = key.with(j).with(k);
      const int answers = static_cast<int>(cell.below(3));
      counts.emplace_back(answers, static_cast<int>(cell.with("right").below(answers + 1)));
    }
    crowd.profiles.push_back(profile_of(counts));
  }
  return crowd;
}

// The definition: k_top maximises (rho, mu, -sigma^2), k_best maximises (mu, -sigma^2, rho).
RoleState definition(const std::vector<float>& rho, const ExpertProfile& profile) {
  std::size_t top = 0;
  std::size_t best = 0;
  const auto mu = profile.means();
  const auto variance = profile.variances();
  for (std::size_t k = 1; k < rho.size(); ++k) {
    const auto as_top = [&](std::size_t i) { return std::tuple(rho[i], mu[i], -variance[i]); };
    const auto as_best = [&](std::size_t i) { return std::tuple(mu[i], -variance[i], rho[i]); };
    if (as_top(k) > as_top(top)) top = k;
    if (as_best(k) > as_best(best)) best = k;
  }
  return {rho[top], rho[best], mu[top], variance[top], mu[best], variance[best]};
}

TEST(RosterReader, ReadsEveryExpertByTheDefinition) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Crowd crowd = make_crowd(seed);
    const RosterReadings roster(crowd.profiles, TieRule::kByReadings);
    RosterReader reader(roster);
    std::vector<RoleState> states(crowd.profiles.size());
    std::vector<ExtendedRoleState> extended(crowd.profiles.size());
    std::vector<double> logs(crowd.profiles.size());
    reader.states(crowd.probabilities, states);
    reader.extended_states(crowd.probabilities, extended);
    reader.log_expected_accuracies(crowd.probabilities, logs);
    for (std::size_t j = 0; j < states.size(); ++j) {
      ASSERT_EQ(states[j], definition(crowd.probabilities, crowd.profiles[j]));
      ASSERT_EQ(extended[j], extended_role_state(crowd.probabilities, crowd.profiles[j]));
      ASSERT_EQ(extended[j].roles, states[j]);
      ASSERT_EQ(extended[j].log_expected_accuracy, logs[j]);
      ASSERT_DOUBLE_EQ(std::exp(logs[j]),
                       expected_value(crowd.probabilities, crowd.profiles[j].means()));
    }
  }
}

// Everyone finds the own state, and no two places hold the same numbers.
TEST(RosterReader, SharedStatesAreTheDistinctStates) {
  std::size_t shared = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Crowd crowd = make_crowd(seed);
    for (const TieRule ties : {TieRule::kByReadings, TieRule::kLowestIndex}) {
      const RosterReadings roster(crowd.profiles, ties);
      RosterReader reader(roster);
      std::vector<RoleState> each(crowd.profiles.size());
      reader.states(crowd.probabilities, each);
      // Twice with one reader: the second case finds none of the first one's places.
      std::vector<RoleState> states;
      std::vector<std::uint32_t> place(each.size());
      reader.shared_states(crowd.probabilities, states, place);
      const std::size_t distinct = states.size();
      reader.shared_states(crowd.probabilities, states, place);
      ASSERT_EQ(states.size(), 2 * distinct);
      std::set<std::array<double, 6>> seen;
      for (std::size_t j = 0; j < each.size(); ++j) {
        ASSERT_GE(place[j], distinct);
        ASSERT_EQ(states[place[j]], each[j]);
        seen.insert(each[j].numbers());
      }
      ASSERT_EQ(distinct, seen.size());
      shared += each.size() - distinct;
    }
  }
  EXPECT_GT(shared, 10000u);
}

// A prior can put a mean so close to zero that the sum rounds to zero; its logarithm stays finite.
TEST(RosterReader, LogOfNoChanceIsFinite) {
  const BetaPrior least{kLeastPriorParameter, kMostPriorParameter};
  const ExpertProfile profile(std::vector<BetaPrior>(2, least));
  const ExtendedRoleState z = extended_role_state(std::vector<float>{.5F, .5F}, profile);
  EXPECT_TRUE(std::isfinite(z.log_expected_accuracy));
  EXPECT_LT(z.log_expected_accuracy, -700);
}

}  // namespace
}  // namespace ifd
