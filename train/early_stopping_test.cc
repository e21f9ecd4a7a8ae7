#include "train/early_stopping.h"

#include <gtest/gtest.h>

#include "ifd/evaluation/budget_curve.h"
#include "ifd/evaluation/replay.h"
#include "ifd/policy/given_margins.h"
#include "ifd/random/keyed_random.h"
#include "tests/refusal.h"

namespace ifd::train {
namespace {

TEST(EarlyStopping, StopsAfterPatienceScoresThatAreNotBetter) {
  EarlyStopping stopping(2);
  EXPECT_TRUE(stopping.improves(.5));
  EXPECT_FALSE(stopping.improves(.5));
  EXPECT_FALSE(stopping.exhausted());
  EXPECT_TRUE(stopping.improves(.6));
  EXPECT_FALSE(stopping.improves(.4));
  EXPECT_FALSE(stopping.exhausted());
  EXPECT_FALSE(stopping.improves(.59));
  EXPECT_TRUE(stopping.exhausted());
  EXPECT_EQ(stopping.best(), .6);
}

// Where every chance is 0 or 1, the expected area is the area.
TEST(ExpectedAursac, IsTheBudgetCurveOfKnownOutcomes) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key(seed);
    const std::size_t n = 1 + key.below(30);
    std::vector<double> margins, model, expert;
    std::vector<CaseOutcome> outcomes;
    for (std::size_t i = 0; i < n; ++i) {
      margins.push_back(static_cast<double>(key.with("margin").below(8, i)));  // with ties
      model.push_back(static_cast<double>(key.with("model").below(2, i)));
      expert.push_back(static_cast<double>(key.with("expert").below(2, i)));
      outcomes.push_back({credit_of(model.back()), credit_of(expert.back())});
    }
    EXPECT_NEAR(expected_aursac(margins, model, expert), BudgetCurve(margins, outcomes).aursac(),
                1e-12);
  }
}

Predictions two_cases() {
  Predictions::Parts parts{ClassNames({"x", "y"}), {"a", "b"}, {.9F, .1F, .6F, .4F}, {}, {}, 0};
  parts.labels = {class_id(0), class_id(1)};
  return Predictions(std::move(parts));
}

// By hand: the model is right on a only. Deferring b first gains the expert's chance on class y.
// SysAcc(0) = 1/2, SysAcc(1/2) = (1 + mu_y) / 2, SysAcc(1) = (mu_x + mu_y) / 2.
TEST(Validation, ContextOnlyScoreUsesPosteriorMeans) {
  ExpertProfile profile(2);
  profile.observe({.truth = class_id(1), .answer = class_id(1)});
  profile.observe({.truth = class_id(1), .answer = class_id(1)});  // mu = (1/2, 3/4)
  const std::vector<std::string> names = {"ann"};
  const auto validation = Validation::from_profiles(two_cases(), names, {{profile}}, "v.npz");
  EXPECT_FALSE(validation.knows_answers());
  EXPECT_EQ(validation.answers(), 0u);
  const double expected = (.5 + .875) / 2 / 2 + (.875 + .625) / 2 / 2;
  EXPECT_NEAR(validation.aursac(std::vector<double>{-.5, .1}, 0), expected, 1e-15);
}

TEST(Validation, AnswersScoreWhatHappened) {
  AnswerTable answers({"ann", "bob"}, 2);
  answers.set(case_id(0), expert_id(0), class_id(1));
  answers.set(case_id(1), expert_id(0), class_id(1));
  answers.set(case_id(0), expert_id(1), class_id(0));
  answers.set(case_id(1), expert_id(1), class_id(0));
  const auto validation = Validation::from_answers(two_cases(), answers, "v.npz");
  EXPECT_TRUE(validation.knows_answers());
  EXPECT_EQ(validation.answers(), 4u);
  // b to ann (right), then a to bob (right): SysAcc 1/2, 1, 1.
  EXPECT_NEAR(validation.aursac(std::vector<double>{-.3, -.2, .4, .1}, 0), (.75 + 1) / 2, 1e-15);
}

// As in a replay of the same answers: who has none does not compete, and a case without any is
// never deferred.
TEST(Validation, WhoDidNotAnswerDoesNotCompete) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key(seed);
    constexpr std::size_t kCases = 20, kExperts = 3;
    Predictions::Parts parts{ClassNames({"x", "y"}), {}, {}, {}, {}, 0};
    AnswerTable answers({"ann", "bob", "eve"}, kCases);
    std::vector<double> margins;
    std::size_t given = 0;
    for (std::size_t i = 0; i < kCases; ++i) {
      parts.cases.push_back("case " + std::to_string(i));
      parts.labels.push_back(class_id(key.with("label").below(2, i)));
      const auto p = static_cast<float>(key.with("p").uniform(i));
      parts.probabilities.insert(parts.probabilities.end(), {p, 1 - p});
      for (std::size_t j = 0; j < kExperts; ++j) {
        margins.push_back(static_cast<double>(key.with("margin").below(9, i * kExperts + j)) - 4);
        if (key.with("missing").uniform(i * kExperts + j) < .6) continue;
        ++given;
        answers.set(case_id(i), expert_id(j),
                    class_id(key.with("said").below(2, i * kExperts + j)));
      }
    }
    const Predictions cases(std::move(parts));
    const auto validation = Validation::from_answers(cases, answers, "v.npz");
    EXPECT_EQ(validation.answers(), given);
    const Replay replayed =
        replay(*given_margins(margins, kExperts), cases, answers, ScoringOptions{seed, 1, {}});
    EXPECT_NEAR(validation.aursac(margins, seed), replayed.curve().aursac(), 1e-12);
  }
}

TEST(Validation, NeedsLabels) {
  Predictions::Parts parts{ClassNames({"x", "y"}), {"a"}, {.9F, .1F}, {}, {}, 0};
  const Predictions unlabelled(std::move(parts));
  EXPECT_EQ(refusal([&] { Validation::from_profiles(unlabelled, {}, {}, "v.npz"); }),
            "v.npz: no labels; expected them to validate on");
}

}  // namespace
}  // namespace ifd::train
