// A router whose mistakes cost something: routes, explanations, evaluations, in money.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ifd/decision/expected_costs.h"
#include "ifd/evaluation/shown_measure.h"
#include "ifd/evaluation/verdict.h"
#include "ifd/router.h"
#include "ifd/router/case_story.h"
#include "ifd/router/case_words.h"
#include "ifd/router/evaluation_document.h"
#include "tests/generated_staff.h"
#include "tests/refusal.h"

namespace ifd {
namespace {

using testing::HasSubstr;

constexpr std::size_t kClassCount = 4;

// Any cost for each mistake; fees for two of the experts.
std::shared_ptr<const Costs> drawn_costs(const ClassNames& classes, std::uint64_t seed) {
  std::vector<double> table;
  const std::size_t k = classes.size();
  for (std::size_t i = 0; i < k * k; ++i) {
    table.push_back(i / k == i % k ? 0 : static_cast<double>(1 + Key(seed).below(20, i)));
  }
  return std::make_shared<const Costs>(classes, table, Fees{{"expert 0", .5}, {"expert 1", .125}},
                                       "EUR");
}

std::shared_ptr<const Costs> even_costs(const ClassNames& classes, double cost) {
  const std::size_t k = classes.size();
  std::vector<double> table(k * k, cost);
  for (std::size_t i = 0; i < k; ++i) table[i * k + i] = 0;
  return std::make_shared<const Costs>(classes, table);
}

AnswerTable drawn_answers(const Router& router, const Predictions& cases, std::uint64_t seed) {
  AnswerTable answers(router.experts(), cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    for (std::size_t j = 0; j < answers.experts(); ++j) {
      const Key here = Key(seed).with("answer").with(i).with(j);
      answers.set(case_id(i), expert_id(j),
                  here.uniform() < .1   ? Answer::outside()
                  : here.uniform() < .7 ? Answer(cases.label(i))
                                        : Answer(class_id(here.below(kClassCount, 3))));
    }
  }
  return answers;
}

// The case in money: what is paid under this route.
double paid(const Route& route, ClassId label, std::size_t row, const Predictions& cases,
            const AnswerTable& answers, const Costs& costs) {
  const ClassId truth = cases.label(row);
  if (route.decision() == Decision::kModel) return costs.at(truth, label);
  return costs.of(answers.at(case_id(row), route.expert), truth) +
         costs.fee(answers.expert_names()[index(route.expert)]);
}

// A constant off-diagonal cost and no fees decide as no costs do, with so many times the
// margin.
TEST(RouterCosts, EvenCostsRouteAsNone) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const GeneratedStaff staff = generated_staff(seed, 5, kClassCount, 12, 200);
    const Router plain(staff.cases.classes(), staff.contexts);
    for (const double cost : {1.0, 8.0}) {
      RouterOptions options;
      options.costs = even_costs(staff.cases.classes(), cost);
      const Router costly(staff.cases.classes(), staff.contexts, options);
      for (const double share : {.1, .4, 1.0}) {
        const Routes expected = plain.route(staff.cases, Budget{share});
        const Routes routes = costly.route(staff.cases, Budget{share});
        for (std::size_t i = 0; i < routes.size(); ++i) {
          ASSERT_EQ(routes[i].expert, expected[i].expert);
          ASSERT_EQ(routes[i].margin, cost * expected[i].margin);
          ASSERT_EQ(routes.prediction(i), expected.prediction(i));
        }
      }
    }
  }
}

// Without fees an even cost is paid for every wrong answer, and for nothing else.
TEST(RouterCosts, EvenCostsAreSoManyTimesTheErrors) {
  const GeneratedStaff staff = generated_staff(3, 4, kClassCount, 12, 300);
  const Router plain(staff.cases.classes(), staff.contexts);
  RouterOptions options;
  options.costs = even_costs(staff.cases.classes(), 8);
  const Router costly(staff.cases.classes(), staff.contexts, options);
  const AnswerTable answers = drawn_answers(plain, staff.cases, 3);
  RouterEvaluationOptions asked;
  asked.measures.bootstrap = 100;
  const Evaluation errors = plain.evaluate(staff.cases, answers, asked);
  const Evaluation costs = costly.evaluate(staff.cases, answers, asked);
  const ShownMeasure shown(costs);
  const PolicyEvaluation &a = errors.policies[0], &b = costs.policies[0];
  EXPECT_NEAR(shown.value(b.aursac), 8 * (1 - a.aursac), 1e-6);
  EXPECT_NEAR(shown.value(b.at_zero.system_accuracy), 8 * (1 - a.at_zero.system_accuracy), 1e-6);
  const Estimate cost = shown.value(b.at_budgets[1].estimate->accuracy);
  const Estimate accuracy = a.at_budgets[1].estimate->accuracy;
  EXPECT_NEAR(cost.interval.low, 8 * (1 - accuracy.interval.high), 1e-6);
  EXPECT_NEAR(cost.interval.high, 8 * (1 - accuracy.interval.low), 1e-6);
  EXPECT_LT(cost.interval.low, cost.interval.high);
  const Estimate saving = shown.gain(b.at_budgets[1].estimate->gain);
  EXPECT_NEAR(saving.value, 8 * a.at_budgets[1].estimate->gain.value, 1e-6);
  EXPECT_EQ(b.promise->realised, a.promise->realised);
}

// An evaluation's costs are the means of what the routes of the same router pay.
TEST(RouterCosts, AnEvaluationPaysWhatTheRoutesPay) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const GeneratedStaff staff = generated_staff(seed, 4, kClassCount, 20, 120);
    RouterOptions options;
    options.costs = drawn_costs(staff.cases.classes(), seed);
    const Router router(staff.cases.classes(), staff.contexts, options);
    const AnswerTable answers = drawn_answers(router, staff.cases, seed);
    const auto mean_paid = [&](const Routes& routes) {
      double sum = 0;
      for (std::size_t i = 0; i < routes.size(); ++i) {
        sum += paid(routes[i], routes.prediction(i), i, staff.cases, answers, *options.costs);
      }
      return sum / static_cast<double>(routes.size());
    };
    RouterEvaluationOptions asked;
    asked.measures.bootstrap = 0;
    asked.measures.threshold = .5;
    const std::map<std::string, std::size_t> most = {{"expert 0", 9}, {"expert 2", 4}};
    for (const bool limited : {false, true}) {
      if (limited) asked.measures.capacities = most;
      const auto rule = [&](auto within) {
        return limited ? DeferralRule(Capacities{most, within}) : DeferralRule(within);
      };
      const Evaluation result = router.evaluate(staff.cases, answers, asked);
      const ShownMeasure shown(result);
      const PolicyEvaluation& policy = result.policies[0];
      EXPECT_NEAR(shown.value(policy.at_zero.system_accuracy),
                  mean_paid(router.route(staff.cases, rule(Threshold{0}))), 1e-6);
      EXPECT_NEAR(shown.value(policy.at_threshold->point.system_accuracy),
                  mean_paid(router.route(staff.cases, rule(Threshold{.5}))), 1e-6);
      for (const BudgetPoint& at : policy.at_budgets) {
        EXPECT_NEAR(shown.value(at.point.system_accuracy),
                    mean_paid(router.route(staff.cases, rule(Budget{at.budget}))), 1e-6);
      }
      const Routes nobody = router.route(staff.cases, Budget{0});
      EXPECT_NEAR(shown.value(model_share(result, policy)), mean_paid(nobody), 1e-6);
    }
  }
}

// What the policy that is blind to costs does is what a router without costs does, paid for.
TEST(RouterCosts, TheBlindPayForWhatTheyDo) {
  const GeneratedStaff staff = generated_staff(11, 4, kClassCount, 20, 300);
  RouterOptions options;
  options.costs = drawn_costs(staff.cases.classes(), 11);
  const Router router(staff.cases.classes(), staff.contexts, options);
  const Router blind(staff.cases.classes(), staff.contexts);
  const AnswerTable answers = drawn_answers(router, staff.cases, 11);
  RouterEvaluationOptions asked;
  asked.policies = {"plug-in", std::string(kCostBlind), "oracle"};
  asked.measures.bootstrap = 0;
  const Evaluation result = router.evaluate(staff.cases, answers, asked);
  const ShownMeasure shown(result);
  const Routes routes = blind.route(staff.cases, Threshold{0});
  double sum = 0;
  std::vector<double> by_truth(kClassCount, 0.0);
  for (std::size_t i = 0; i < routes.size(); ++i) {
    const double cost =
        paid(routes[i], routes.prediction(i), i, staff.cases, answers, *options.costs);
    sum += cost;
    by_truth[index(staff.cases.label(i))] += cost;
  }
  EXPECT_NEAR(shown.value(result.policies[1].at_zero.system_accuracy),
              sum / static_cast<double>(routes.size()), 1e-6);
  for (std::size_t y = 0; y < kClassCount; ++y) {
    EXPECT_NEAR(result.policies[1].by_truth[y].cost, by_truth[y], 1e-9);
  }
  // Nobody pays less than who knows what everything costs.
  EXPECT_LT(shown.value(result.policies[2].at_zero.system_accuracy),
            shown.value(result.policies[0].at_zero.system_accuracy));
  EXPECT_TRUE(result.policies[2].is_reference);
  EXPECT_EQ(refusal_kind([&] {
              RouterEvaluationOptions other;
              other.policies = {"confidence"};
              router.evaluate(staff.cases, answers, other);
            }),
            ErrorKind::kConflict);
}

// The answer of the model is the cheapest label, in routes and explanations alike.
TEST(RouterCosts, TheModelAnswersWhatIsExpectedToCostLeast) {
  const GeneratedStaff staff = generated_staff(5, 3, kClassCount, 9, 100);
  RouterOptions options;
  options.costs = drawn_costs(staff.cases.classes(), 5);
  const Router router(staff.cases.classes(), staff.contexts, options);
  const Routes routes = router.route(staff.cases, Threshold{0});
  const ExpectedCosts expected(options.costs);
  ExpectedCosts::Scratch scratch;
  std::size_t changed = 0;
  for (std::size_t i = 0; i < routes.size(); ++i) {
    const auto answer = expected.model_answer(staff.cases.probabilities(i), scratch);
    EXPECT_EQ(routes.prediction(i), answer.label);
    changed += answer.label != top_class(staff.cases.probabilities(i)) ? 1 : 0;
    const Explanation why = router.explain(staff.cases, i);
    EXPECT_EQ(why.prediction, answer.label);
    EXPECT_EQ(why.prediction_cost, answer.cost);
    EXPECT_EQ(why.experts[index(*why.best)].margin, routes[i].margin);
  }
  EXPECT_GT(changed, 10u);
}

TEST(RouterCosts, AreToldInWords) {
  const ClassNames classes({"mel", "nevus"});
  const Predictions cases({classes, {"spot"}, {.125F, .875F}, {}, {}, 0});
  RouterOptions options;
  options.costs = std::make_shared<const Costs>(classes, std::vector<double>{0, 50, 1, 0},
                                                Fees{{"ann", .25}}, "EUR");
  const Router router(classes, {{"ann", {}}}, options);
  const Routes routes = router.route(cases, Threshold{0});
  const CaseStory story = tell_case(router, cases, routes, 0);
  const CaseWording wording{classes, "plug-in", true, {}, {}, 1, 50};
  EXPECT_EQ(model_sentence(story, classes),
            "Model: nevus 88 %, mel 12 %. It answers mel, which is expected to cost least: 0.88 "
            "EUR.");
  // Half of both: .125 * .5 * 50 + .875 * .5 + .25.
  EXPECT_THAT(reason_sentence(story, wording),
              HasSubstr("so asking ann is expected to cost 3.81 EUR with the fee of 0.25, the "
                        "model's answer 0.88 EUR. The margin -2.9375 is below the threshold 0"));
}

TEST(RouterCosts, RefusesWhatDoesNotFit) {
  const GeneratedStaff staff = generated_staff(1, 2, kClassCount, 3);
  const auto made = [&](std::shared_ptr<const Costs> costs, std::string policy = "plug-in") {
    return refusal([&] {
      RouterOptions options;
      options.costs = std::move(costs);
      options.policy = std::move(policy);
      Router(staff.cases.classes(), staff.contexts, options);
    });
  };
  EXPECT_THAT(made(even_costs(ClassNames({"a", "b"}), 1)), HasSubstr("the costs: the classes are"));
  EXPECT_THAT(made(even_costs(staff.cases.classes(), 1), "peak-rule"), HasSubstr("knows no costs"));
  const std::vector<double> table(16, 0);
  std::vector<double> some = table;
  some[1] = 1;
  EXPECT_THAT(made(std::make_shared<const Costs>(staff.cases.classes(), some, Fees{{"zoe", 1}})),
              HasSubstr("'zoe' is not an expert"));
}

// The unit and the words of a document; what is no cost keeps its name.
TEST(RouterCosts, DocumentsSpeakOfCosts) {
  const GeneratedStaff staff = generated_staff(7, 3, kClassCount, 20, 80);
  RouterOptions options;
  options.costs = drawn_costs(staff.cases.classes(), 7);
  const Router router(staff.cases.classes(), staff.contexts, options);
  const AnswerTable answers = drawn_answers(router, staff.cases, 7);
  RouterEvaluationOptions asked;
  asked.measures.bootstrap = 50;
  const Evaluation result = router.evaluate(staff.cases, answers, asked);
  const Verdict verdict = verdict_on(result);
  EXPECT_THAT(verdict.sentences[0], HasSubstr("the cost per case goes from "));
  EXPECT_THAT(verdict.sentences[0], HasSubstr(" EUR "));
  const std::string json = evaluation_json(result, verdict, asked.measures, router);
  for (const char* key : {"\"mean_cost\"", "\"model_cost\"", "\"cost_interval\"",
                          "\"saving_interval\"", "\"unit\": \"EUR\"", "\"by_truth\""}) {
    EXPECT_THAT(json, HasSubstr(key));
  }
  EXPECT_EQ(json.find("aursac"), std::string::npos);
  EXPECT_THAT(evaluation_csv(result, verdict, CsvText::kExact),
              HasSubstr("policy,cases,model_cost,mean_cost,mean_cost_low"));
  EXPECT_THAT(curves_csv(result, CsvText::kExact),
              HasSubstr("policy,budget,system_cost,expert_cost\n"));
  EXPECT_EQ(refusal_kind([&] { verdict_on(result, {false, .9}); }), ErrorKind::kConflict);
}

}  // namespace
}  // namespace ifd
