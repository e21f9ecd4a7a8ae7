#include "ifd/evaluation/regret.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "ifd/error.h"
#include "ifd/random/keyed_random.h"

namespace ifd {
namespace {

struct KnownTruth {
  std::vector<double> eta;
  std::vector<double> theta;
  TrueCase truth() const { return {eta, theta}; }
};

// Every second example takes its numbers from a few values, where ties live.
KnownTruth random_example(std::uint64_t seed) {
  const Key key(seed);
  KnownTruth example;
  const std::size_t classes = 2 + key.with("classes").below(6);
  const std::size_t experts = key.with("experts").below(4);
  const bool coarse = seed % 2 == 0;
  const auto draw = [&](const char* purpose, std::size_t i) {
    return coarse ? static_cast<double>(1 + key.with(purpose).below(3, i)) / 4
                  : key.with(purpose).uniform(i);
  };
  double sum = 0;
  for (std::size_t y = 0; y < classes; ++y) {
    example.eta.push_back(draw("eta", y));
    sum += example.eta.back();
  }
  for (double& probability : example.eta) probability /= sum;
  for (std::size_t i = 0; i < classes * experts; ++i) example.theta.push_back(draw("theta", i));
  return example;
}

std::vector<Action> all_actions(const TrueCase& truth) {
  std::vector<Action> actions;
  for (std::size_t y = 0; y < truth.classes(); ++y) actions.push_back(class_id(y));
  for (std::size_t j = 0; j < truth.experts(); ++j) actions.push_back(expert_id(j));
  return actions;
}

std::vector<std::size_t> random_permutation(const Key& key, std::size_t size) {
  std::vector<std::size_t> permutation(size);
  std::iota(permutation.begin(), permutation.end(), std::size_t{0});
  for (std::size_t i = size; i > 1; --i) {
    std::swap(permutation[i - 1], permutation[key.below(i, i)]);
  }
  return permutation;
}

// v^pi: (v^pi)_{pi(y)} = v_y, row by row.
std::vector<double> permuted(const std::vector<double>& values,
                             const std::vector<std::size_t>& pi) {
  std::vector<double> result(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    result[i / pi.size() * pi.size() + pi[i % pi.size()]] = values[i];
  }
  return result;
}

// By hand: q_0 = .5*1 + .25*0 + .25*0 = .5 and q_1 = .5*.5 + .25*1 + .25*1 = .75 against .5.
TEST(Regret, HandExample) {
  const KnownTruth example{{0.5, 0.25, 0.25}, {1, 0, 0, 0.5, 1, 1}};
  const TrueCase truth = example.truth();
  EXPECT_EQ(action_value(truth, ExpertId{0}), 0.5);
  EXPECT_EQ(action_value(truth, ExpertId{1}), 0.75);
  EXPECT_EQ(bayes_value(truth), 0.75);
  EXPECT_EQ(bayes_action(truth), Action(ExpertId{1}));
  EXPECT_EQ(regret(truth, ClassId{0}), 0.25);
  EXPECT_EQ(regret(truth, ClassId{2}), 0.5);
  EXPECT_EQ(regret(truth, ExpertId{0}), 0.25);
  const std::vector<TrueCase> truths{truth, truth};
  EXPECT_EQ(mean_regret(truths, std::vector<Action>{ClassId{2}, ExpertId{1}}), 0.25);
  // A tie between model and expert defers; without experts the model answers.
  EXPECT_EQ(bayes_action({example.eta, std::span(example.theta).first(3)}), Action(ExpertId{0}));
  EXPECT_EQ(bayes_action({example.eta, {}}), Action(ClassId{0}));
}

TEST(Regret, IsNeverNegativeAndNothingForTheBayesAction) {
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const KnownTruth example = random_example(seed);
    const TrueCase truth = example.truth();
    EXPECT_EQ(regret(truth, bayes_action(truth)), 0);
    double smallest = 1;
    for (const Action& action : all_actions(truth)) {
      EXPECT_GE(regret(truth, action), 0);
      smallest = std::min(smallest, regret(truth, action));
    }
    EXPECT_EQ(smallest, 0);
  }
}

// Classifier equivariance and rejector invariance under coherent relabelling, bit for bit: the
// same experts are worth the same, the decision to defer is the same, and the answer is renamed.
// A most probable class that is not unique is renamed up to the choice among equals.
TEST(BayesAction, RespectsCoherentRelabelling) {
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const KnownTruth example = random_example(seed);
    const TrueCase truth = example.truth();
    const auto pi = random_permutation(Key(seed).with("pi"), truth.classes());
    const KnownTruth renamed{permuted(example.eta, pi), permuted(example.theta, pi)};

    EXPECT_EQ(bayes_value(renamed.truth()), bayes_value(truth));
    for (std::size_t j = 0; j < truth.experts(); ++j) {
      EXPECT_EQ(action_value(renamed.truth(), expert_id(j)), action_value(truth, expert_id(j)));
    }
    const Action action = bayes_action(truth);
    const Action renamed_action = bayes_action(renamed.truth());
    ASSERT_EQ(renamed_action.index(), action.index());
    if (std::holds_alternative<ExpertId>(action)) {
      EXPECT_EQ(renamed_action, action);
      continue;
    }
    const double top = *std::max_element(example.eta.begin(), example.eta.end());
    if (std::count(example.eta.begin(), example.eta.end(), top) == 1) {
      EXPECT_EQ(renamed_action, Action(class_id(pi[index(std::get<ClassId>(action))])));
    } else {
      EXPECT_EQ(renamed.eta[index(std::get<ClassId>(renamed_action))], top);
    }
  }
}

// Expert-only permutations can change the Bayes action. The expert knows the likely class:
// q = .6*1 + .4*.25 = .7 >= .6 defers. With the same skills on the other class,
// q = .6*.25 + .4*1 = .55 < .6 does not.
TEST(BayesAction, CanChangeUnderExpertOnlyPermutation) {
  const KnownTruth skilled{{0.6, 0.4}, {1, 0.25}};
  const KnownTruth reindexed{skilled.eta, permuted(skilled.theta, {1, 0})};
  EXPECT_EQ(bayes_action(skilled.truth()), Action(ExpertId{0}));
  EXPECT_EQ(bayes_action(reindexed.truth()), Action(ClassId{0}));
  EXPECT_NEAR(regret(reindexed.truth(), ExpertId{0}), 0.05, 1e-12);
}

TEST(Regret, RefusesWhatIsNoProbability) {
  const std::vector<double> eta{0.5, 0.5};
  const std::vector<double> too_much{0.5, 0.6};
  const std::vector<double> negative{1.5, -0.5};
  const std::vector<double> nan{0.5, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_THROW(bayes_value({{}, {}}), Error);
  EXPECT_THROW(bayes_value({too_much, {}}), Error);
  EXPECT_THROW(bayes_value({negative, {}}), Error);
  EXPECT_THROW(bayes_value({eta, negative}), Error);
  EXPECT_THROW(bayes_value({eta, nan}), Error);
  EXPECT_THROW(mean_regret({}, {}), Error);
}

}  // namespace
}  // namespace ifd
