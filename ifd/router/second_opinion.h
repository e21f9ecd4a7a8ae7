// Whether somebody else should look at a case.
#pragma once

#include <span>
#include <vector>

#include "ifd/profile/expert_profile.h"
#include "ifd/router/combination.h"

namespace ifd {

// Somebody who could still be asked.
struct Reader {
  ExpertId expert;
  std::span<const double> means;
};

// `belief` is what is known of the case's class. `asked` are the means of who has been asked and
// has not answered yet; empty: nobody. Answers count as independent given the class here. Of
// equally good readers the first.
SecondOpinion second_opinion(std::span<const double> belief, std::span<const double> asked,
                             std::span<const Reader> readers, const AdviceOptions& options);

// Error(kBadInput) for what is no chance.
void check(const AdviceOptions& options);

}  // namespace ifd
