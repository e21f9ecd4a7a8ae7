#include "ifd/profile/prior_alone.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace ifd {
namespace {

std::string range_of(const std::vector<double>& numbers) {
  const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
  const std::string first = fmt::format("{:.3g}", *low), last = fmt::format("{:.3g}", *high);
  return first == last ? first : fmt::format("{} to {}", first, last);
}

}  // namespace

std::string prior_alone(const ExpertProfile& profile) {
  if (profile.answers() > 0) return {};
  std::vector<double> strengths, means;
  for (std::size_t k = 0; k < profile.classes(); ++k) {
    const BetaPosterior& belief = profile.at(class_id(k));
    strengths.push_back(belief.alpha() + belief.beta());
    means.push_back(belief.mean());
  }
  return fmt::format("known from the prior alone: strength {}, mean {}", range_of(strengths),
                     range_of(means));
}

}  // namespace ifd
