#include "ifd/decision/combined_answer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ifd/data/predictions.h"
#include "ifd/random/keyed_random.h"

namespace ifd {
namespace {

struct Asked {
  std::vector<float> probabilities;
  std::vector<ExpertProfile> profiles;
  std::vector<Answer> answers;

  std::vector<GivenAnswer> given() const {
    std::vector<GivenAnswer> all;
    for (std::size_t j = 0; j < profiles.size(); ++j) all.push_back({&profiles[j], answers[j]});
    return all;
  }
};

// Few answers and coarse probabilities: ties everywhere.
Asked random_case(const Key& key, std::size_t experts) {
  const std::size_t classes = 2 + key.with("classes").below(4);
  Asked made;
  double sum = 0;
  std::vector<double> shares;
  for (std::size_t y = 0; y < classes; ++y) {
    shares.push_back(static_cast<double>(1 + key.with("rho").below(3, y)));
    sum += shares.back();
  }
  for (const double share : shares) made.probabilities.push_back(static_cast<float>(share / sum));
  for (std::size_t j = 0; j < experts; ++j) {
    const Key own = key.with(j);
    ExpertProfile profile(classes);
    for (std::size_t y = 0; y < classes; ++y) {
      for (std::size_t i = 0; i < own.with("count").below(4, y); ++i) {
        const bool right = own.with("right").with(y).below(3, i) > 0;
        profile.observe(
            {.truth = class_id(y), .answer = right ? Answer(class_id(y)) : Answer::outside()});
      }
    }
    made.profiles.push_back(std::move(profile));
    const std::size_t said = own.with("said").below(classes + 2);
    made.answers.push_back(said < classes    ? Answer(class_id(said))
                           : said == classes ? Answer::outside()
                                             : Answer::missing());
  }
  return made;
}

std::vector<std::size_t> shuffled(const Key& key, std::size_t size) {
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = size; i > 1; --i) std::swap(order[i - 1], order[key.below(i, i)]);
  return order;
}

Asked renamed(const Asked& from, const std::vector<std::size_t>& pi) {
  Asked to;
  to.probabilities.resize(pi.size());
  for (std::size_t y = 0; y < pi.size(); ++y) to.probabilities[pi[y]] = from.probabilities[y];
  for (std::size_t j = 0; j < from.profiles.size(); ++j) {
    ExpertProfile profile(pi.size());
    for (std::size_t y = 0; y < pi.size(); ++y) {
      const BetaPosterior& at = from.profiles[j].at(class_id(y));
      const auto right = static_cast<std::uint64_t>(at.alpha() - 1);
      const auto wrong = static_cast<std::uint64_t>(at.beta() - 1);
      if (right > 0)
        profile.observe(
            {.truth = class_id(pi[y]), .answer = Answer(class_id(pi[y])), .count = right});
      if (wrong > 0)
        profile.observe({.truth = class_id(pi[y]), .answer = Answer::outside(), .count = wrong});
    }
    to.profiles.push_back(std::move(profile));
    const Answer said = from.answers[j];
    to.answers.push_back(said.is_missing() || said.is_outside()
                             ? said
                             : Answer(class_id(pi[index(said.as_class())])));
  }
  return to;
}

// The formula, class by class.
TEST(CombinedAnswer, IsThePosteriorOfTheDefinition) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Asked asked = random_case(Key(seed), 1 + seed % 4);
    const std::size_t classes = asked.probabilities.size();
    const double weight = seed % 3 == 0 ? .6 : 1;
    std::vector<double> expected(classes);
    for (std::size_t y = 0; y < classes; ++y) {
      expected[y] = static_cast<double>(asked.probabilities[y]);
      for (std::size_t j = 0; j < asked.profiles.size(); ++j) {
        const Answer said = asked.answers[j];
        if (said.is_missing() || said.is_outside()) continue;
        const double mean = asked.profiles[j].means()[y];
        expected[y] *= std::pow(
            said.is(class_id(y)) ? mean : (1 - mean) / static_cast<double>(classes - 1), weight);
      }
    }
    const double sum = std::accumulate(expected.begin(), expected.end(), 0.0);
    const CombinedAnswer combined = combine(asked.probabilities, asked.given(), weight);
    for (std::size_t y = 0; y < classes; ++y) {
      EXPECT_NEAR(combined.posterior[y], expected[y] / sum, 1e-12);
      EXPECT_GE(combined.probability(), combined.posterior[y]);
    }
  }
}

// Coherent relabelling: scores to the bit, and the labels that share the answer are renamed
// along; only which of them a file writes may depend on names. The order of answers changes
// nothing.
TEST(CombinedAnswer, IsInvariantToRenamingClassesAndToTheOrderOfAnswers) {
  std::size_t ties = 0;
  for (std::uint64_t seed = 0; seed < 10000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key(seed);
    const Asked asked = random_case(key, 1 + seed % 3);
    const CombinedAnswer combined = combine(asked.probabilities, asked.given());
    const auto pi = shuffled(key.with("pi"), asked.probabilities.size());
    const Asked other = renamed(asked, pi);
    std::vector<GivenAnswer> given = other.given();
    std::reverse(given.begin(), given.end());
    const CombinedAnswer after = combine(other.probabilities, given);
    for (std::size_t y = 0; y < pi.size(); ++y) {
      EXPECT_EQ(combined.posterior[y], after.posterior[pi[y]]);
    }
    const bool heard = std::any_of(asked.answers.begin(), asked.answers.end(),
                                   [](Answer a) { return !a.is_missing() && !a.is_outside(); });
    if (!heard) continue;  // the model's label, the lowest index among equals
    ties += combined.tied.size() > 1 ? 1 : 0;
    std::vector<ClassId> expected;
    for (const ClassId id : combined.tied) expected.push_back(class_id(pi[index(id)]));
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(after.tied, expected);
    EXPECT_EQ(after.label, expected.front());
  }
  EXPECT_GT(ties, 50u);  // otherwise nothing was shown
}

TEST(CombinedAnswer, OutsideAnswersLeaveItAsItWas) {
  const Asked asked = random_case(Key(3), 1);
  const std::vector<GivenAnswer> nothing = {{&asked.profiles[0], Answer::outside()},
                                            {&asked.profiles[0], Answer::missing()}};
  const CombinedAnswer alone = combine(asked.probabilities, {});
  const CombinedAnswer combined = combine(asked.probabilities, nothing);
  EXPECT_EQ(combined.posterior, alone.posterior);
  EXPECT_EQ(combined.label, top_class(asked.probabilities));
}

// Beta(10^9, 1) is nobody's error: the expert's word is the label, whatever the model says of it
// short of certainty.
TEST(CombinedAnswer, OfWhoNeverErrsIsTheirWord) {
  const std::vector<float> probabilities = {.9F, .07F, .03F};
  const ExpertProfile sure(std::vector<BetaPrior>(3, {1e9, 1e-3}));
  for (std::size_t m = 0; m < 3; ++m) {
    const GivenAnswer given{&sure, Answer(class_id(m))};
    EXPECT_EQ(combine(probabilities, std::span(&given, 1)).label, class_id(m));
  }
}

// By hand: 3/4 right on both classes, rho = (.7, .3). One vote for the second:
// .3*.75 = .225 against .7*.25 = .175. A second vote for the first: .225*.25 against .175*.75.
TEST(CombinedAnswer, WeighsVotes) {
  const std::vector<float> probabilities = {.7F, .3F};
  const ExpertProfile profile(std::vector<BetaPrior>(2, {3, 1}));
  const std::vector<GivenAnswer> given = {{&profile, Answer(class_id(1))},
                                          {&profile, Answer(class_id(0))}};
  const CombinedAnswer one = combine(probabilities, std::span(given).first(1));
  EXPECT_EQ(one.label, class_id(1));
  EXPECT_NEAR(one.probability(), .225 / .4, 1e-6);
  const CombinedAnswer both = combine(probabilities, given);
  EXPECT_EQ(both.label, class_id(0));
  EXPECT_NEAR(both.probability(), .7, 1e-6);
}

// 10,000 answers of chance 10^-4 each are below any double, but not below each other.
TEST(CombinedAnswer, DoesNotUnderflow) {
  const std::vector<float> probabilities = {.5F, .5F};
  const ExpertProfile profile(std::vector<BetaPrior>{{1, 9999}, {1, 9998}});
  const std::vector<GivenAnswer> given(10'000, {&profile, Answer(class_id(0))});
  const CombinedAnswer combined = combine(probabilities, given);
  EXPECT_EQ(combined.label, class_id(1));
  EXPECT_EQ(combined.probability(), 1);
}

}  // namespace
}  // namespace ifd
