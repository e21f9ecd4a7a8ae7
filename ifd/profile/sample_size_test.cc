#include "ifd/profile/sample_size.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "ifd/error.h"
#include "ifd/profile/expert_profile.h"
#include "ifd/profile/prior.h"
#include "ifd/random/keyed_random.h"

namespace ifd {
namespace {

// Hand calculation of both formulas.
TEST(SampleSize, BoundsAreThePapersFormulas) {
  // ln(2 * 8 / .05) / (2 * .1^2) = 5.768321 / .02 = 288.4
  EXPECT_EQ(peak_class_bound(8, .2, .05), 289u);
  // max{ 30 (.4 - .05) / .05, 2 ln(40) / .01 } = max{210, 737.8}
  EXPECT_EQ(prior_recovery_bound(prior_with_mean(.9, 30), .5, .1, .05), 738u);
  // A strong wrong prior makes the bias the larger term: 300 (.4 - .05) / .05 = 2100.
  EXPECT_NEAR(static_cast<double>(prior_recovery_bound(prior_with_mean(.9, 300), .5, .1, .05)),
              2100, 1);
}

// Prop. peak-class: at the bound the best class has the largest posterior mean with frequency
// 1 - delta or more; and the exact chance is what simulated contexts show.
TEST(SampleSize, PeakClassIsIdentifiedAtTheBound) {
  const double delta = .1;
  for (const auto& accuracies :
       {std::vector<double>{.9, .6, .6}, {.7, .5, .4, .2, .1}, {.99, .8, .8, .8, .8, .8, .8, .8}}) {
    const double gap = accuracies[0] - accuracies[1];
    const auto bound = peak_class_bound(accuracies.size(), gap, delta);
    const auto needed = peak_class_answers(accuracies, delta);
    EXPECT_LE(needed, bound);
    EXPECT_GE(peak_class_chance(accuracies, bound), 1 - delta);
    EXPECT_GE(peak_class_chance(accuracies, needed), 1 - delta);
    EXPECT_LT(peak_class_chance(accuracies, needed - 1), 1 - delta);
    constexpr int kRepeats = 1000;
    for (const std::uint64_t n : {needed, bound}) {
      int identified = 0;
      for (int repeat = 0; repeat < kRepeats; ++repeat) {
        ExpertProfile profile(accuracies.size());
        ExpertContext context{"e", {}};
        for (std::size_t k = 0; k < accuracies.size(); ++k) {
          const Key key = Key(11).with(repeat).with(k);
          for (std::uint64_t i = 0; i < n; ++i) {
            const bool right = key.uniform(i) < accuracies[k];
            context.rows.push_back(
                {"c", class_id(k), right ? Answer(class_id(k)) : Answer::outside()});
          }
        }
        profile.observe(context);
        const auto means = profile.means();
        bool unique = true;
        for (std::size_t k = 1; k < means.size(); ++k) unique &= means[0] > means[k];
        identified += unique;
      }
      const double frequency = identified / static_cast<double>(kRepeats);
      const double chance = peak_class_chance(accuracies, n);
      // Five standard errors, and a little for chances next to one.
      EXPECT_NEAR(frequency, chance, 5 * std::sqrt(chance * (1 - chance) / kRepeats) + .002);
      if (n == bound) {
        EXPECT_GE(frequency, 1 - delta);
      }
    }
  }
}

// Prop. prior-robust: at the bound the posterior mean is within eps with frequency 1 - delta.
TEST(SampleSize, WrongPriorsAreOvercomeAtTheBound) {
  const double delta = .1;
  for (const auto& [mean, strength, accuracy, tolerance] :
       {std::tuple{.9, 10.0, .5, .1}, {.9, 100.0, .5, .1}, {.2, 30.0, .95, .05}}) {
    const BetaPrior prior = prior_with_mean(mean, strength);
    const auto bound = prior_recovery_bound(prior, accuracy, tolerance, delta);
    const auto needed = prior_recovery_answers(prior, accuracy, tolerance, delta);
    EXPECT_LE(needed, bound);
    EXPECT_GE(prior_recovery_chance(prior, accuracy, tolerance, bound), 1 - delta);
    constexpr int kRepeats = 1000;
    for (const std::uint64_t n : {needed, bound}) {
      int close = 0;
      for (int repeat = 0; repeat < kRepeats; ++repeat) {
        BetaPosterior posterior(prior);
        for (std::uint64_t i = 0; i < n; ++i) {
          posterior.observe(Key(12).with(repeat).uniform(i) < accuracy);
        }
        close += std::abs(posterior.mean() - accuracy) < tolerance;
      }
      const double chance = prior_recovery_chance(prior, accuracy, tolerance, n);
      EXPECT_NEAR(close / static_cast<double>(kRepeats), chance,
                  5 * std::sqrt(chance * (1 - chance) / kRepeats) + .002);
      if (n == bound) {
        EXPECT_GE(close, (1 - delta) * kRepeats);
      }
    }
  }
}

TEST(SampleSize, QuestionsWithoutAnAnswerAreRefused) {
  EXPECT_THROW(peak_class_bound(8, 0, .05), Error);
  EXPECT_THROW(peak_class_bound(8, .2, 0), Error);
  EXPECT_THROW(peak_class_bound(8, 1e-6, .05), Error);
  EXPECT_THROW(peak_class_answers(std::vector<double>{.9, .9, .1}, .05), Error);
  EXPECT_THROW(peak_class_answers(std::vector<double>{.9}, .05), Error);
  EXPECT_THROW(prior_recovery_bound({}, 1.2, .1, .05), Error);
}

}  // namespace
}  // namespace ifd
