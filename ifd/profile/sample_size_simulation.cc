#include "ifd/profile/sample_size_simulation.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ifd/profile/sample_size.h"

namespace ifd {
namespace {

// The share of `repeats` for which `succeeds(key)` holds, each with a key of its own.
template <typename Succeeds>
double frequency(std::size_t repeats, const Key& key, const Succeeds& succeeds) {
  std::size_t successes = 0;
  for (std::size_t repeat = 0; repeat < repeats; ++repeat) {
    successes += succeeds(key.with(repeat)) ? 1 : 0;
  }
  return static_cast<double>(successes) / static_cast<double>(repeats);
}

std::uint64_t draw_correct(std::uint64_t answers, double accuracy, const Key& key) {
  std::uint64_t correct = 0;
  for (std::uint64_t i = 0; i < answers; ++i) correct += key.uniform(i) < accuracy ? 1 : 0;
  return correct;
}

}  // namespace

double simulated_peak_class(std::span<const double> accuracies, std::uint64_t answers,
                            std::size_t repeats, const Key& key) {
  const auto best = static_cast<std::size_t>(
      std::max_element(accuracies.begin(), accuracies.end()) - accuracies.begin());
  return frequency(repeats, key, [&](const Key& draw) {
    std::vector<double> means;
    for (std::size_t k = 0; k < accuracies.size(); ++k) {
      const std::uint64_t correct = draw_correct(answers, accuracies[k], draw.with(k));
      means.push_back(BetaPosterior({}, answers, correct).mean());
    }
    for (std::size_t k = 0; k < means.size(); ++k) {
      if (k != best && means[k] >= means[best]) return false;
    }
    return true;
  });
}

double simulated_prior_recovery(const BetaPrior& prior, double accuracy, double tolerance,
                                std::uint64_t answers, std::size_t repeats, const Key& key) {
  return frequency(repeats, key, [&](const Key& draw) {
    const std::uint64_t correct = draw_correct(answers, accuracy, draw);
    return std::abs(BetaPosterior(prior, answers, correct).mean() - accuracy) < tolerance;
  });
}

SampleSizePlan plan_peak_class(std::span<const double> accuracies, double delta,
                               std::uint64_t seed) {
  const std::uint64_t needed = peak_class_answers(accuracies, delta);
  std::vector<double> sorted(accuracies.begin(), accuracies.end());
  std::sort(sorted.rbegin(), sorted.rend());
  const std::uint64_t bound = peak_class_bound(accuracies.size(), sorted[0] - sorted[1], delta);
  const auto succeeds = [&](std::uint64_t answers) {
    return simulated_peak_class(accuracies, answers, kPlanRepeats, Key(seed).with("plan peak"));
  };
  return {bound, needed, succeeds(bound), succeeds(needed)};
}

SampleSizePlan plan_prior_recovery(const BetaPrior& prior, double accuracy, double tolerance,
                                   double delta, std::uint64_t seed) {
  const std::uint64_t bound = prior_recovery_bound(prior, accuracy, tolerance, delta);
  const std::uint64_t needed = prior_recovery_answers(prior, accuracy, tolerance, delta);
  const auto succeeds = [&](std::uint64_t answers) {
    return simulated_prior_recovery(prior, accuracy, tolerance, answers, kPlanRepeats,
                                    Key(seed).with("plan prior"));
  };
  return {bound, needed, succeeds(bound), succeeds(needed)};
}

}  // namespace ifd
