// Whether somebody else should look at a case.
#pragma once

#include <span>
#include <vector>

#include "ifd/decision/expected_costs.h"
#include "ifd/router/combination.h"

namespace ifd {

// Somebody who could still be asked.
struct Reader {
  ExpertId expert;
  std::span<const double> means;
  double fee = 0;
};

// `belief` is what is known of the case's class. `asked` are the means of who has been asked and
// has not answered yet; empty: nobody. Answers count as independent given the class here. Of
// equally good readers the first. `costs` may be null. With somebody asked and uneven costs it is
// O(K^3) per reader.
SecondOpinion second_opinion(std::span<const double> belief, std::span<const double> asked,
                             std::span<const Reader> readers, const AdviceOptions& options,
                             const ExpectedCosts* costs = nullptr);

// Error(kBadInput) unless `sure` is a probability and `worth` a gain in probability.
void check(const AdviceOptions& options);

// Beyond so many classes, what a second answer saves beside the first takes too long to work out.
inline constexpr std::size_t kMostClassesOfSecondAnswers = 200;
// Error(kBadInput) beyond them, where `costs`, which may be null, are uneven.
void check_second_answers(const ExpectedCosts* costs);

}  // namespace ifd
