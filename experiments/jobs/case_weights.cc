#include "experiments/jobs/case_weights.h"

#include <algorithm>
#include <cmath>

#include "ifd/random/keyed_random.h"

namespace ifd::experiments {
namespace {

// The quantile of Poisson(1).
std::uint32_t poisson(double level) {
  double probability = std::exp(-1.0), below = probability;
  std::uint32_t count = 0;
  // Past twenty nothing is left that a double could tell.
  while (level >= below && count < 20) {
    ++count;
    probability /= count;
    below += probability;
  }
  return count;
}

}  // namespace

std::vector<std::uint32_t> case_weights(const DataName& data, const Predictions& cases,
                                        std::size_t resample) {
  std::vector<std::uint32_t> weights(cases.size());
  // Few cases may all be left out; such a resample is drawn again.
  for (std::uint64_t attempt = 0;; ++attempt) {
    const Key key = Key(resample).with("case weights").with(data.text()).with(attempt);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      weights[i] = poisson(key.with(cases.case_name(i)).uniform());
    }
    if (std::any_of(weights.begin(), weights.end(), [](std::uint32_t w) { return w > 0; })) {
      return weights;
    }
  }
}

}  // namespace ifd::experiments
