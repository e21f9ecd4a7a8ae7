#include "ifd/router/case_story.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/generated_staff.h"
#include "tests/refusal.h"

namespace ifd {
namespace {

using Answers = AnswerFlip::Answers;

constexpr ClassId kCat{0};
constexpr ClassId kDog{1};

// ann Beta(3,1) on cat, Beta(2,2) on dog; bob Beta(1,3) on cat, Beta(3,1) on dog.
std::vector<ExpertContext> ann_and_bob() {
  return {{"ann", {{"1", kCat, kCat}, {"2", kCat, kCat}, {"3", kDog, kDog}, {"4", kDog, kCat}}},
          {"bob", {{"1", kCat, kDog}, {"2", kCat, kDog}, {"3", kDog, kDog}, {"4", kDog, kDog}}}};
}

Predictions two_cases() {
  return Predictions(
      {ClassNames({"cat", "dog"}), {"sure", "unsure"}, {.75F, .25F, .5625F, .4375F}, {}, {}, 0});
}

// ann's margin on 'unsure' is .5625 x 3/4 + .4375 x 1/2 - .5625 = .078125. After n wrong answers on
// cat it is 1.6875/(4+n) - .34375, below 0 from n = 1 on; on dog .875/(4+n) - .140625, from n = 3.
// bob's is above it once .5625 (1+n)/(4+n) > .3125, from n = 3 on; on dog it stays below .016.
TEST(CaseStory, OfAnExpertByHand) {
  const Predictions cases = two_cases();
  const Router router(cases.classes(), ann_and_bob());
  const CaseStory story = tell_case(router, cases, router.route(cases, Threshold{0}), 1);
  EXPECT_EQ(story.case_name, "unsure");
  EXPECT_EQ(story.beliefs[0].class_id, kCat);
  EXPECT_EQ(story.beliefs[0].probability, .5625);
  EXPECT_EQ(story.matter, 2U);
  EXPECT_EQ(story.taker, (Taker{"ann", .078125}));
  ASSERT_EQ(story.candidates.size(), 2U);
  EXPECT_EQ(story.candidates[0].name, "ann");
  EXPECT_EQ(story.candidates[0].expected_accuracy, .640625);
  EXPECT_EQ(story.candidates[0].known[0].correct(), 2U);
  EXPECT_EQ(story.candidates[1].margin, -.09375);
  EXPECT_EQ(story.as_urgent, 1U);
  EXPECT_EQ(story.without_best, (Taker{{}, -.09375}));

  ASSERT_EQ(story.answers.size(), 4U);
  EXPECT_EQ(story.answers[0].expert, "ann");
  EXPECT_EQ(story.answers[0].truth, kCat);
  EXPECT_EQ(story.answers[0].answers, Answers::kWrong);
  EXPECT_EQ(story.answers[0].count, 1U);
  EXPECT_EQ(story.answers[0].then.expert, std::nullopt);
  EXPECT_EQ(story.answers[1].count, 3U);
  EXPECT_EQ(story.answers[2].expert, "bob");
  EXPECT_EQ(story.answers[2].answers, Answers::kRight);
  EXPECT_EQ(story.answers[2].count, 3U);
  EXPECT_EQ(story.answers[2].then.expert, "bob");
  EXPECT_EQ(story.answers[3].count, std::nullopt);
}

// ann's margin on 'sure' is -.0625; .75 (3+n)/(4+n) + .125 reaches .76 from n = 3 on, and
// .5625 + .25 (2+n)/(4+n) from n = 6 on.
TEST(CaseStory, OfTheModelByHand) {
  const Predictions cases = two_cases();
  const Router router(cases.classes(), ann_and_bob());
  const CaseStory story = tell_case(router, cases, router.route(cases, Threshold{.01}), 0);
  EXPECT_EQ(story.taker, (Taker{{}, -.0625}));
  EXPECT_EQ(story.as_urgent, 2U);
  ASSERT_EQ(story.answers.size(), 2U);
  EXPECT_EQ(story.answers[0].answers, Answers::kRight);
  EXPECT_EQ(story.answers[0].count, 3U);
  EXPECT_EQ(story.answers[0].then.expert, "ann");
  EXPECT_EQ(story.answers[1].count, 6U);
}

TEST(CaseStory, TellsOfWhoIsOffDuty) {
  const Predictions cases = two_cases();
  Router router(cases.classes(), ann_and_bob());
  router.set_on_duty("ann", false);
  const CaseStory story = tell_case(router, cases, router.route(cases, Threshold{-1}), 1);
  EXPECT_EQ(story.taker.expert, "bob");
  ASSERT_TRUE(story.better_off_duty);
  EXPECT_EQ(story.better_off_duty->name, "ann");
  EXPECT_EQ(story.with_better_on_duty, (Taker{"ann", .078125}));
  router.set_on_duty("bob", false);
  const CaseStory alone = tell_case(router, cases, router.route(cases, Threshold{-1}), 1);
  EXPECT_EQ(alone.taker.expert, std::nullopt);
  EXPECT_TRUE(alone.candidates.empty());
  EXPECT_TRUE(alone.answers.empty());
  EXPECT_EQ(alone.without_best, std::nullopt);
  EXPECT_EQ(alone.with_better_on_duty, (Taker{"ann", .078125}));
  EXPECT_EQ(alone.as_urgent, 0U);
}

// Four experts of whom nothing is known have one margin; told of two, two are as good.
TEST(CaseStory, CountsWhoIsAsGoodAsTheLastWhoIsToldOf) {
  const Predictions cases = two_cases();
  std::vector<ExpertContext> contexts = ann_and_bob();
  for (const char* name : {"cy", "di", "ed", "flo"}) contexts.push_back({name, {}});
  const Router router(cases.classes(), std::move(contexts));
  StoryOptions options;
  options.most_candidates = 3;
  const CaseStory story = tell_case(router, cases, router.route(cases, Threshold{0}), 1, options);
  EXPECT_EQ(story.candidates[0].name, "ann");
  EXPECT_EQ(story.on_duty, 6U);
  EXPECT_EQ(story.as_good, 2U);
  EXPECT_EQ(story.with_better_on_duty, std::nullopt);
}

// Who takes the case in a router that was made with those answers from the start.
std::optional<std::string> taker_after(const GeneratedStaff& staff, const RouterOptions& options,
                                       const AnswerFlip& flip, std::size_t count, std::size_t row,
                                       double threshold) {
  std::vector<ExpertContext> contexts = staff.contexts;
  for (ExpertContext& context : contexts) {
    if (context.expert != flip.expert) continue;
    for (std::size_t i = 0; i < count; ++i) {
      const Answer answer =
          flip.answers == Answers::kRight ? Answer(flip.truth) : Answer::outside();
      context.rows.push_back({"next " + std::to_string(i), flip.truth, answer});
    }
  }
  const Router router(staff.cases.classes(), std::move(contexts), options);
  const Routes routes = router.route(staff.cases, Threshold{threshold});
  if (routes[row].decision() == Decision::kModel) return {};
  return routes.expert_name(routes[row]);
}

// As many answers as it says flip the case, to whom it says, and none fewer; under policies of
// every kind of margin.
TEST(CaseStory, FlipsAreWhatARouterWithThoseAnswersDoes) {
  constexpr std::size_t kMost = 6;
  std::size_t found = 0;
  for (const char* policy : {"plug-in", "peak-rule", "confidence"}) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      SCOPED_TRACE(testing::Message() << policy << ", seed " << seed);
      const GeneratedStaff staff = generated_staff(seed, 4, 3, 12, 8);
      RouterOptions options;
      options.policy = policy;
      const Router router(staff.cases.classes(), staff.contexts, options);
      const Routes routes = router.route(staff.cases, Budget{.5, kFillBudget});
      const std::size_t row = seed % staff.cases.size();
      StoryOptions limits;
      limits.most_answers = kMost;
      const CaseStory story = tell_case(router, staff.cases, routes, row, limits);
      if (!std::isfinite(story.threshold)) continue;
      for (const AnswerFlip& flip : story.answers) {
        for (std::size_t count = 1; count <= flip.count.value_or(kMost); ++count) {
          const auto taker = taker_after(staff, options, flip, count, row, story.threshold);
          const bool flips = flip.count == count;
          EXPECT_EQ(taker, flips ? flip.then.expert : story.taker.expert) << count << " answers";
          found += flips ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(found, 10U);
}

TEST(CaseStory, LeavesTheRouterAsItWas) {
  const GeneratedStaff staff = generated_staff(3, 4, 3, 12, 8);
  const Router router(staff.cases.classes(), staff.contexts);
  const RosterState before = router.roster_state();
  tell_case(router, staff.cases, router.route(staff.cases, Threshold{0}), 2);
  EXPECT_EQ(router.roster_state(), before);
}

TEST(CaseStory, NeedsAThreshold) {
  const Predictions cases = two_cases();
  const Router router(cases.classes(), ann_and_bob());
  const Routes assigned = router.route(cases, Capacities{{{"ann", 1}}, Budget{1}});
  EXPECT_EQ(refusal([&] { tell_case(router, cases, assigned, 0); }),
            "a case is told by routes of all its cases under a threshold or a budget");
}

}  // namespace
}  // namespace ifd
