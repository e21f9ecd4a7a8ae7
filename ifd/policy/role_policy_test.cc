#include "ifd/policy/role_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ifd/policy/scoring.h"
#include "ifd/random/keyed_random.h"
#include "ifd/rejector/peak_rule.h"
#include "ifd/rejector/trained_rejector.h"
#include "tests/profile_of.h"

namespace ifd {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

Predictions predictions(std::vector<float> p, std::size_t classes) {
  return Predictions({ClassNames::numbered(classes), {}, std::move(p), {}, {}, 0});
}

std::unique_ptr<RoleRejector> random_network(const Key& key, StateSet state_set, Head head,
                                             MarginScale scale) {
  TrainedRejectorParts parts{state_set, head, {}, {}};
  std::size_t in = state_set == StateSet::kPaper ? 6 : 12;
  std::uint64_t draw = 0;
  for (const std::size_t out : {32, 16, 1}) {
    Mlp::Layer layer{in, out, std::vector<float>(in * out), std::vector<float>(out)};
    for (float& weight : layer.weights) weight = static_cast<float>(key.normal(draw++) * .5);
    for (float& bias : layer.bias) bias = static_cast<float>(key.normal(draw++) * .5);
    parts.layers.push_back(std::move(layer));
    in = out;
  }
  return std::make_unique<TrainedRejector>(std::move(parts), scale);
}

// Fifteen answers per class and one specialty each.
Roster specialists(const Key& key, std::size_t experts, std::size_t classes) {
  Roster roster;
  for (std::size_t j = 0; j < experts; ++j) {
    const Key expert = key.with("expert").with(j);
    const std::size_t specialty = expert.below(classes);
    std::vector<std::pair<int, int>> counts;
    for (std::size_t k = 0; k < classes; ++k) {
      int right = 0;
      for (std::uint64_t i = 0; i < 15; ++i) {
        right += expert.with(k).uniform(i) < (k == specialty ? .99 : .7);
      }
      counts.emplace_back(15, right);
    }
    roster.names.push_back("expert " + std::to_string(j));
    roster.profiles.push_back(profile_of(counts));
  }
  return roster;
}

Predictions random_cases(const Key& key, std::size_t cases, std::size_t classes) {
  std::vector<double> logits(cases * classes);
  for (std::size_t i = 0; i < logits.size(); ++i) {
    // Every third case has logits on a coarse grid, so that classes tie for the roles.
    const double logit = key.with("logit").normal(i) * 2;
    logits[i] = i / classes % 3 == 0 ? std::round(logit) : logit;
  }
  return predictions(Predictions::from_logits(logits, classes), classes);
}

std::vector<double> margins(const DeferralPolicy& policy, const Predictions& p) {
  return all_margins(policy, p, Availability(policy.experts()));
}

// Sharing changes no bit of any margin, whatever the rule, and neither does the block of cases that
// is scored together.
TEST(RolePolicy, SharingChangesNoBit) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key(seed);
    const std::size_t classes = 3 + 2 * seed;
    const Roster roster = specialists(key, 150, classes);
    const Predictions cases = random_cases(key, 90, classes);
    for (const StateSet state_set : {StateSet::kPaper, StateSet::kExtended}) {
      for (const Head head : {Head::kPlain, Head::kResidual}) {
        for (const MarginScale scale : {MarginScale::kProbability, MarginScale::kLogit}) {
          for (const TieRule ties : {TieRule::kByReadings, TieRule::kLowestIndex}) {
            const auto rule = [&] { return random_network(key, state_set, head, scale); };
            const auto shared = role_policy(roster, rule(), ties, Sharing::kExact);
            const auto every = role_policy(roster, rule(), ties, Sharing::kNone);
            const auto expected = margins(*every, cases);
            ASSERT_EQ(margins(*shared, cases), expected);
            for (std::size_t row = 0; row < cases.size(); row += 17) {
              std::vector<double> one(roster.size());
              shared->score(cases, {row, row + 1}, one);
              for (std::size_t j = 0; j < one.size(); ++j) {
                ASSERT_EQ(one[j], expected[row * roster.size() + j]);
              }
            }
            EXPECT_EQ(every->sharing_counts().pairs, 90u * 150u);
            EXPECT_EQ(every->sharing_counts().evaluations, 90u * 150u);
            if (state_set == StateSet::kPaper) {
              EXPECT_LT(shared->sharing_counts().evaluations,
                        shared->sharing_counts().pairs * 3 / 4);
            }
          }
        }
      }
    }
  }
}

// By hand. Case 0 (top 0, best read .3): ann and bob differ only at class 1, which no role reads,
// so they share; cleo has another mean at k_top. Case 1 (top 1): ann and bob differ at k_top.
TEST(RolePolicy, CountsWhatIsShared) {
  const Roster roster{{"ann", "bob", "cleo"},
                      {profile_of({{2, 1}, {2, 0}, {2, 2}}), profile_of({{2, 1}, {2, 1}, {2, 2}}),
                       profile_of({{2, 0}, {2, 1}, {2, 2}})}};
  const auto policy = role_policy(roster, std::make_unique<PeakRule>(MarginScale::kProbability));
  std::vector<double> out(3);
  policy->score(predictions({.5F, .2F, .3F}, 3), {0, 1}, out);
  EXPECT_EQ(policy->sharing_counts().pairs, 3u);
  EXPECT_EQ(policy->sharing_counts().evaluations, 2u);
  // Now bob and cleo share.
  policy->score(predictions({.2F, .5F, .3F}, 3), {0, 1}, out);
  EXPECT_EQ(policy->sharing_counts().pairs, 6u);
  EXPECT_EQ(policy->sharing_counts().evaluations, 4u);
}

// Extended states sum over all classes; only equal profiles share them.
TEST(RolePolicy, ExtendedStatesAreSharedByEqualProfiles) {
  const Roster roster{{"ann", "bob", "twin"},
                      {profile_of({{2, 1}, {2, 0}, {2, 2}}), profile_of({{2, 1}, {2, 1}, {2, 2}}),
                       profile_of({{2, 1}, {2, 0}, {2, 2}})}};
  const auto policy = role_policy(
      roster,
      random_network(Key(1), StateSet::kExtended, Head::kResidual, MarginScale::kProbability));
  const auto found = margins(*policy, predictions({.5F, .2F, .3F}, 3));
  EXPECT_EQ(found[0], found[2]);
  EXPECT_NE(found[0], found[1]);
  EXPECT_EQ(policy->sharing_counts().pairs, 3u);
  EXPECT_EQ(policy->sharing_counts().evaluations, 2u);
}

// A residual rule whose network says nothing is the plug-in rule on the logit scale.
TEST(RolePolicy, ResidualWithoutACorrectionIsThePlugInRule) {
  TrainedRejectorParts parts{
      StateSet::kPaper, Head::kResidual, {{6, 1, std::vector<float>(6), {0}}}, {}};
  const Roster roster{{"ann"}, {profile_of({{2, 2}, {2, 0}, {0, 0}})}};
  const auto policy =
      role_policy(roster, std::make_unique<TrainedRejector>(std::move(parts), MarginScale::kLogit));
  EXPECT_THAT(margins(*policy, predictions({.5F, .25F, .25F}, 3)),
              ElementsAre(DoubleNear(std::log((.5 * .75 + .25 * .25 + .25 * .5) / .5), 1e-12)));
}

TEST(RolePolicy, ThreadsChangeNoRoute) {
  const Key key(8);
  const Roster roster = specialists(key, 40, 5);
  const Predictions cases = random_cases(key, 1500, 5);
  const auto policy = role_policy(
      roster, random_network(key, StateSet::kPaper, Head::kPlain, MarginScale::kProbability));
  const Availability everybody(roster.size());
  const auto one = winning_margins(*policy, cases, roster.names, everybody);
  const auto three = winning_margins(*policy, cases, roster.names, everybody, {.threads = 3});
  EXPECT_EQ(one.margin, three.margin);
  EXPECT_EQ(one.expert, three.expert);
  EXPECT_EQ(policy->sharing_counts().pairs, 2u * 1500u * 40u);
}

TEST(RolePolicy, AnEmptyRosterScoresNothing) {
  const auto policy = role_policy({}, std::make_unique<PeakRule>(MarginScale::kProbability));
  EXPECT_EQ(policy->experts(), 0u);
  EXPECT_TRUE(margins(*policy, predictions({.5F, .25F, .25F}, 3)).empty());
}

}  // namespace
}  // namespace ifd
