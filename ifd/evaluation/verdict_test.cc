#include "ifd/evaluation/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ifd/policy/given_margins.h"
#include "ifd/random/keyed_random.h"

namespace ifd {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct Scene {
  std::size_t cases = 400;
  double model = .7;       // how often it is right, on the deferred half
  double expert = .9;      // likewise
  double confidence = .7;  // what the model claims
  double margin = .2;      // of the deferred half; the other half has the opposite
};

// One expert, two classes, the truth always the first; half of the cases are deferred.
Evaluation evaluated(const Scene& scene, std::size_t bootstrap = 200) {
  std::vector<std::string> names;
  std::vector<float> probabilities;
  std::vector<double> margins;
  const std::vector<std::string> experts = {"ann"};
  AnswerTable answers(experts, scene.cases);
  const Key key(17);
  for (std::size_t i = 0; i < scene.cases; ++i) {
    names.push_back("c" + std::to_string(i));
    const bool deferred = i % 2 == 0;
    const bool right = key.with("model").uniform(i) < scene.model;
    const auto sure = static_cast<float>(scene.confidence);
    probabilities.insert(probabilities.end(), {right ? sure : 1 - sure, right ? 1 - sure : sure});
    margins.push_back(deferred ? scene.margin : -scene.margin);
    const bool expert_right = key.with("expert").uniform(i) < scene.expert;
    answers.set(case_id(i), expert_id(0), Answer(class_id(expert_right ? 0 : 1)));
  }
  const Predictions cases({.classes = ClassNames({"a", "b"}),
                           .cases = std::move(names),
                           .probabilities = std::move(probabilities),
                           .labels = std::vector<ClassId>(scene.cases, class_id(0)),
                           .features = {}});
  ComparedPolicy policy{"mine", given_margins(margins, 1)};
  policy.expects_gains = true;
  EvaluationOptions options;
  options.bootstrap = bootstrap;
  return evaluate(std::span(&policy, 1), cases, answers, Availability(1), options);
}

TEST(Verdict, FollowsTheIntervalOfTheGain) {
  EXPECT_EQ(verdict_on(evaluated({})).answer, Verdict::Answer::kHelps);
  EXPECT_EQ(verdict_on(evaluated({.expert = .4})).answer, Verdict::Answer::kHurts);
  EXPECT_EQ(verdict_on(evaluated({.cases = 10, .expert = .7})).answer, Verdict::Answer::kNotSure);
  EXPECT_EQ(verdict_on(evaluated({.cases = 2000, .expert = .7})).answer, Verdict::Answer::kNotSure);
  EXPECT_EQ(verdict_on(evaluated({}, 0)).answer, Verdict::Answer::kNotSure);
}

// Margins below 0 everywhere: nobody is asked, and nothing is said of who carries it.
TEST(Verdict, SaysWhenNobodyIsAsked) {
  Evaluation evaluation = evaluated({});
  PolicyEvaluation& policy = evaluation.policies.front();
  policy.at_zero.deferred = 0;
  const Verdict verdict = verdict_on(evaluation);
  EXPECT_EQ(verdict.answer, Verdict::Answer::kNothingDeferred);
  EXPECT_THAT(verdict.sentences, Not(Contains(HasSubstr("ann takes"))));
}

TEST(Verdict, IsAboutAPolicyThatCanBeUsed) {
  Evaluation evaluation = evaluated({});
  evaluation.policies.push_back(evaluation.policies.front());
  evaluation.policies.front().policy = "oracle";
  evaluation.policies.front().is_reference = true;
  EXPECT_EQ(verdict_on(evaluation).policy, "mine");
}

// Expected gains are used at threshold 0; others at the asked budget where they are best.
TEST(Verdict, SpeaksOfWhereThePolicyWouldBeUsed) {
  Evaluation evaluation = evaluated({});
  PolicyEvaluation& policy = evaluation.policies.front();
  ASSERT_GE(policy.at_budgets.size(), 2u);
  EXPECT_EQ(point_of_use(policy).point, &policy.at_zero);
  policy.expects_gains = false;
  policy.at_budgets[1].accuracy = .999;
  EXPECT_EQ(point_of_use(policy).budget, policy.at_budgets[1].budget);
  EXPECT_EQ(point_of_use(policy).point, &policy.at_budgets[1].point);
}

TEST(Verdict, SharesAreOfTheDeferredCases) {
  OperatingPoint point{};
  EXPECT_THAT(shares_of_deferred(point), IsEmpty());
  point.deferred = 4;
  point.deferral_rate = .4;
  point.load = {.3, 0, .1};
  const std::vector<double> shares = shares_of_deferred(point);
  EXPECT_NEAR(shares[0], .75, 1e-12);
  EXPECT_EQ(shares[1], 0);
  EXPECT_NEAR(shares[2], .25, 1e-12);
}

TEST(Verdict, WarnsOfAClassifierThatIsTooSure) {
  EXPECT_THAT(verdict_on(evaluated({.confidence = .7})).warnings, IsEmpty());
  EXPECT_THAT(verdict_on(evaluated({.confidence = .95})).warnings,
              Contains(HasSubstr("overconfident: it claims 95.0 %")));
  EXPECT_THAT(verdict_on(evaluated({.model = .9, .confidence = .6})).warnings,
              Contains(HasSubstr("underconfident")));
  VerdictOptions calibrated;
  calibrated.is_calibrated = true;
  EXPECT_THAT(verdict_on(evaluated({.confidence = .95}), calibrated).warnings,
              Contains(AllOf(HasSubstr("overconfident after calibration: it claims 95.0 %"),
                             Not(HasSubstr("--calibrate")))));
}

TEST(Verdict, WarnsOfBrokenPromisesThatAreNotChance) {
  Evaluation evaluation = evaluated({});
  PolicyEvaluation& policy = evaluation.policies.front();
  policy.promise = Promise{200, .9, .8, {.05, .15}, {}};
  evaluation.answers_per_class = 50;
  EXPECT_THAT(verdict_on(evaluation).warnings, Contains(HasSubstr("other than in the context")));
  evaluation.answers_per_class = 5;
  EXPECT_THAT(verdict_on(evaluation).warnings,
              Contains(HasSubstr("5.0 answers per expert and class")));
  policy.promise->shortfall = {-.01, .21};
  EXPECT_THAT(verdict_on(evaluation).warnings, IsEmpty());
}

// Cases from the largest margin down: the expert is right where the model is wrong on the first two
// of four. 3/4 is reached with one case, 1 with two.
TEST(Verdict, TellsTheBudgetThatReachesATarget) {
  const std::vector<double> margins = {.4, .3, .2, .1};
  const std::vector<CaseOutcome> outcomes = {{kWrongAnswer, kRightAnswer},
                                             {kWrongAnswer, kRightAnswer},
                                             {kRightAnswer, kRightAnswer},
                                             {kRightAnswer, kWrongAnswer}};
  const BudgetCurve curve(margins, outcomes);
  EXPECT_EQ(budget_to_reach(curve, .5), 0);
  EXPECT_EQ(reach_of(curve, .75).budget, .25);
  EXPECT_EQ(reach_of(curve, 1).budget, .5);
  EXPECT_EQ(reach_of(curve, .75).highest, 1);
  EXPECT_EQ(reach_of(curve, .75).highest_at, .5);
  const std::vector<CaseOutcome> hopeless = {{kWrongAnswer, kWrongAnswer},
                                             {kRightAnswer, kRightAnswer},
                                             {kRightAnswer, kRightAnswer},
                                             {kRightAnswer, kRightAnswer}};
  EXPECT_FALSE(reach_of(BudgetCurve(margins, hopeless), 1).budget.has_value());
}

}  // namespace
}  // namespace ifd
