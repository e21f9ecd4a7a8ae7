#include "ifd/profile/faded_profile.h"

#include <cmath>

namespace ifd {

ExpertProfile faded_profile(const std::vector<BetaPrior>& priors,
                            std::span<const DatedAnswers> answers, double half_life) {
  std::vector<double> right(priors.size(), 0), wrong(priors.size(), 0);
  const std::uint64_t newest = answers.empty() ? 0 : answers.back().date;
  for (std::size_t i = 0; i < answers.size();) {
    const auto [date, truth, ignored, also_ignored] = answers[i];
    // Whole numbers until they are weighed, so that the names of wrong answers cannot matter.
    std::uint64_t hits = 0, misses = 0;
    for (; i < answers.size() && answers[i].date == date && answers[i].truth == truth; ++i) {
      (answers[i].answer.is(truth) ? hits : misses) += answers[i].count;
    }
    const double weight = std::exp2(-static_cast<double>(newest - date) / half_life);
    right[index(truth)] += weight * static_cast<double>(hits);
    wrong[index(truth)] += weight * static_cast<double>(misses);
  }
  std::vector<BetaPrior> rest = priors;
  for (std::size_t k = 0; k < priors.size(); ++k) {
    rest[k].alpha += right[k] - std::floor(right[k]);
    rest[k].beta += wrong[k] - std::floor(wrong[k]);
  }
  ExpertProfile profile(rest);
  for (std::size_t k = 0; k < priors.size(); ++k) {
    const ClassId truth = class_id(k), other = class_id(k == 0 ? 1 : 0);
    profile.observe(
        {.truth = truth, .answer = Answer(truth), .count = static_cast<std::uint64_t>(right[k])});
    profile.observe(
        {.truth = truth, .answer = Answer(other), .count = static_cast<std::uint64_t>(wrong[k])});
  }
  return profile;
}

}  // namespace ifd
