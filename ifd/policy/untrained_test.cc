#include "ifd/policy/untrained.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "ifd/policy/role_policy.h"
#include "ifd/policy/scoring.h"
#include "ifd/random/keyed_random.h"
#include "ifd/rejector/peak_rule.h"
#include "tests/profile_of.h"

namespace ifd {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

// Means .75 .25 .5 and .25 .75 .75.
Roster two_experts() {
  return {{"ann", "bob"},
          {profile_of({{2, 2}, {2, 0}, {0, 0}}), profile_of({{2, 0}, {2, 2}, {2, 2}})}};
}

Predictions predictions(std::vector<float> p, std::vector<ClassId> labels = {}) {
  return Predictions({ClassNames::numbered(3), {}, std::move(p), std::move(labels), {}, 0});
}

std::vector<double> margins_of(const DeferralPolicy& policy, const Predictions& p) {
  return all_margins(policy, p, Availability(policy.experts()));
}

// sum rho mu - max rho by hand.
TEST(PlugIn, IsExpectedAccuracyAgainstTheTopProbability) {
  const auto p = predictions({.5F, .25F, .25F});
  const double ann = .5 * .75 + .25 * .25 + .25 * .5;
  const double bob = .5 * .25 + .25 * .75 + .25 * .75;
  EXPECT_THAT(margins_of(*plug_in_policy(two_experts(), MarginScale::kProbability), p),
              ElementsAre(DoubleNear(ann - .5, 1e-12), DoubleNear(bob - .5, 1e-12)));
  EXPECT_THAT(
      margins_of(*plug_in_policy(two_experts(), MarginScale::kLogit), p),
      ElementsAre(DoubleNear(std::log(ann / .5), 1e-12), DoubleNear(std::log(bob / .5), 1e-12)));
}

// Eq. ifd-rule by hand: ann is best at class 0, bob at 1 and 2 alike (the model prefers 2).
TEST(PeakRule, CreditsTheBestClassAlone) {
  const auto p = predictions({.5F, .125F, .375F});
  const auto policy =
      role_policy(two_experts(), std::make_unique<PeakRule>(MarginScale::kProbability));
  EXPECT_THAT(margins_of(*policy, p),
              ElementsAre(DoubleNear(.5 * .75 - .5, 1e-12), DoubleNear(.375 * .75 - .5, 1e-12)));
}

// At threshold 0 the peak rule never defers while accuracies are below one.
TEST(PeakRule, IsNeverPositive) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::vector<double> logits(3 * 20);
    for (std::size_t i = 0; i < logits.size(); ++i) logits[i] = Key(seed).normal(i);
    const auto policy = role_policy(two_experts(), std::make_unique<PeakRule>(MarginScale::kLogit));
    for (const double m : margins_of(*policy, predictions(Predictions::from_logits(logits, 3)))) {
      EXPECT_LT(m, 0);
    }
  }
}

TEST(Confidence, PicksTheBestAverageExpertAndTheLeastSureCases) {
  const auto p = predictions({.5F, .25F, .25F, .75F, .125F, .125F});
  const Roster roster = two_experts();
  const auto table = winning_margins(*confidence_policy(roster, MarginScale::kProbability), p,
                                     roster.names, Availability(2));
  EXPECT_THAT(table.expert, ElementsAre(ExpertId{1}, ExpertId{1}));
  EXPECT_THAT(table.margin, ElementsAre(DoubleNear((.25 + .75 + .75) / 3 - .5, 1e-12),
                                        DoubleNear((.25 + .75 + .75) / 3 - .75, 1e-12)));
}

TEST(Oracle, KnowsWhoIsRight) {
  const auto p = predictions({.5F, .25F, .25F, .75F, .125F, .125F}, {ClassId{2}, ClassId{0}});
  AnswerTable answers({"ann", "bob"}, 2);
  answers.set(case_id(0), expert_id(0), ClassId{2});
  answers.set(case_id(0), expert_id(1), ClassId{0});
  answers.set(case_id(1), expert_id(0), ClassId{0});
  answers.set(case_id(1), expert_id(1), Answer::outside());
  EXPECT_THAT(margins_of(*oracle_policy(answers), p), ElementsAre(1, 0, 0, -1));
}

TEST(Ceiling, UsesTheTrueAccuraciesOfTheCase) {
  const auto p = predictions({.5F, .25F, .25F});
  const auto policy = ceiling_policy({1, 0, .5F, 0, 0, 0}, 2, MarginScale::kProbability);
  EXPECT_THAT(margins_of(*policy, p),
              ElementsAre(DoubleNear(.625 - .5, 1e-12), DoubleNear(-.5, 1e-12)));
}

TEST(Random, TreatsExpertsAndCasesAlike) {
  const Roster roster = two_experts();
  std::vector<float> p;
  for (int i = 0; i < 4000; ++i) p.insert(p.end(), {.5F, .25F, .25F});
  const auto table =
      winning_margins(*random_policy(roster, 3), predictions(p), roster.names, Availability(2));
  int ann = 0;
  for (const ExpertId e : table.expert) ann += e == ExpertId{0};
  EXPECT_NEAR(ann, 2000, 5 * std::sqrt(1000));
}

// Twins read the same margins everywhere: a fair draw by name, not the order of rows or rosters.
TEST(WinningMargins, EqualMarginsAreDrawnByNameNotByOrder) {
  Roster twins{{"ann", "bob", "cleo"},
               std::vector<ExpertProfile>(3, profile_of({{1, 1}, {0, 0}, {0, 0}}))};
  Roster reversed{{"cleo", "bob", "ann"}, twins.profiles};
  std::vector<float> p;
  for (int i = 0; i < 3000; ++i) p.insert(p.end(), {.5F, .25F, .25F});
  const auto all = predictions(p);
  const auto a = winning_margins(*plug_in_policy(twins, MarginScale::kProbability), all,
                                 twins.names, Availability(3), {.seed = 5});
  const auto b = winning_margins(*plug_in_policy(reversed, MarginScale::kProbability), all,
                                 reversed.names, Availability(3), {.seed = 5, .threads = 3});
  std::map<std::string, int> wins;
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(twins.names[index(a.expert[i])], reversed.names[index(b.expert[i])]);
    ++wins[twins.names[index(a.expert[i])]];
  }
  for (const auto& [name, count] : wins) EXPECT_NEAR(count, 1000, 5 * std::sqrt(667)) << name;
}

TEST(WinningMargins, WhoeverIsOffDutyDoesNotCompete) {
  const auto p = predictions({.5F, .25F, .25F, .125F, .75F, .125F});
  const Roster roster = two_experts();
  const auto policy = plug_in_policy(roster, MarginScale::kProbability);
  Availability availability(2);
  availability.set_on_duty(expert_id(1), false);
  EXPECT_THAT(winning_margins(*policy, p, roster.names, availability).expert,
              ElementsAre(ExpertId{0}, ExpertId{0}));
  AnswerTable answers({"ann", "bob"}, 2);
  answers.set(case_id(1), expert_id(0), ClassId{0});
  availability.require_answers(answers);
  const auto table = winning_margins(*policy, p, roster.names, availability);
  EXPECT_THAT(table.expert, ElementsAre(kNobody, ExpertId{0}));
  EXPECT_EQ(table.margin[0], kNeverDefer);
  EXPECT_EQ(all_margins(*policy, p, availability)[1], kNeverDefer);
}

}  // namespace
}  // namespace ifd
