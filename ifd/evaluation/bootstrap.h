// How far curve summaries would move on other cases of the same kind: the bootstrap over cases.
#pragma once

#include <cstddef>
#include <span>

#include "ifd/evaluation/budget_curve.h"
#include "ifd/evaluation/curve_estimates.h"
#include "ifd/long_work.h"
#include "ifd/random/keyed_random.h"

namespace ifd {

struct BootstrapOptions {
  std::size_t replicates = 1000;
  double confidence = 0.95;
  double d_min = 0;
  double d_max = 1;
  const CancellationToken* cancellation = nullptr;  // may be null
};

// One policy on the cases: row i is the same case in every policy that is compared.
struct PolicyResult {
  std::span<const double> margins;
  std::span<const CaseOutcome> outcomes;
};

// Percentile intervals over resamples of N cases with replacement. Resampling is by weights: the
// cases are sorted once and a replicate costs O(N). The weight of a case follows from the key,
// the replicate and its row, so rows shuffled together give another draw of the same
// distribution. Error(kBadInput) without replicates or with a confidence outside (0, 1).
CurveEstimates bootstrap(const PolicyResult& policy, const Key& key,
                         const BootstrapOptions& options = {});

// `first` minus `second` on the same resamples, so that what both share cancels. Both must speak
// of the same number of cases, otherwise Error(kConflict).
CurveEstimates bootstrap_difference(const PolicyResult& first, const PolicyResult& second,
                                    const Key& key, const BootstrapOptions& options = {});

}  // namespace ifd
