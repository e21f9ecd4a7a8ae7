// What the staff's prior costs where it has nothing to say: specialists, each good at other
// classes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ifd/profile/staff_prior.h"
#include "ifd/random/keyed_random.h"

namespace ifd {
namespace {

constexpr std::size_t kSimulatedClasses = 8;
constexpr std::size_t kSimulatedCases = 600;

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

struct Specialists {
  double specialty, elsewhere;  // accuracy, with N(0, .25) on the logit scale for each expert
  std::size_t specialties;      // classes of each

  std::vector<std::vector<double>> accuracies(std::size_t experts, const Key& key) const {
    const auto logit = [](double p) { return std::log(p / (1 - p)); };
    std::vector<std::vector<double>> all;
    for (std::size_t j = 0; j < experts; ++j) {
      std::vector<double> own(kSimulatedClasses,
                              logistic(logit(elsewhere) + .25 * key.with("rest").normal(j)));
      for (std::size_t s = 0; s < specialties; ++s) {
        own[(j * specialties + s) % kSimulatedClasses] =
            logistic(logit(specialty) + .25 * key.with("special").with(j).normal(s));
      }
      all.push_back(std::move(own));
    }
    return all;
  }
};

struct SimulatedCase {
  std::vector<double> probabilities;
  std::size_t truth;
};

// A calibrated model: the logits of each case are normal around the truth.
std::vector<SimulatedCase> cases_of(const Key& key) {
  constexpr double kSharpness = 2.2;
  std::vector<SimulatedCase> cases;
  for (std::size_t i = 0; i < kSimulatedCases; ++i) {
    SimulatedCase one{{}, key.with("truth").below(kSimulatedClasses, i)};
    double sum = 0;
    for (std::size_t k = 0; k < kSimulatedClasses; ++k) {
      const double z = key.with("z").with(i).normal(k) + (k == one.truth ? kSharpness : 0);
      one.probabilities.push_back(std::exp(kSharpness * z));
      sum += one.probabilities.back();
    }
    for (double& p : one.probabilities) p /= sum;
    cases.push_back(std::move(one));
  }
  return cases;
}

// The expected area of the plug-in rule with these beliefs, by the true accuracies.
double area(const std::vector<SimulatedCase>& cases,
            const std::vector<std::vector<double>>& believed,
            const std::vector<std::vector<double>>& accuracies) {
  std::vector<std::pair<double, double>> order;  // minus the margin, gain
  double model = 0;
  for (const SimulatedCase& one : cases) {
    const auto top = std::ranges::max_element(one.probabilities);
    const double right =
        static_cast<std::size_t>(top - one.probabilities.begin()) == one.truth ? 1 : 0;
    model += right / kSimulatedCases;
    double best = -1, gain = 0;
    for (std::size_t j = 0; j < believed.size(); ++j) {
      const double promised = std::inner_product(one.probabilities.begin(), one.probabilities.end(),
                                                 believed[j].begin(), 0.);
      if (promised <= best) continue;
      best = promised;
      gain = accuracies[j][one.truth] - right;
    }
    order.emplace_back(*top - best, gain);
  }
  std::ranges::stable_sort(order, {}, &std::pair<double, double>::first);
  double sum = 0, all = 0;
  for (const auto& [margin, gain] : order) {
    all += sum + gain / 2;
    sum += gain;
  }
  return model + all / (kSimulatedCases * kSimulatedCases);
}

// What the staff's prior gains over the uniform one with so many answers per class.
double gain_of(const Specialists& kind, std::size_t experts, std::uint64_t answers,
               const Key& key) {
  const auto accuracies = kind.accuracies(experts, key);
  std::vector<ExpertProfile> staff;
  for (std::size_t j = 0; j < experts; ++j) {
    ExpertProfile profile(kSimulatedClasses);
    for (std::size_t k = 0; k < kSimulatedClasses; ++k) {
      std::uint64_t right = 0;
      const Key luck = key.with("answer").with(j).with(k);
      for (std::uint64_t i = 0; i < answers; ++i) right += luck.uniform(i) < accuracies[j][k];
      profile.observe({.truth = class_id(k), .answer = class_id(k), .count = right});
      profile.observe(
          {.truth = class_id(k), .answer = Answer::outside(), .count = answers - right});
    }
    staff.push_back(std::move(profile));
  }
  const auto priors = staff_priors(staff);
  std::vector<std::vector<double>> uniform, learned;
  for (std::size_t j = 0; j < experts; ++j) {
    uniform.emplace_back(staff[j].means().begin(), staff[j].means().end());
    learned.emplace_back();
    for (std::size_t k = 0; k < kSimulatedClasses; ++k) {
      const BetaPosterior& here = staff[j].at(class_id(k));
      learned.back().push_back(BetaPosterior(priors[j][k], here.answers(), here.correct()).mean());
    }
  }
  const std::vector<SimulatedCase> cases = cases_of(key);
  return area(cases, learned, accuracies) - area(cases, uniform, accuracies);
}

double mean_gain(const Specialists& kind, std::size_t experts, std::uint64_t answers) {
  constexpr std::uint64_t kSeeds = 20;
  double sum = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    sum += gain_of(kind, experts, answers, Key(seed).with("specialists"));
  }
  return sum / kSeeds;
}

// The accuracies by class of the paper's Variable and Stable archetypes.
TEST(NewcomerSimulated, TheStaffsPriorCostsSpecialistsNothing) {
  for (const Specialists& kind : {Specialists{.85, .62, 1}, Specialists{.9, .7, 1}}) {
    for (const std::size_t experts : {4, 10}) {
      for (const std::uint64_t answers : {1, 2, 5, 15}) {
        const double found = mean_gain(kind, experts, answers);
        EXPECT_GT(found, -.003) << kind.specialty << ' ' << experts << ' ' << answers;
        EXPECT_LT(found, .02);
      }
    }
  }
}

// Three classes of eight near certainty and the rest worse than a coin, every expert exactly as
// good as the next: what speaks for one class speaks against another, which the model of the prior
// does not know. One or two answers per class are where it costs most; with five it does not.
TEST(NewcomerSimulated, WhatItCostsWhereItsModelIsWrongIsKnown) {
  const Specialists harsh{.99, .4, 3};
  for (const std::size_t experts : {4, 10}) {
    for (const std::uint64_t answers : {1, 2}) {
      const double found = mean_gain(harsh, experts, answers);
      RecordProperty("harsh_" + std::to_string(experts) + "_" + std::to_string(answers),
                     std::to_string(found));
      EXPECT_GT(found, -.005) << experts << ' ' << answers;
    }
    for (const std::uint64_t answers : {5, 15}) {
      EXPECT_GT(mean_gain(harsh, experts, answers), -.003) << experts << ' ' << answers;
    }
  }
}

}  // namespace
}  // namespace ifd
