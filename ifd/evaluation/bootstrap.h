// How far curve summaries would move on other cases of the same kind: the bootstrap over cases.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ifd/evaluation/budget_curve.h"
#include "ifd/evaluation/curve_estimates.h"
#include "ifd/long_work.h"
#include "ifd/random/keyed_random.h"
#include "ifd/routing/margin_table.h"

namespace ifd {

// Groups by any numbers, numbered 0..count-1 in the order of these.
struct DenseGroups {
  std::vector<std::uint32_t> of_case;
  std::size_t count = 0;
};
DenseGroups dense_groups(std::span<const std::uint32_t> groups);

struct BootstrapOptions {
  std::size_t replicates = 1000;
  double confidence = 0.95;
  double d_min = 0;
  double d_max = 1;
  // The group of each case (patient, recording, document), any number, where cases of one group are
  // alike: groups are drawn then, each with all its cases. Empty: every case by itself.
  std::span<const std::uint32_t> groups = {};
  const CancellationToken* cancellation = nullptr;  // may be null
};

// A budget, and the margin that cases must have at least to go to an expert within it.
struct CappedBudget {
  double share;
  double least_margin = kNeverDefer;
};

// One policy on the cases: row i is the same case in every policy that is compared.
struct PolicyResult {
  std::span<const double> margins;
  std::span<const CaseOutcome> outcomes;
  std::vector<CappedBudget> budgets = {};  // to tell the accuracy at
  // Likewise where the routes are given and stay as they are in every resample (an assignment
  // within capacities): the credit that each case ends with. Told before the budgets.
  std::vector<std::vector<Credit>> fixed = {};
  // Where a budget is capped by something else than the margin: the margins with kNeverDefer for
  // cases that it never takes, and such budgets. Told between the fixed and the others.
  std::span<const double> capped_margins = {};
  std::vector<CappedBudget> capped_budgets = {};
};

// Percentile intervals over resamples of N cases with replacement. Resampling is by weights: the
// cases are sorted once and a replicate costs O(N). The weight of a case follows from the key,
// the replicate and its row, so rows shuffled together give another draw of the same
// distribution. Error(kBadInput) without replicates, with a confidence outside (0, 1), or with
// groups that are not one for each case.
CurveEstimates bootstrap(const PolicyResult& policy, const Key& key,
                         const BootstrapOptions& options = {});

// `first` minus `second` on the same resamples, so that what both share cancels. Both must speak
// of the same number of cases, budgets and fixed routes, otherwise Error(kConflict).
CurveEstimates bootstrap_difference(const PolicyResult& first, const PolicyResult& second,
                                    const Key& key, const BootstrapOptions& options = {});

}  // namespace ifd
