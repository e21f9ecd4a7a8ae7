// A profile from its counts, for tests that calculate by hand.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "ifd/profile/expert_profile.h"

namespace ifd {

// For each class how many answers, and how many of them right; uniform priors.
inline ExpertProfile profile_of(const std::vector<std::pair<int, int>>& answers_and_correct) {
  ExpertProfile profile(answers_and_correct.size());
  for (std::size_t k = 0; k < answers_and_correct.size(); ++k) {
    const auto [answers, correct] = answers_and_correct[k];
    for (int i = 0; i < answers; ++i) {
      profile.observe(
          {.truth = class_id(k), .answer = i < correct ? Answer(class_id(k)) : Answer::outside()});
    }
  }
  return profile;
}

}  // namespace ifd
