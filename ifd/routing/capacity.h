// Routing when every expert can take only so many cases.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ifd/routing/budget.h"
#include "ifd/routing/margin_table.h"

namespace ifd {

// At most `max_cases` cases are deferred in all.
//   min_margin finite:       maximise the sum over deferred cases of (margin - min_margin), and
//                            among such assignments defer the most cases (so a case exactly at the
//                            threshold is deferred, as in the rule without capacities).
//   min_margin kNeverDefer:  defer as many cases as max_cases, capacities and availability allow,
//                            and among such assignments maximise the total margin.
struct DeferralLimit {
  std::size_t max_cases;
  double min_margin = kNeverDefer;
};

// The best assignment of cases to experts within the capacities; exact up to the rounding of sums
// of margins.
//
// `margins` is N x J row by row, finite or kNeverDefer where the expert may not take the case.
// Where several assignments are best, the tie keys choose, never the order of rows or columns:
// keys (64 bits drawn from the names, say) travel with their case or expert, and those of two
// cases or two experts must differ.
//
// Design. Cases are deferred one at a time along the best augmenting path, which leaves the
// assignment optimal for its number of cases; a deferred case stays deferred but may change
// hands. The gain never grows from one path to the next, so one loop serves both limits: it stops
// at max_cases, when no path is left, or when the gain falls below min_margin. A path needs no
// node per case: the nodes are the J experts, entering at j costs the best waiting case of j, and
// going from j to j' costs the case of j that loses least by moving. Heaps with lazy deletion keep
// these best cases, so a deferred case costs O(J^2 + J log N) with few rerouted cases, and
// O(J^3 + J^2 log N) at worst.
//
// Rejected: general min-cost flow on the N*J arcs between cases and experts. Every path search
// would read all arcs, N times more than the J^2 that matter.
std::vector<Route> assign_within_capacity(std::span<const double> margins,
                                          std::span<const std::size_t> capacities,
                                          DeferralLimit limit,
                                          std::span<const std::uint64_t> case_keys,
                                          std::span<const std::uint64_t> expert_keys);

}  // namespace ifd
