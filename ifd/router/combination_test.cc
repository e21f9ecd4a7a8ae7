#include "ifd/router/combination.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ifd/decision/combined_answer.h"
#include "ifd/decision/expected_saving.h"
#include "ifd/decision/label_change.h"
#include "ifd/decision/value_of_information.h"
#include "ifd/evaluation/combined_replay.h"
#include "ifd/evaluation/shown_measure.h"
#include "ifd/router.h"
#include "ifd/router/case_losses.h"
#include "ifd/router/combination_document.h"
#include "ifd/router/second_opinion.h"
#include "tests/generated_staff.h"
#include "tests/refusal.h"

namespace ifd {
namespace {

using testing::HasSubstr;

Router combining(const GeneratedStaff& staff, std::uint64_t seed = 0) {
  return Router(staff.cases.classes(), staff.contexts,
                {.seed = seed, .answer = AnswerUse::kCombined});
}

// Everybody answers everything; some answers are outside the classes.
AnswerTable answers_to(const GeneratedStaff& staff, const Key& key) {
  std::vector<std::string> names;
  for (const ExpertContext& context : staff.contexts) names.push_back(context.expert);
  AnswerTable answers(names, staff.cases.size());
  const std::size_t classes = staff.cases.classes().size();
  for (std::size_t i = 0; i < answers.cases(); ++i) {
    for (std::size_t j = 0; j < answers.experts(); ++j) {
      const Key here = key.with(i).with(j);
      const double luck = here.uniform();
      answers.set(case_id(i), expert_id(j),
                  luck < .7    ? Answer(staff.cases.label(i))
                  : luck < .75 ? Answer::outside()
                               : Answer(class_id(here.below(classes, 1))));
    }
  }
  return answers;
}

// A budget is capped by what an answer can change, not by the sign of the margin: whoever is asked
// could change the label, and a budget of everything asks on every case where the winner could.
TEST(Combination, ABudgetIsCappedByTheValueOfInformation) {
  std::size_t asked = 0, kept = 0, below_zero = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const GeneratedStaff staff = generated_staff(seed, 4, 3, 12);
    const Router router = combining(staff, seed);
    const Router plain(staff.cases.classes(), staff.contexts, {.seed = seed});
    const MarginTable winners = plain.best(staff.cases);
    const Routes routes = router.route(staff.cases, Budget{1});
    EXPECT_FALSE(routes.least_margin().has_value());
    for (std::size_t i = 0; i < routes.size(); ++i) {
      const ExpertProfile profile = router.profile(router.experts()[index(winners.expert[i])]);
      const bool worth = can_change_label(staff.cases.probabilities(i), profile.means());
      EXPECT_EQ(routes[i].decision() == Decision::kExpert, worth);
      if (worth) {
        EXPECT_EQ(routes[i].expert, winners.expert[i]);
      }
      (worth ? asked : kept) += 1;
      below_zero += worth && winners.margin[i] < 0 ? 1 : 0;
    }
    // Within capacities too nobody is asked in vain.
    const Routes few = router.route(staff.cases, Capacities{{{"expert 0", 3}}, Budget{1}});
    for (std::size_t i = 0; i < few.size(); ++i) {
      if (few[i].decision() == Decision::kModel) continue;
      const ExpertProfile profile = router.profile(few.expert_name(few[i]));
      EXPECT_TRUE(can_change_label(staff.cases.probabilities(i), profile.means()));
    }
  }
  EXPECT_GT(asked, 100u);
  EXPECT_GT(kept, 100u);
  EXPECT_GT(below_zero, 10u);
}

// Both ways side by side; what is told of combined answers is what combining each asked expert's
// answer by hand gives, at full budget and within capacities.
TEST(Combination, IsEvaluatedBesideFinalAnswers) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const GeneratedStaff staff = generated_staff(seed, 4, 3, 12);
    const AnswerTable answers = answers_to(staff, Key(seed));
    const Router router = combining(staff, seed);
    RouterEvaluationOptions options;
    options.policies = {"plug-in", "oracle", "random"};
    options.measures.bootstrap = 20;
    const Evaluation both = router.evaluate(staff.cases, answers, options);
    ASSERT_EQ(both.policies.size(), 5u);
    EXPECT_EQ(both.policies[1].policy, "plug-in, combined");
    EXPECT_EQ(both.policies[2].policy, "oracle");
    EXPECT_EQ(both.policies[4].policy, "random, combined");
    ASSERT_TRUE(both.policies[1].difference.has_value());

    const Router plain(staff.cases.classes(), staff.contexts, {.seed = seed});
    const Evaluation alone = plain.evaluate(staff.cases, answers, options);
    EXPECT_EQ(both.policies[0].aursac, alone.policies[0].aursac);
    EXPECT_EQ(both.policies[0].at_zero.deferred, alone.policies[0].at_zero.deferred);

    for (const bool limited : {false, true}) {
      const std::map<std::string, std::size_t> most = {{"expert 0", 2}, {"expert 1", 5}};
      if (limited) options.measures.capacities = most;
      const Evaluation measured = router.evaluate(staff.cases, answers, options);
      const Routes routes = limited ? router.route(staff.cases, Capacities{most, Budget{1}})
                                    : router.route(staff.cases, Budget{1});
      double right = 0;
      for (std::size_t i = 0; i < routes.size(); ++i) {
        if (routes[i].decision() == Decision::kModel) {
          right += routes.prediction(i) == staff.cases.label(i) ? 1 : 0;
        } else {
          right += share(combined_credit(staff.cases, i, answers.at(case_id(i), routes[i].expert),
                                         router.profile(routes.expert_name(routes[i]))));
        }
      }
      EXPECT_NEAR(measured.policies[1].at_zero.system_accuracy,
                  right / static_cast<double>(routes.size()), 1e-12);
    }
  }
}

// Labels that nothing tells apart share the credit: the average over the labels that could be
// written. Two classes, an even model, an expert of whom nothing is known.
TEST(Combination, TiedLabelsShareTheCredit) {
  const Predictions cases({.classes = ClassNames({"a", "b", "c"}),
                           .cases = {"x"},
                           .probabilities = {.25F, .375F, .375F},
                           .labels = {class_id(2)},
                           .features = {}});
  const ExpertProfile unknown(3);
  // After "a" the classes b and c read the same numbers, .375 * .25 = .09375 < .25 * .5: a.
  EXPECT_EQ(combined_credit(cases, 0, Answer(class_id(0)), unknown), kWrongAnswer);
  EXPECT_EQ(combined_credit(cases, 0, Answer(class_id(2)), unknown), kRightAnswer);
  // .25 * .25 against twice .375 * .375, with a sceptical prior: b and c are level.
  const ExpertProfile poor(std::vector<BetaPrior>(3, {1, 3}));
  EXPECT_EQ(combined_credit(cases, 0, Answer(class_id(0)), poor), shared_credit(2));
  EXPECT_EQ(combined_credit(cases, 0, Answer::outside(), poor), kWrongAnswer);
}

// Somebody perfect: the combined label is their word wherever the model leaves any doubt, so both
// ways come to the same.
TEST(Combination, OfWhoNeverErrsIsFinal) {
  const GeneratedStaff staff = generated_staff(3, 2, 3, 0);
  RosterState state(staff.cases.classes());
  state.add("sure", std::vector<BetaPrior>(3, {1e12, 1e-6}));
  const Router router(std::move(state), {.answer = AnswerUse::kCombined});
  AnswerTable answers({"sure"}, staff.cases.size());
  for (std::size_t i = 0; i < staff.cases.size(); ++i) {
    answers.set(case_id(i), expert_id(0), Answer(class_id(i % 3)));
  }
  const Combination made = router.combine(staff.cases, answers);
  for (std::size_t i = 0; i < staff.cases.size(); ++i) {
    if (staff.cases.probabilities(i)[i % 3] == 0) continue;
    EXPECT_EQ(made.cases[i].label, class_id(i % 3));
    EXPECT_EQ(made.cases[i].second.advice, Advice::kSettled);
  }
}

TEST(Combination, TellsWhoSaidWhatAndWhoShouldLook) {
  const ClassNames classes({"cat", "dog"});
  std::vector<ExpertContext> contexts = {{"ann", {}}, {"bob", {}}};
  for (int i = 0; i < 20; ++i) {
    const std::string name = "p" + std::to_string(i);
    const ClassId truth = class_id(i % 2 == 0 ? 0 : 1), other = class_id(i % 2 == 0 ? 1 : 0);
    const bool ann_is_right = i % 2 == 0 ? i % 4 == 0 : i > 3;
    contexts[0].rows.push_back({name, truth, Answer(ann_is_right ? truth : other)});
    contexts[1].rows.push_back({name, truth, Answer(truth)});
  }
  const Predictions cases({.classes = classes,
                           .cases = {"x", "y", "z"},
                           .probabilities = {.5F, .5F, .95F, .05F, .6F, .4F},
                           .labels = {},
                           .features = {}});
  AnswerTable answers({"bob", "ann"}, 3);
  answers.set(case_id(0), expert_id(1), Answer(class_id(1)));  // ann, who knows little
  answers.set(case_id(2), expert_id(0), Answer(class_id(1)));
  answers.set(case_id(2), expert_id(1), Answer::outside());
  Router router(classes, contexts, {.answer = AnswerUse::kCombined});
  const Combination made = router.combine(cases, answers);
  EXPECT_EQ(made.shared.cases, 20u);
  ASSERT_EQ(made.cases.size(), 3u);
  EXPECT_EQ(made.cases[0].label, class_id(1));
  EXPECT_EQ(made.cases[0].second.advice, Advice::kSecondReader);
  EXPECT_EQ(made.cases[0].second.reader, expert_id(1));  // bob, by the roster's order
  EXPECT_EQ(made.cases[1].second.advice, Advice::kSettled);
  EXPECT_TRUE(made.cases[1].given.empty());
  EXPECT_EQ(made.cases[1].label, made.cases[1].prediction);
  EXPECT_EQ(made.cases[2].label, class_id(1));
  EXPECT_THAT(combination_csv(cases, made, CsvText::kExact), HasSubstr("bob: dog; ann: (outside)"));
  EXPECT_THAT(weighing_of(made), HasSubstr("1 cases have several answers"));

  // Without bob nobody is good enough for x.
  router.set_on_duty("bob", false);
  EXPECT_EQ(router.combine(cases, answers).cases[0].second.advice, Advice::kEscalate);
  EXPECT_EQ(router.combine(cases, answers, {.sure = .5}).cases[0].second.advice, Advice::kSettled);
  EXPECT_THAT(refusal([&] { router.combine(cases, AnswerTable({"cy"}, 3)); }), HasSubstr("cy"));
  EXPECT_THAT(refusal([&] { router.combine(cases, AnswerTable({"ann"}, 2)); }),
              HasSubstr("expected a row for each of the 3"));
  EXPECT_THAT(refusal([&] { router.combine(cases, answers, {.sure = 0}); }), HasSubstr("sure"));
  EXPECT_THAT(refusal([&] { router.combine(cases, answers, {.worth = -1}); }), HasSubstr("worth"));
}

// Before the answers: with the first expert's pending, the second is worth what enumerating both
// says (value_of_information_test.cc); a sure case asks nobody.
TEST(Combination, AdviceBeforeAnAnswerCountsOnIt) {
  const std::vector<double> belief = {.5, .3, .2};
  const std::vector<double> good = {.8, .8, .8}, better = {.9, .9, .9},
                            coin = {1. / 3, 1. / 3, 1. / 3};
  const std::vector<Reader> readers = {{expert_id(0), coin}, {expert_id(1), better}};
  const SecondOpinion found = second_opinion(belief, good, readers, {.sure = .95});
  EXPECT_EQ(found.advice, Advice::kSecondReader);
  EXPECT_EQ(found.reader, expert_id(1));
  EXPECT_EQ(found.worth, value_of_second_answer(belief, good, better));
  EXPECT_EQ(second_opinion(belief, good, std::span(readers).first(1), {.sure = .95}).advice,
            Advice::kEscalate);
  EXPECT_EQ(second_opinion(belief, good, readers, {.sure = .8}).advice, Advice::kSettled);
}

std::shared_ptr<const Costs> table_of_costs(const ClassNames& classes, std::uint64_t seed,
                                            Fees fees = {}) {
  const std::size_t k = classes.size();
  std::vector<double> table;
  for (std::size_t i = 0; i < k * k; ++i) {
    table.push_back(i / k == i % k ? 0 : static_cast<double>(1 + Key(seed).below(20, i)));
  }
  return std::make_shared<const Costs>(classes, std::move(table), std::move(fees), "EUR");
}

std::shared_ptr<const Costs> one_cost(const ClassNames& classes, double cost) {
  const std::size_t k = classes.size();
  std::vector<double> table(k * k, cost);
  for (std::size_t i = 0; i < k; ++i) table[i * k + i] = 0;
  return std::make_shared<const Costs>(classes, std::move(table));
}

Router combining_under(const GeneratedStaff& staff, std::shared_ptr<const Costs> costs) {
  RouterOptions options{.answer = AnswerUse::kCombined};
  options.costs = std::move(costs);
  return Router(staff.cases.classes(), staff.contexts, options);
}

// A cost of 1 for every mistake and no fees: labels, routes, advice and evaluations are those
// without costs, bit for bit; a cost of 8 changes the unit of the margins alone.
TEST(Combination, UnderEvenCostsIsAsWithout) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const GeneratedStaff staff = generated_staff(seed, 4, 4, 12, 100);
    const AnswerTable answers = answers_to(staff, Key(seed));
    const Router plain = combining(staff);
    const Combination expected = plain.combine(staff.cases, answers);
    for (const double cost : {1.0, 8.0}) {
      const Router router = combining_under(staff, one_cost(staff.cases.classes(), cost));
      const std::map<std::string, std::size_t> most = {{"expert 0", 9}, {"expert 1", 5}};
      for (const DeferralRule& rule : std::vector<DeferralRule>{
               Budget{.2}, Budget{1}, Threshold{0}, Budget{.5, 0.}, Capacities{most, Budget{.6}}}) {
        const Routes routes = router.route(staff.cases, rule), as = plain.route(staff.cases, rule);
        const auto advice = router.advise(staff.cases, routes);
        const auto advice_as = plain.advise(staff.cases, as);
        for (std::size_t i = 0; i < routes.size(); ++i) {
          ASSERT_EQ(routes[i].expert, as[i].expert);
          ASSERT_EQ(routes[i].margin, cost * as[i].margin);
          ASSERT_EQ(routes.prediction(i), as.prediction(i));
          ASSERT_EQ(advice[i].advice, advice_as[i].advice);
          ASSERT_EQ(advice[i].reader, advice_as[i].reader);
          ASSERT_EQ(advice[i].worth, cost * advice_as[i].worth);
        }
      }
      const Combination made = router.combine(staff.cases, answers);
      for (std::size_t i = 0; i < made.cases.size(); ++i) {
        ASSERT_EQ(made.cases[i].label, expected.cases[i].label);
        ASSERT_EQ(made.cases[i].probability, expected.cases[i].probability);
        ASSERT_EQ(made.cases[i].prediction, expected.cases[i].prediction);
        ASSERT_EQ(made.cases[i].second.advice, expected.cases[i].second.advice);
        ASSERT_EQ(made.cases[i].second.reader, expected.cases[i].second.reader);
        ASSERT_EQ(made.cases[i].cost, cost * (1 - expected.cases[i].probability));
      }
    }
    const Router router = combining_under(staff, one_cost(staff.cases.classes(), 1));
    RouterEvaluationOptions asked;
    asked.measures.bootstrap = 0;
    const Evaluation paid = router.evaluate(staff.cases, answers, asked);
    const Evaluation counted = plain.evaluate(staff.cases, answers, asked);
    for (std::size_t p = 0; p < counted.policies.size(); ++p) {
      EXPECT_EQ(paid.policies[p].policy, counted.policies[p].policy);
      EXPECT_EQ(paid.policies[p].aursac, counted.policies[p].aursac);
      EXPECT_EQ(paid.policies[p].at_zero.system_accuracy,
                counted.policies[p].at_zero.system_accuracy);
      EXPECT_EQ(paid.policies[p].at_zero.deferred, counted.policies[p].at_zero.deferred);
      ASSERT_EQ(paid.policies[p].promise.has_value(), counted.policies[p].promise.has_value());
      if (!paid.policies[p].promise) continue;
      EXPECT_EQ(paid.policies[p].promise->promised, counted.policies[p].promise->promised);
      EXPECT_EQ(paid.policies[p].promise->realised, counted.policies[p].promise->realised);
    }
  }
}

// Margins are what an answer is expected to save, less the fee; nobody is asked who is not expected
// to save anything, and an evaluation pays for the combined labels and the fees.
TEST(Combination, UnderCostsAsksWhereItSavesAndPaysForTheLabels) {
  std::size_t asked = 0, kept = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const GeneratedStaff staff = generated_staff(seed, 4, 4, 12, 100);
    const AnswerTable answers = answers_to(staff, Key(seed));
    const auto costs =
        table_of_costs(staff.cases.classes(), seed, {{"expert 0", 1.5}, {"expert 1", .125}});
    const ExpectedCosts expected(costs);
    const Router router = combining_under(staff, costs);
    SavingScratch scratch;
    const std::vector<double> margins = router.margins(staff.cases);
    for (std::size_t i = 0; i < staff.cases.size(); ++i) {
      for (std::size_t j = 0; j < answers.experts(); ++j) {
        const std::string name = router.experts()[j];
        const double saved = expected_saving(expected, staff.cases.probabilities(i),
                                             router.profile(name).means(), scratch) -
                             costs->fee(name);
        EXPECT_EQ(margins[i * answers.experts() + j], saved > 0 ? saved : kNeverDefer);
      }
    }
    RouterEvaluationOptions options;
    options.policies = {"plug-in", std::string(kCostBlind), "oracle"};
    options.measures.bootstrap = 0;
    const std::map<std::string, std::size_t> most = {{"expert 0", 9}, {"expert 2", 4}};
    for (const bool limited : {false, true}) {
      if (limited) options.measures.capacities = most;
      const Evaluation measured = router.evaluate(staff.cases, answers, options);
      ASSERT_EQ(measured.policies.size(), 5u);
      EXPECT_EQ(measured.policies[1].policy, "plug-in, combined");
      EXPECT_EQ(measured.policies[3].policy, "cost-blind, combined");
      const Routes routes = limited ? router.route(staff.cases, Capacities{most, Budget{1}})
                                    : router.route(staff.cases, Budget{1});
      AnswerTable taken(router.experts(), staff.cases.size());
      double paid = 0;
      for (std::size_t i = 0; i < routes.size(); ++i) {
        if (routes[i].decision() == Decision::kModel) {
          ++kept;
          continue;
        }
        ++asked;
        EXPECT_GT(routes[i].margin, 0);
        taken.set(case_id(i), routes[i].expert, answers.at(case_id(i), routes[i].expert));
        paid += costs->fee(routes.expert_name(routes[i]));
      }
      const Combination made = router.combine(staff.cases, taken);
      ASSERT_TRUE(made.cost_unit.has_value());
      for (std::size_t i = 0; i < routes.size(); ++i) {
        EXPECT_EQ(made.cases[i].prediction, routes.prediction(i));
        paid += costs->at(staff.cases.label(i), made.cases[i].label);
      }
      const ShownMeasure shown(measured);
      EXPECT_NEAR(shown.value(measured.policies[1].at_zero.system_accuracy),
                  paid / static_cast<double>(routes.size()), 1e-6);
      if (limited) continue;
      double by_truth = 0;
      for (const TruthOutcome& of : measured.policies[1].by_truth) by_truth += of.cost;
      EXPECT_NEAR(by_truth, paid, 1e-6);
      EXPECT_EQ(measured.policies[1].at_zero.deferred, measured.policies[1].promise->cases);
    }
  }
  EXPECT_GT(asked, 100u);
  EXPECT_GT(kept, 100u);
}

// Under costs what is settled, and who is worth asking, counts in parts of the largest cost, and
// the fee is taken off.
TEST(Combination, AdviceUnderCostsTakesTheFeeOff) {
  const ExpectedCosts costs(std::make_shared<const Costs>(ClassNames({"mel", "nevus"}),
                                                          std::vector<double>{0, 50, 1, 0}));
  const std::vector<double> belief = {.05, .95}, good = {.75, .9}, better = {.9, .9};
  const std::vector<Reader> readers = {{expert_id(0), good}, {expert_id(1), better, .4}};
  SavingScratch scratch;
  const double of_good = expected_saving(costs, belief, good, scratch);
  const double of_better = expected_saving(costs, belief, better, scratch);
  ASSERT_GT(of_better, of_good);
  ASSERT_LT(of_better - .4, of_good);
  // The label costs .95, which is .019 of 50.
  EXPECT_EQ(second_opinion(belief, {}, readers, {.sure = .98}, &costs).advice, Advice::kSettled);
  const SecondOpinion found =
      second_opinion(belief, {}, readers, {.sure = .99, .worth = .004}, &costs);
  EXPECT_EQ(found.advice, Advice::kSecondReader);
  EXPECT_EQ(found.reader, expert_id(0));
  EXPECT_EQ(found.worth, of_good);
  EXPECT_EQ(second_opinion(belief, {}, readers, {.sure = .99, .worth = .01}, &costs).advice,
            Advice::kEscalate);
  // With the first one's answer to come, what is left to save is less.
  const SecondOpinion beside =
      second_opinion(belief, good, std::span(readers).last(1), {.sure = 1, .worth = 0}, &costs);
  const double second = saving_of_second_answer(costs, belief, good, better, scratch) - .4;
  EXPECT_EQ(beside.advice, second > 0 ? Advice::kSecondReader : Advice::kEscalate);
  EXPECT_LT(second, of_better - .4);
}

// What a second answer saves takes the time of all pairs of answers and all labels.
TEST(Combination, AdviceUnderCostsOfManyClassesIsRefused) {
  const auto costs_of = [](std::size_t k) {
    std::vector<double> table(k * k, 1);
    for (std::size_t i = 0; i < k; ++i) table[i * k + i] = 0;
    table[1] = 2;
    return ExpectedCosts(std::make_shared<const Costs>(ClassNames::numbered(k), table));
  };
  const ExpectedCosts most = costs_of(200), more = costs_of(201);
  check_second_answers(nullptr);
  check_second_answers(&most);
  EXPECT_EQ(refusal([&] { check_second_answers(&more); }),
            "advice before the answers, under costs of 201 classes; expected at most 200");
}

// A certificate's losses: the combined label's cost and the fee, over the most that a case can
// cost.
TEST(Combination, LossesUnderCostsAreThoseOfTheLabels) {
  const GeneratedStaff staff = generated_staff(9, 3, 4, 12, 200);
  AnswerTable answers = answers_to(staff, Key(9));
  answers.set(case_id(0), expert_id(0), Answer::missing());
  const auto costs = table_of_costs(staff.cases.classes(), 9, {{"*", .5}});
  const Router router = combining_under(staff, costs);
  const Routes everything = router.route(staff.cases, Threshold{kDeferAll});
  const std::vector<LossCase> losses =
      measured_losses(staff.cases, everything, answers, router, costs.get());
  const std::vector<LossCase> expected =
      predicted_losses(staff.cases, everything, router, costs.get());
  double saved = 0;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    const ClassId truth = staff.cases.label(i);
    EXPECT_EQ(losses[i].model_loss,
              costs->at(truth, everything.prediction(i)) / costs->largest_total());
    if (everything[i].decision() == Decision::kModel) continue;
    const Answer answer = answers.at(case_id(i), everything[i].expert);
    AnswerTable one(everything.experts(), staff.cases.size());
    one.set(case_id(i), everything[i].expert, answer);
    const double cost = answer.is_missing()
                            ? costs->of(answer, truth)
                            : costs->at(truth, router.combine(staff.cases, one).cases[i].label);
    EXPECT_NEAR(losses[i].expert_loss, (cost + .5) / costs->largest_total(), 1e-12);
    saved += losses[i].model_loss - losses[i].expert_loss;
    EXPECT_GE(expected[i].expert_loss, .5 / costs->largest_total());
    EXPECT_LE(expected[i].expert_loss, 1);
  }
  EXPECT_GT(saved, 0);
}

// An explanation tells what routes are made of: nobody is the best whose answer could not change
// the label, and the margins are those of margins() and of the route.
TEST(Combination, IsExplainedAsItIsRouted) {
  std::size_t pointless = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const GeneratedStaff staff = generated_staff(seed, 4, 3, 6);
    const Router router = combining(staff, seed);
    const Routes routes = router.route(staff.cases, Threshold{kDeferAll});
    const std::vector<double> margins = router.margins(staff.cases);
    const std::size_t experts = router.experts().size();
    for (std::size_t row = 0; row < staff.cases.size(); ++row) {
      const Explanation why = router.explain(staff.cases, row);
      const bool somebody = std::isfinite(routes[row].margin);
      ASSERT_EQ(why.best.has_value(), somebody) << row;
      ASSERT_TRUE(!somebody || *why.best == routes[row].expert) << row;
      for (std::size_t j = 0; j < experts; ++j) {
        ASSERT_EQ(why.experts[j].margin, margins[row * experts + j]) << row << ", " << j;
      }
      pointless += somebody ? 0 : 1;
    }
  }
  EXPECT_GT(pointless, 0U);
}

}  // namespace
}  // namespace ifd
