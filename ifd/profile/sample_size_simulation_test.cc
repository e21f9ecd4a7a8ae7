#include "ifd/profile/sample_size_simulation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>
#include <vector>

#include "ifd/error.h"
#include "ifd/profile/prior.h"
#include "ifd/profile/sample_size.h"

namespace ifd {
namespace {

// Five standard errors of a frequency, and a little for chances next to one.
double allowed(double chance) {
  return 5 * std::sqrt(chance * (1 - chance) / static_cast<double>(kPlanRepeats)) + .002;
}

// Simulated contexts succeed as often as the exact chance from binomials says.
TEST(SampleSizeSimulation, PeakClassAgreesWithTheExactChance) {
  for (const auto& accuracies : {std::vector<double>{.9, .6, .6}, {.5, .7, .4, .2, .1}}) {
    for (const std::uint64_t seed : {1, 2}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed);
      const SampleSizePlan plan = plan_peak_class(accuracies, .1, seed);
      EXPECT_EQ(plan.needed, peak_class_answers(accuracies, .1));
      EXPECT_LE(plan.needed, plan.bound);
      const double chance = peak_class_chance(accuracies, plan.needed);
      EXPECT_NEAR(plan.needed_succeeds, chance, allowed(chance));
      EXPECT_GE(plan.bound_succeeds, 1 - .1);
    }
  }
}

TEST(SampleSizeSimulation, PriorRecoveryAgreesWithTheExactChance) {
  for (const auto& [mean, strength, accuracy, tolerance] :
       {std::tuple{.9, 10.0, .5, .1}, {.2, 30.0, .95, .05}}) {
    const BetaPrior prior = prior_with_mean(mean, strength);
    const SampleSizePlan plan = plan_prior_recovery(prior, accuracy, tolerance, .1, 3);
    EXPECT_EQ(plan.bound, prior_recovery_bound(prior, accuracy, tolerance, .1));
    const double chance = prior_recovery_chance(prior, accuracy, tolerance, plan.needed);
    EXPECT_NEAR(plan.needed_succeeds, chance, allowed(chance));
    EXPECT_GE(plan.bound_succeeds, 1 - .1);
  }
}

// Without answers every posterior is the prior: no class is best, and nothing was recovered.
TEST(SampleSizeSimulation, NoAnswersNeverSucceed) {
  EXPECT_EQ(simulated_peak_class(std::vector<double>{1, 0}, 0, 50, Key(1)), 0);
  EXPECT_EQ(simulated_prior_recovery(prior_with_mean(.9, 10), .5, .1, 0, 50, Key(1)), 0);
  // One answer each tells the certain from the impossible.
  EXPECT_EQ(simulated_peak_class(std::vector<double>{1, 0}, 1, 50, Key(1)), 1);
}

TEST(SampleSizeSimulation, QuestionsWithoutAnAnswerAreRefused) {
  EXPECT_THROW(plan_peak_class(std::vector<double>{.9, .9}, .05, 0), Error);
  EXPECT_THROW(plan_prior_recovery(prior_with_mean(.9, 30), 2, .1, .05, 0), Error);
}

}  // namespace
}  // namespace ifd
