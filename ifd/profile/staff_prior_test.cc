#include "ifd/profile/staff_prior.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ifd/random/keyed_random.h"

namespace ifd {
namespace {

ExpertProfile profile_with(std::span<const ClassCount> counts) {
  ExpertProfile profile(counts.size());
  for (std::size_t k = 0; k < counts.size(); ++k) {
    profile.observe({.truth = class_id(k), .answer = class_id(k), .count = counts[k].correct});
    profile.observe({.truth = class_id(k),
                     .answer = Answer::outside(),
                     .count = counts[k].answers - counts[k].correct});
  }
  return profile;
}

// Of these accuracies by class, `answers` in all, their classes drawn.
ExpertProfile observed(std::span<const double> accuracies, std::size_t answers, const Key& key) {
  std::vector<ClassCount> counts(accuracies.size());
  for (std::size_t i = 0; i < answers; ++i) {
    ClassCount& count = counts[key.with("class").below(counts.size(), i)];
    const std::size_t k = static_cast<std::size_t>(&count - counts.data());
    ++count.answers;
    count.correct += key.with("right").uniform(i) < accuracies[k] ? 1 : 0;
  }
  return profile_with(counts);
}

double drawn_beta(double mean, double strength, double uniform) {
  return BetaPosterior(BetaPrior{mean * strength, (1 - mean) * strength}).quantile(uniform);
}

// How the experts of one staff are: around a level, classes around the expert's, some specialties.
struct Population {
  double level, level_strength, class_strength, specialties;

  std::vector<double> accuracies(std::size_t classes, const Key& key) const {
    const double own = std::clamp(drawn_beta(level, level_strength, key.uniform()), .01, .99);
    std::vector<double> drawn;
    for (std::size_t k = 0; k < classes; ++k) {
      const bool special = key.with("special").uniform(k) < specialties;
      drawn.push_back(special ? .97
                              : drawn_beta(own, class_strength, key.with("skill").uniform(k)));
    }
    return drawn;
  }
};

std::vector<ExpertProfile> staff_of(const Population& population, std::size_t experts,
                                    std::size_t classes, std::size_t answers, const Key& key) {
  std::vector<ExpertProfile> staff;
  for (std::size_t j = 0; j < experts; ++j) {
    const Key own = key.with("expert").with(j);
    staff.push_back(observed(population.accuracies(classes, own), answers, own));
  }
  return staff;
}

const Population kPeople{.8, 20, 12, 0};

// Nobody's own answers are in the prior that the others give: taking somebody out of the staff's
// likelihood is the same as never having had them, to the last bit.
TEST(StaffPrior, IsLearnedFromTheOthers) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto staff = staff_of(kPeople, 6, 5, 12, Key(seed));
    const auto priors = staff_priors(staff);
    for (std::size_t j = 0; j < staff.size(); ++j) {
      std::vector<ExpertProfile> others = staff;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(j));
      EXPECT_EQ(priors[j], StaffPrior(others).of_newcomer(class_counts(staff[j])));
    }
  }
}

TEST(StaffPrior, OrderOfExpertsAndClassesChangesNothing) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key(seed);
    const std::size_t experts = 7, classes = 6;
    const auto staff = staff_of(kPeople, experts, classes, 3 + 7 * seed % 40, key);
    const auto turned = [&](std::size_t k) { return (k * 5 + seed) % classes; };
    std::vector<ExpertProfile> renamed(experts, ExpertProfile(classes));
    for (std::size_t j = 0; j < experts; ++j) {
      std::vector<ClassCount> counts(classes);
      const auto before = class_counts(staff[j]);
      for (std::size_t k = 0; k < classes; ++k) counts[turned(k)] = before[k];
      renamed[(j * 3 + seed) % experts] = profile_with(counts);
    }
    const auto first = staff_priors(staff);
    const auto second = staff_priors(renamed);
    for (std::size_t j = 0; j < experts; ++j) {
      for (std::size_t k = 0; k < classes; ++k) {
        EXPECT_EQ(first[j][k], second[(j * 3 + seed) % experts][turned(k)]);
      }
    }
  }
}

// With the answers known by now the Beta has the mean of the mixture always, and its variance
// unless no positive prior could.
TEST(StaffPrior, KeepsTheMomentsOfTheMixture) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Population population{.7, 10, 4, .2};
    const StaffPrior prior(staff_of(population, 5, 4, 30, Key(seed)));
    const auto counts =
        class_counts(observed(population.accuracies(4, Key(seed).with("new")), 25, Key(seed)));
    const auto moments = prior.moments_of_newcomer(counts);
    const auto priors = prior.of_newcomer(counts);
    for (std::size_t k = 0; k < counts.size(); ++k) {
      ASSERT_GT(priors[k].alpha, 0);
      ASSERT_GT(priors[k].beta, 0);
      const BetaPosterior posterior(priors[k], counts[k].answers, counts[k].correct);
      EXPECT_NEAR(posterior.mean(), moments[k].mean, 1e-9);
      if (priors[k].alpha > .011 && priors[k].beta > .011) {
        EXPECT_NEAR(posterior.variance(), moments[k].variance, 1e-9);
      }
    }
  }
}

// The draws are of the distribution whose moments are told.
TEST(StaffPrior, DrawsHaveTheMoments) {
  const StaffPrior prior(staff_of({.7, 10, 4, .2}, 5, 3, 30, Key(3)));
  const std::vector<ClassCount> counts = {{0, 0}, {4, 4}, {6, 2}};
  const auto moments = prior.moments_of_newcomer(counts);
  const std::size_t draws = 4000;
  const auto drawn = prior.draw_newcomers(counts, draws, Key(5));
  for (std::size_t k = 0; k < counts.size(); ++k) {
    double sum = 0, squares = 0;
    for (const auto& one : drawn) sum += one[k], squares += one[k] * one[k];
    const double mean = sum / draws;
    EXPECT_NEAR(mean, moments[k].mean, 4 * std::sqrt(moments[k].variance / draws)) << k;
    EXPECT_NEAR(squares / draws - mean * mean, moments[k].variance, .1 * moments[k].variance) << k;
  }
}

// A staff of people alike says much; one spammer among them says little; who is not like them is
// believed by the own answers.
TEST(StaffPrior, IsRobustToASpammer) {
  std::vector<ExpertProfile> staff(9, profile_with(std::vector<ClassCount>(5, {20, 18})));
  const std::vector<ClassCount> nothing(5);
  const double mean = BetaPosterior(StaffPrior(staff).of_newcomer(nothing)[0]).mean();
  EXPECT_NEAR(mean, .88, .03);
  staff.push_back(profile_with(std::vector<ClassCount>(5, {20, 4})));
  const StaffPrior with_spammer(staff);
  EXPECT_NEAR(BetaPosterior(with_spammer.of_newcomer(nothing)[0]).mean(), mean, .06);
  const std::vector<ClassCount> bad(5, {4, 1});
  EXPECT_LT(BetaPosterior(with_spammer.of_newcomer(bad)[0], 4, 1).mean(), .5);
  EXPECT_LT(BetaPosterior(with_spammer.of_member(staff.back())[0], 20, 4).mean(), .3);
}

// Staffs of 2, 5 and 20 of several kinds, somebody with 0, 5 and 20 answers: how often the 90 %
// interval of an accuracy holds it.
TEST(StaffPrior, IntervalsCoverWhatTheyPromise) {
  const std::size_t classes = 5, resamples = 60;
  const std::array populations = {kPeople, Population{.6, 8, 6, 0}, Population{.9, 40, 30, 0},
                                  Population{.65, 60, 20, .25}};
  for (const std::size_t experts : {2, 5, 20}) {
    for (const std::size_t answers : {0, 5, 20}) {
      std::size_t covered = 0, all = 0;
      for (const Population& population : populations) {
        for (std::uint64_t seed = 0; seed < resamples; ++seed) {
          const Key key = Key(seed).with("coverage").with(all);
          const StaffPrior prior(staff_of(population, experts, classes, 40, key));
          const Key own = key.with("newcomer");
          const auto accuracies = population.accuracies(classes, own);
          const auto counts = class_counts(observed(accuracies, answers, own));
          const auto priors = prior.of_newcomer(counts);
          for (std::size_t k = 0; k < classes; ++k) {
            const auto [low, high] =
                BetaPosterior(priors[k], counts[k].answers, counts[k].correct).central_interval(.9);
            covered += low <= accuracies[k] && accuracies[k] <= high ? 1 : 0;
            ++all;
          }
        }
      }
      const double share = static_cast<double>(covered) / static_cast<double>(all);
      RecordProperty("staff_" + std::to_string(experts) + "_answers_" + std::to_string(answers),
                     std::to_string(share));
      EXPECT_GE(share, .87) << experts << " experts, " << answers << " answers";
      EXPECT_LE(share, .99) << experts << " experts, " << answers << " answers";
    }
  }
}

// Any number of answers is taken, also more than are counted one by one.
TEST(StaffPrior, TakesHugeCounts) {
  const std::vector<ClassCount> many = {{4'000'000'000, 3'000'000'000}, {10, 10}, {0, 0}};
  const std::vector<ExpertProfile> staff = {profile_with(many), profile_with(many)};
  for (const auto& priors : staff_priors(staff)) {
    for (const BetaPrior& prior : priors) {
      EXPECT_TRUE(std::isfinite(prior.alpha) && prior.alpha > 0);
      EXPECT_TRUE(std::isfinite(prior.beta) && prior.beta > 0);
    }
    EXPECT_NEAR(BetaPosterior(priors[0], many[0].answers, many[0].correct).mean(), .75, 1e-3);
  }
}

// More answers tell more, and right ones speak for who gave them.
TEST(StaffPrior, OutlookNarrowsWithAnswers) {
  const auto outlook = staff_outlook(StaffPrior(staff_of(kPeople, 8, 5, 40, Key(1))), 5);
  ASSERT_GE(outlook.size(), 5U);
  EXPECT_EQ(outlook.front().answers, 0U);
  EXPECT_EQ(outlook.back().answers, 20U);
  EXPECT_EQ(outlook.back().correct, 10U);
  EXPECT_GT(outlook[1].any_class.mean(), outlook.back().any_class.mean());
}

}  // namespace
}  // namespace ifd
