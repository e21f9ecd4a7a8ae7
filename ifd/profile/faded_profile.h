// A profile in which old answers count for less.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ifd/data/answer_table.h"
#include "ifd/ids.h"
#include "ifd/profile/beta_posterior.h"
#include "ifd/profile/expert_profile.h"

namespace ifd {

// So many answers alike that were given at one date: a number that grows, such as that of an
// expert's answer.
struct DatedAnswers {
  std::uint64_t date;
  ClassId truth;
  Answer answer;
  std::uint64_t count = 1;
};

// An answer that is `half_life` older than the newest of this expert counts half, of any class: it
// counts 2^(-age / half_life). A class's Beta(alpha, beta) is the prior with these sums added;
// their whole parts are the profile's counts, and the rest is in its prior, so that means and
// variances are those of the sums; outside() is 0. `answers` ascend by date, then truth. There are
// two classes or more.
ExpertProfile faded_profile(const std::vector<BetaPrior>& priors,
                            std::span<const DatedAnswers> answers, double half_life);

}  // namespace ifd
