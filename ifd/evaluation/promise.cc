#include "ifd/evaluation/promise.h"

#include <algorithm>
#include <cmath>

namespace ifd {

std::vector<Promise::Bin> joined_bins(std::span<const Promise::Bin> bins, std::size_t least) {
  std::vector<Promise::Bin> joined;
  const auto join = [](Promise::Bin& to, const Promise::Bin& bin) {
    const auto a = static_cast<double>(to.cases), b = static_cast<double>(bin.cases);
    to.promised = (a * to.promised + b * bin.promised) / (a + b);
    to.realised = (a * to.realised + b * bin.realised) / (a + b);
    to.cases += bin.cases;
  };
  for (const Promise::Bin& bin : bins) {
    if (joined.empty() || joined.back().cases >= least) {
      joined.push_back(bin);
    } else {
      join(joined.back(), bin);
    }
  }
  if (joined.size() > 1 && joined.back().cases < least) {
    join(joined[joined.size() - 2], joined.back());
    joined.pop_back();
  }
  return joined;
}

Interval realised_interval(const Promise::Bin& bin) {
  const auto n = static_cast<double>(bin.cases);
  const double p = bin.realised;
  const double z2 = kTwoSided95 * kTwoSided95;
  const double centre = (p + z2 / (2 * n)) / (1 + z2 / n);
  const double reach = kTwoSided95 * std::sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n);
  return {std::clamp(centre - reach, 0.0, p), std::clamp(centre + reach, p, 1.0)};
}

}  // namespace ifd
