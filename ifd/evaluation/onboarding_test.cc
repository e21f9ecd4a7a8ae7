#include "ifd/evaluation/onboarding.h"

#include <gtest/gtest.h>

#include "ifd/router.h"
#include "tests/refusal.h"

namespace ifd {
namespace {

// Cases of three classes, the first the most frequent, and a model that is right two times in
// three.
Predictions mix_of(std::size_t cases, const Key& key) {
  std::string text = "case,label,a,b,c\n";
  for (std::size_t i = 0; i < cases; ++i) {
    const double u = key.with("class").uniform(i), v = key.with("model").uniform(i);
    const std::size_t label = u < .6 ? 0 : u < .9 ? 1 : 2;
    const std::size_t top = v < .66 ? label : (label + 1) % 3;
    text += "x" + std::to_string(i) + "," + std::string(1, static_cast<char>('a' + label));
    for (std::size_t k = 0; k < 3; ++k) text += k == top ? ",0.6" : ",0.2";
    text += "\n";
  }
  return predictions_from_bytes(text, "mix.csv");
}

Roster staff_of_three() {
  Roster roster;
  for (const char* name : {"ann", "bob", "cy"}) {
    ExpertProfile profile(3);
    for (std::size_t k = 0; k < 3; ++k) {
      profile.observe({.truth = class_id(k), .answer = class_id(k), .count = 12 + k});
      profile.observe({.truth = class_id(k), .answer = Answer::outside(), .count = 4});
    }
    roster.names.emplace_back(name);
    roster.profiles.push_back(std::move(profile));
  }
  return roster;
}

bool equal(const OnboardingPlan& a, const OnboardingPlan& b) {
  for (std::size_t s = 0; s < a.sizes.size(); ++s) {
    for (std::size_t c = 0; c < kNextCases.size(); ++c) {
      if (a.sizes[s].regret[c].mean != b.sizes[s].regret[c].mean) return false;
    }
  }
  return a.sizes.size() == b.sizes.size() && a.enough == b.enough && a.worth == b.worth;
}

const OnboardingOptions kQuick{.draws = 60};

TEST(Onboarding, ThreadsChangeNothing) {
  const Predictions mix = mix_of(200, Key(1));
  const auto staff = OnboardingStaff::around("", staff_of_three(), 3, {});
  OnboardingOptions threads = kQuick;
  threads.threads = 4;
  EXPECT_TRUE(equal(plan_onboarding(mix, staff, kQuick), plan_onboarding(mix, staff, threads)));
}

// Knowing everything is the best on average, and answers lead there.
TEST(Onboarding, AnswersLeadToKnowing) {
  const Predictions mix = mix_of(300, Key(2));
  const auto staff = OnboardingStaff::around("", staff_of_three(), 3, {});
  const OnboardingPlan plan = plan_onboarding(mix, staff, kQuick);
  ASSERT_EQ(plan.sizes.front().answers, 0U);
  EXPECT_GT(plan.worth, 0);
  for (std::size_t c = 0; c < kNextCases.size(); ++c) {
    const auto& first = plan.sizes.front().regret[c];
    const auto& last = plan.sizes.back().regret[c];
    EXPECT_GE(last.mean, -1e-12);
    EXPECT_LT(last.mean, .5 * first.mean);
    EXPECT_LT(last.mean, .005);
    ASSERT_TRUE(plan.enough[c]);
    EXPECT_LE(*plan.enough[c], 320U);
  }
  // Without an answer the way to choose does not matter.
  EXPECT_EQ(plan.sizes[0].regret[0].mean, plan.sizes[0].regret[1].mean);
}

// Who has answered much already is within the tolerance from the start.
TEST(Onboarding, CountsTheAnswersThatAreThere) {
  const Predictions mix = mix_of(200, Key(3));
  Roster roster = staff_of_three();
  for (std::size_t k = 0; k < 3; ++k)
    roster.profiles[2].observe({.truth = class_id(k), .answer = class_id(k), .count = 400});
  const auto known = OnboardingStaff::around("cy", roster, 3, {});
  EXPECT_EQ(known.colleagues.size(), 2U);
  EXPECT_EQ(known.given[0].answers, 416U);
  EXPECT_EQ(plan_onboarding(mix, known, kQuick).enough[1], 0U);
}

TEST(Onboarding, ProposesCasesThatWereNotAnswered) {
  const Predictions pool = mix_of(60, Key(4));
  const auto staff = OnboardingStaff::around("", staff_of_three(), 3, {});
  const std::unordered_set<std::string> answered = {"x0", "x1", "x2", "x3", "x4", "x5"};
  for (const NextCases choice : kNextCases) {
    const auto rows = next_cases(pool, staff, choice, 12, answered, 7);
    ASSERT_EQ(rows.size(), 12U);
    std::vector<std::size_t> by_class(3, 0);
    for (const std::size_t row : rows) {
      EXPECT_FALSE(answered.contains(pool.case_name(row)));
      ++by_class[index(pool.label(row))];
    }
    EXPECT_EQ(std::unordered_set<std::size_t>(rows.begin(), rows.end()).size(), 12U);
    if (choice == NextCases::kBalanced) {
      // Four of each, as far as the rarest class has them.
      EXPECT_LE(by_class[0], 6U);
      EXPECT_GE(by_class[2], 2U);
    }
  }
  // All there are, and no more.
  EXPECT_EQ(next_cases(pool, staff, NextCases::kBalanced, 1000, answered, 7).size(), 54U);
}

TEST(Onboarding, RefusesWhatCannotBe) {
  const Predictions mix = mix_of(10, Key(5));
  const auto staff = OnboardingStaff::around("", staff_of_three(), 3, {});
  OnboardingOptions options;
  options.tolerance = 0;
  EXPECT_EQ(refusal([&] { plan_onboarding(mix, staff, options); }),
            "tolerance 0: expected more than 0, less than 1");
  options = {};
  options.draws = 0;
  EXPECT_EQ(refusal([&] { plan_onboarding(mix, staff, options); }), "0 draws; expected 1..100000");
  const std::vector<std::string> nobody = {"zoe"};
  EXPECT_EQ(refusal([&] { OnboardingStaff::around("", staff_of_three(), 3, nobody); }),
            "'zoe' is not an expert; expected one of ann, bob, cy");
}

}  // namespace
}  // namespace ifd
