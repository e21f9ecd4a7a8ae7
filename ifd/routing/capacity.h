// Routing when every expert can take only so many cases.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ifd/long_work.h"
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
// node per case: the nodes are the kinds of experts (those with the same margins on every case are
// one kind), entering at a kind brings its best waiting case, and going from kind to kind brings
// the case that loses least by moving.
//
// Most kinds cannot be on the best path. Every kind has a bound on what a path to it can gain, and
// no move gains more than the difference of the bounds it goes between (a solution of the dual
// problem). A search from the experts with room backwards, in the order of what is lost against the
// bounds, ends at the loss of the best path and has then seen all kinds and moves on the best
// paths. Bellman-Ford on these alone finds the path, in an order that only the keys decide, and the
// bounds fall to what the search has shown. With G kinds and D deferred cases, sorting takes O(N G
// log N), a deferred case O(G) and O(D) for each kind that is nearly on the best path: often few,
// all of them at worst. The margins are there twice while the kinds are found; the rest is 4 (N + 2
// D) G bytes.
//
// Rejected: general min-cost flow on the N*J arcs between cases and experts, where every path
// search reads all arcs; Bellman-Ford over all experts, which takes D J^2 at least: hours for
// thousands of experts.
std::vector<Route> assign_within_capacity(std::span<const double> margins,
                                          std::span<const std::size_t> capacities,
                                          DeferralLimit limit,
                                          std::span<const std::uint64_t> case_keys,
                                          std::span<const std::uint64_t> expert_keys,
                                          const LongWork& work = {});

}  // namespace ifd
