#include "ifd/profile/prior.h"

#include <fmt/format.h>

#include "ifd/error.h"

namespace ifd {
namespace {

void require_unit(double value, const char* what) {
  if (!(value >= 0 && value <= 1)) {
    throw bad_input(fmt::format("{} is not {}; expected 0..1", value, what));
  }
}

}  // namespace

BetaPrior self_assessed_prior(double accuracy, double confidence, double strength) {
  require_unit(accuracy, "an accuracy");
  require_unit(confidence, "a confidence");
  if (!(strength >= 2 && strength <= kMostPriorStrength)) {
    throw bad_input(
        fmt::format("{} is not a strength; expected 2 to {:.0f}", strength, kMostPriorStrength));
  }
  return {1 + confidence * accuracy * (strength - 2),
          1 + confidence * (1 - accuracy) * (strength - 2)};
}

BetaPrior prior_with_mean(double mean, double strength) {
  if (!(mean > 0 && mean < 1)) {
    throw bad_input(fmt::format("{} is not a prior mean; expected more than 0, less than 1", mean));
  }
  if (!(strength > 0 && strength <= kMostPriorStrength)) {
    throw bad_input(fmt::format("{} is not a strength; expected more than 0, at most {:.0f}",
                                strength, kMostPriorStrength));
  }
  const BetaPrior prior{mean * strength, (1 - mean) * strength};
  if (!is_usable(prior)) {
    throw bad_input(
        fmt::format("mean {} and strength {} make Beta({}, {}); expected both {} or "
                    "more",
                    mean, strength, prior.alpha, prior.beta, kLeastPriorParameter));
  }
  return prior;
}

}  // namespace ifd
