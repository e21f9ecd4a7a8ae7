// What the losses lead to where everything is known: the population of a finite set of kinds of
// cases, each with its eta, and experts of known theta, profiled by more and more answers.
#include <gtest/gtest.h>
#include <torch/optim/lbfgs.h>
#include <torch/torch.h>

#include <algorithm>
#include <cmath>

#include "ifd/profile/expert_profile.h"
#include "train/ifd_trainer.h"
#include "train/losses.h"

namespace ifd::train {
namespace {

constexpr std::size_t kClasses = 3;
constexpr std::size_t kParts = 20;  // eta is a multiple of 1/20, so 20 rows are a kind's population
using Thetas = std::array<double, kClasses>;

struct Kind {
  std::array<std::size_t, kClasses> parts;
  double eta(std::size_t k) const { return static_cast<double>(parts[k]) / kParts; }
  double top() const {
    return static_cast<double>(*std::max_element(parts.begin(), parts.end())) / kParts;
  }
};

// Every eta with three positive parts.
std::vector<Kind> all_kinds() {
  std::vector<Kind> kinds;
  for (std::size_t a = 1; a + 2 <= kParts; ++a) {
    for (std::size_t b = 1; a + b + 1 <= kParts; ++b) kinds.push_back({{a, b, kParts - a - b}});
  }
  return kinds;
}

// n answers per class, as many right as theta says.
ExpertProfile profile_after(const Thetas& theta, std::uint64_t n) {
  ExpertProfile profile(kClasses);
  for (std::size_t k = 0; k < kClasses; ++k) {
    const auto right = static_cast<std::uint64_t>(std::llround(theta[k] * static_cast<double>(n)));
    profile.observe({.truth = class_id(k), .answer = class_id(k), .count = right});
    profile.observe({.truth = class_id(k), .answer = Answer::outside(), .count = n - right});
  }
  return profile;
}

// Minimises the mean loss of the population, with logits of its own for every kind of case, shared
// by the experts as in training but for g_perp. The margins g_perp - max g, kinds x experts.
torch::Tensor margins_at_the_minimum(const std::vector<Kind>& kinds,
                                     const std::vector<std::vector<double>>& weights_by_class) {
  const auto experts = static_cast<std::int64_t>(weights_by_class.size());
  std::vector<std::int64_t> kind_of_row, labels;
  std::vector<double> weights;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    for (std::size_t k = 0; k < kClasses; ++k) {
      for (std::size_t part = 0; part < kinds[i].parts[k]; ++part) {
        kind_of_row.push_back(static_cast<std::int64_t>(i));
        labels.push_back(static_cast<std::int64_t>(k));
        for (const auto& of_expert : weights_by_class) weights.push_back(of_expert[k]);
      }
    }
  }
  const auto rows = torch::tensor(kind_of_row);
  const auto truth = torch::tensor(labels);
  const auto weight = torch::tensor(weights, torch::kFloat64).view({-1, experts});
  const auto count = static_cast<std::int64_t>(kinds.size());
  const auto options = torch::dtype(torch::kFloat64).requires_grad(true);
  auto classes = torch::zeros({count, kClasses}, options);
  auto deferral = torch::zeros({count, experts}, options);
  torch::optim::LBFGS optimizer({classes, deferral}, torch::optim::LBFGSOptions(1)
                                                         .max_iter(3000)
                                                         .max_eval(6000)
                                                         .tolerance_grad(1e-11)
                                                         .tolerance_change(1e-18)
                                                         .history_size(30)
                                                         .line_search_fn("strong_wolfe"));
  optimizer.step([&] {
    optimizer.zero_grad();
    auto loss =
        deferral_loss(classes.index_select(0, rows), deferral.index_select(0, rows), truth, weight);
    loss.backward();
    return loss;
  });
  return (deferral - std::get<0>(classes.max(1, true))).detach();
}

std::vector<double> weights_of(const Thetas& theta, Objective objective, std::uint64_t n) {
  IfdOptions options;
  options.objective = objective;
  options.trust = Trust::kLowerBound;
  return deferral_weights(profile_after(theta, n), options);
}

constexpr Thetas kSure = {.5, .995, .3};
constexpr Thetas kFair = {.9, .8, .6};
constexpr std::uint64_t kManyAnswers = 4'000'000;

// The paper's asymptotic rule, max eta <= eta_k* theta_k*: the margin at the minimum is the
// logarithm of the quotient of its sides. At threshold 0 it never defers while theta < 1; at a
// lower threshold both sides of the boundary are met, and near it.
TEST(AsymptoticRule, PeakLossLeadsToTheBestClassAlone) {
  const auto kinds = all_kinds();
  const Thetas thetas[] = {kSure, kFair};
  const std::size_t best[] = {1, 0};
  const auto margins =
      margins_at_the_minimum(kinds, {weights_of(kSure, Objective::kPeak, kManyAnswers),
                                     weights_of(kFair, Objective::kPeak, kManyAnswers)});
  const double threshold = std::log(.55);
  std::size_t deferred = 0, near = 0;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      const double rule = std::log(kinds[i].eta(best[j]) * thetas[j][best[j]] / kinds[i].top());
      const double found =
          margins[static_cast<std::int64_t>(i)][static_cast<std::int64_t>(j)].item<double>();
      EXPECT_NEAR(found, rule, 2e-3) << "kind " << i << " expert " << j;
      EXPECT_LT(found, 0);
      EXPECT_EQ(found >= threshold, rule >= threshold) << "kind " << i << " expert " << j;
      deferred += rule >= threshold ? 1 : 0;
      near += std::abs(rule - threshold) < .1 ? 1 : 0;
    }
  }
  EXPECT_GT(deferred, 50U);
  EXPECT_LT(deferred, 2 * kinds.size() - 50);
  EXPECT_GT(near, 10U);
}

// `expected` leads to the Bayes rule of class-conditional experts, max eta <= sum_y eta_y theta_y,
// with both sides at threshold 0.
TEST(AsymptoticRule, ExpectedLossLeadsToTheBayesRule) {
  const auto kinds = all_kinds();
  const Thetas thetas[] = {kSure, kFair};
  const auto margins =
      margins_at_the_minimum(kinds, {weights_of(kSure, Objective::kExpected, kManyAnswers),
                                     weights_of(kFair, Objective::kExpected, kManyAnswers)});
  std::size_t deferred = 0, near = 0;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      double expected = 0;
      for (std::size_t k = 0; k < kClasses; ++k) expected += kinds[i].eta(k) * thetas[j][k];
      const double rule = std::log(expected / kinds[i].top());
      const double found =
          margins[static_cast<std::int64_t>(i)][static_cast<std::int64_t>(j)].item<double>();
      EXPECT_NEAR(found, rule, 2e-3) << "kind " << i << " expert " << j;
      // L is below theta, so a case on the boundary itself stays with the model.
      if (std::abs(rule) > 2e-3) {
        EXPECT_EQ(found >= 0, rule > 0) << "kind " << i << " expert " << j;
      }
      deferred += rule > 0 ? 1 : 0;
      near += std::abs(rule) < .03 ? 1 : 0;
    }
  }
  EXPECT_GT(deferred, 50U);
  EXPECT_LT(deferred, 2 * kinds.size() - 50);
  EXPECT_GT(near, 10U);
}

}  // namespace
}  // namespace ifd::train
