#include "ifd/evaluation/bootstrap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "ifd/error.h"
#include "ifd/routing/margin_table.h"

namespace ifd {
namespace {

struct Resampled {
  std::vector<double> margins;
  std::vector<CaseOutcome> outcomes;
  PolicyResult policy() const { return {margins, outcomes}; }
};

constexpr double kModelAccuracy = 0.7;
constexpr double kExpertAccuracy = 0.8;

// Margins that know nothing: SysAcc rises on average in a straight line from the model's accuracy
// to the expert's, and ExpAcc is the expert's everywhere.
Resampled uninformed(const Key& key, std::size_t cases) {
  Resampled example;
  for (std::size_t i = 0; i < cases; ++i) {
    example.margins.push_back(key.with("margin").uniform(i));
    example.outcomes.push_back({credit_if(key.with("model").uniform(i) < kModelAccuracy),
                                credit_if(key.with("expert").uniform(i) < kExpertAccuracy)});
  }
  return example;
}

// With every case in a group of its own, numbered in order, groups change nothing.
TEST(Bootstrap, GroupsOfOneCaseAreCases) {
  const Resampled example = uninformed(Key(8), 30);
  std::vector<std::uint32_t> groups(30);
  for (std::uint32_t i = 0; i < 30; ++i) groups[i] = i;
  BootstrapOptions options{50};
  const Estimate by_case = bootstrap(example.policy(), Key(8), options).aursac;
  options.groups = groups;
  const Estimate by_group = bootstrap(example.policy(), Key(8), options).aursac;
  EXPECT_EQ(by_case.interval.low, by_group.interval.low);
  EXPECT_EQ(by_case.interval.high, by_group.interval.high);
  options.groups = std::span(groups).first(29);
  EXPECT_THROW(bootstrap(example.policy(), Key(8), options), Error);
}

// Every case ten times, as epochs of one recording that are all alike: intervals over cases are
// too narrow by sqrt(10), intervals over groups are those of the cases as they were.
TEST(Bootstrap, GroupsMakeUpForCasesThatAreAlike) {
  const Resampled once = uninformed(Key(21), 200);
  Resampled copies;
  std::vector<std::uint32_t> groups;
  for (std::uint32_t i = 0; i < 200; ++i) {
    for (int copy = 0; copy < 10; ++copy) {
      copies.margins.push_back(once.margins[i]);
      copies.outcomes.push_back(once.outcomes[i]);
      groups.push_back(i);
    }
  }
  const auto width = [](const Estimate& e) { return e.interval.high - e.interval.low; };
  BootstrapOptions options{1000};
  const double original = width(bootstrap(once.policy(), Key(4), options).model_accuracy);
  const double by_case = width(bootstrap(copies.policy(), Key(4), options).model_accuracy);
  options.groups = groups;
  const double by_group = width(bootstrap(copies.policy(), Key(4), options).model_accuracy);
  EXPECT_NEAR(by_group / original, 1, .15);
  EXPECT_NEAR(by_case / original, 1 / std::sqrt(10.0), .08);
}

// Accuracy and gain at a capped budget, against resamples that are written out.
TEST(Bootstrap, AccuraciesAtCappedBudgetsAreThoseOfMaterialisedResamples) {
  const Key key(5);
  Resampled example = uninformed(key, 40);
  for (double& margin : example.margins) margin -= .5;
  PolicyResult policy = example.policy();
  policy.budgets = {{.8, 0}, {.2}};
  std::vector<double> accuracy, gain;
  for (std::size_t replicate = 0; replicate < 101; ++replicate) {
    Resampled copies;
    for (std::size_t i = 0; i < 40; ++i) {
      const std::size_t row = key.with("bootstrap").with(replicate).below(40, i);
      copies.margins.push_back(example.margins[row]);
      copies.outcomes.push_back(example.outcomes[row]);
    }
    double right = 0, model = 0, deferred = 0;
    for (std::size_t i = 0; i < 40; ++i) {
      const bool defer = copies.margins[i] >= 0;
      deferred += defer ? 1 : 0;
      right += share(defer ? copies.outcomes[i].expert : copies.outcomes[i].model);
      model += share(copies.outcomes[i].model);
    }
    if (deferred > 32) GTEST_SKIP() << "a resample in which the budget binds";
    accuracy.push_back(right / 40);
    gain.push_back((right - model) / 40);
  }
  std::sort(accuracy.begin(), accuracy.end());
  std::sort(gain.begin(), gain.end());
  const CurveEstimates estimates = bootstrap(policy, key, {101, .9});
  ASSERT_EQ(estimates.at_budgets.size(), 2u);
  EXPECT_NEAR(estimates.at_budgets[0].accuracy.interval.low, accuracy[5], 1e-12);
  EXPECT_NEAR(estimates.at_budgets[0].accuracy.interval.high, accuracy[95], 1e-12);
  EXPECT_NEAR(estimates.at_budgets[0].gain.interval.low, gain[5], 1e-12);
  EXPECT_NEAR(estimates.at_budgets[0].gain.interval.high, gain[95], 1e-12);
  EXPECT_NEAR(estimates.at_budgets[1].accuracy.value,
              BudgetCurve(example.margins, example.outcomes).system_accuracy(.2), 1e-12);
}

// Routes that are given count each case as often as it was drawn, and come before the budgets. With
// the model's own answers the gain is nothing in every resample.
TEST(Bootstrap, FixedRoutesAreCountedOnTheSameResamples) {
  const Key key(6);
  Resampled example = uninformed(key, 40);
  PolicyResult policy = example.policy();
  std::vector<Credit> model, expert;
  for (const CaseOutcome& outcome : example.outcomes) {
    model.push_back(outcome.model);
    expert.push_back(outcome.expert);
  }
  policy.budgets = {{1}};
  policy.fixed = {model, expert};
  const CurveEstimates estimates = bootstrap(policy, key, {101, .9});
  ASSERT_EQ(estimates.at_budgets.size(), 3u);
  EXPECT_EQ(estimates.at_budgets[0].gain.interval.low, 0);
  EXPECT_EQ(estimates.at_budgets[0].gain.interval.high, 0);
  const AccuracyEstimate& fixed = estimates.at_budgets[1];
  const AccuracyEstimate& all_deferred = estimates.at_budgets[2];
  EXPECT_NEAR(fixed.accuracy.value, all_deferred.accuracy.value, 1e-12);
  EXPECT_NEAR(fixed.gain.interval.low, all_deferred.gain.interval.low, 1e-12);
  EXPECT_NEAR(fixed.gain.interval.high, all_deferred.gain.interval.high, 1e-12);
}

// The bootstrap as the textbook has it: draw N rows, copy them, build the curve of the copies.
TEST(Bootstrap, IsThePercentileRangeOfMaterialisedResamples) {
  const Key key(3);
  Resampled example = uninformed(key, 40);
  for (std::size_t i = 0; i < 40; i += 3) example.margins[i] = i % 2 == 0 ? 0.5 : kNeverDefer;
  const BootstrapOptions options{201, 0.9, 0.1, 0.8};
  std::vector<double> aursac;
  std::vector<double> aurdac;
  std::vector<double> model;
  for (std::size_t replicate = 0; replicate < options.replicates; ++replicate) {
    Resampled copies;
    for (std::size_t i = 0; i < 40; ++i) {
      const std::size_t row = key.with("bootstrap").with(replicate).below(40, i);
      copies.margins.push_back(example.margins[row]);
      copies.outcomes.push_back(example.outcomes[row]);
    }
    const BudgetCurve curve(copies.margins, copies.outcomes);
    aursac.push_back(curve.aursac(0.1, 0.8));
    aurdac.push_back(curve.aurdac(0.1, 0.8).value());
    model.push_back(curve.model_accuracy());
  }
  const CurveEstimates estimates = bootstrap(example.policy(), key, options);
  const BudgetCurve curve(example.margins, example.outcomes);
  const auto expect = [](const Estimate& estimate, double value, std::vector<double> replicates) {
    std::sort(replicates.begin(), replicates.end());
    EXPECT_EQ(estimate.value, value);
    // With 201 values the 5 % and 95 % quantiles are the order statistics 10 and 190.
    EXPECT_NEAR(estimate.interval.low, replicates[10], 1e-12);
    EXPECT_NEAR(estimate.interval.high, replicates[190], 1e-12);
  };
  expect(estimates.aursac, curve.aursac(0.1, 0.8), aursac);
  expect(estimates.aurdac.value(), curve.aurdac(0.1, 0.8).value(), aurdac);
  expect(estimates.model_accuracy, curve.model_accuracy(), model);
}

// Nominal 95 %; 400 data sets have a standard error of .011, and percentile intervals at N = 150
// fall short by a point or so. AURDAC weighs the first deferred cases heavily, so its small
// effective sample costs it more.
TEST(Bootstrap, CoversTheTruthAboutAsOftenAsItSays) {
  constexpr std::size_t kSets = 400;
  double aursac = 0;
  double model = 0;
  double aurdac = 0;
  for (std::size_t set = 0; set < kSets; ++set) {
    const Key key = Key(17).with(set);
    const Resampled example = uninformed(key, 150);
    const CurveEstimates estimates = bootstrap(example.policy(), key, {.replicates = 400});
    const auto covers = [](const Estimate& estimate, double truth) {
      return estimate.interval.low <= truth && truth <= estimate.interval.high ? 1.0 : 0.0;
    };
    aursac += covers(estimates.aursac, (kModelAccuracy + kExpertAccuracy) / 2) / kSets;
    model += covers(estimates.model_accuracy, kModelAccuracy) / kSets;
    aurdac += covers(estimates.aurdac.value(), kExpertAccuracy) / kSets;
  }
  EXPECT_GT(aursac, 0.91);
  EXPECT_LT(aursac, 0.98);
  EXPECT_GT(model, 0.91);
  EXPECT_LT(model, 0.98);
  EXPECT_GT(aurdac, 0.88);
  EXPECT_LT(aurdac, 0.98);
}

TEST(Bootstrap, DifferenceOfAPolicyFromItselfIsNothing) {
  const Resampled example = uninformed(Key(1), 100);
  const CurveEstimates same =
      bootstrap_difference(example.policy(), example.policy(), Key(2), {.replicates = 50});
  for (const Estimate& estimate : {same.aursac, same.aurdac.value(), same.model_accuracy}) {
    EXPECT_EQ(estimate.value, 0);
    EXPECT_EQ(estimate.interval.low, 0);
    EXPECT_EQ(estimate.interval.high, 0);
  }
}

// An expert who is right exactly where the other is, plus on one case in ten, gains about .1 *
// 1/2; pairing makes this certain although each interval alone is wider than the difference.
TEST(Bootstrap, PairingSeesASmallSureGain) {
  const Resampled weaker = uninformed(Key(4), 300);
  Resampled stronger = weaker;
  for (std::size_t i = 0; i < 300; i += 10) stronger.outcomes[i].expert = credit_if(true);
  const auto difference = bootstrap_difference(stronger.policy(), weaker.policy(), Key(5));
  const auto reverse = bootstrap_difference(weaker.policy(), stronger.policy(), Key(5));
  EXPECT_GE(difference.aursac.interval.low, 0);
  EXPECT_GT(difference.aursac.value, 0);
  EXPECT_DOUBLE_EQ(difference.aursac.value, -reverse.aursac.value);
  EXPECT_NEAR(difference.aursac.interval.low, -reverse.aursac.interval.high, 1e-12);
  const auto alone = bootstrap(weaker.policy(), Key(5));
  EXPECT_GT(alone.aursac.interval.high - alone.aursac.interval.low,
            2 * (difference.aursac.interval.high - difference.aursac.interval.low));
}

TEST(Bootstrap, WithoutDeferrableCasesHasNoDeferredAccuracy) {
  const std::vector<double> margins{kNeverDefer, kNeverDefer};
  const std::vector<CaseOutcome> outcomes(2, {credit_if(true), credit_if(false)});
  const auto estimates = bootstrap({margins, outcomes}, Key(1), {.replicates = 10});
  EXPECT_FALSE(estimates.aurdac.has_value());
  EXPECT_EQ(estimates.aursac.interval.low, 1);
}

// Groups go by any numbers: what counts is which cases are together, and the order.
TEST(Bootstrap, GroupsGoByAnyNumbers) {
  const Resampled example = uninformed(Key(5), 6);
  const std::vector<std::uint32_t> dense = {0, 1, 1, 2, 0, 2};
  const std::vector<std::uint32_t> sparse = {0, 7, 7, 4294967295, 0, 4294967295};
  const auto interval = [&](const std::vector<std::uint32_t>& groups) {
    return bootstrap(example.policy(), Key(5), {.replicates = 50, .groups = groups})
        .aursac.interval;
  };
  EXPECT_EQ(interval(dense).low, interval(sparse).low);
  EXPECT_EQ(interval(dense).high, interval(sparse).high);
  EXPECT_EQ(dense_groups(sparse).of_case, dense);
  EXPECT_EQ(dense_groups(sparse).count, 3u);
  EXPECT_EQ(dense_groups({}).count, 0u);
}

TEST(Bootstrap, RefusesWhatGivesNoInterval) {
  const Resampled example = uninformed(Key(1), 5);
  const Resampled other = uninformed(Key(1), 6);
  EXPECT_THROW(bootstrap(example.policy(), Key(1), {.replicates = 0}), Error);
  EXPECT_THROW(bootstrap(example.policy(), Key(1), {.confidence = 1}), Error);
  EXPECT_THROW(bootstrap(example.policy(), Key(1), {.d_min = 0.5, .d_max = 0.5}), Error);
  EXPECT_THROW(bootstrap_difference(example.policy(), other.policy(), Key(1)), Error);
}

}  // namespace
}  // namespace ifd
