// From a deferral budget to a threshold on the margin, and from a threshold to routes.
//
// A margin here is finite, or kNeverDefer where nobody may take the case; every function that
// takes margins throws Error(kBadInput) for any other value.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "ifd/ids.h"
#include "ifd/routing/margin_table.h"

namespace ifd {

enum class Decision { kModel, kExpert };

// Who answers a case. `margin` belongs to the expert who takes it; where the model answers, it is
// the largest margin the case had.
struct Route {
  ExpertId expert;  // kNobody: the model answers
  double margin;

  Decision decision() const { return expert == kNobody ? Decision::kModel : Decision::kExpert; }
  bool operator==(const Route&) const = default;
};

// Error(kBadInput) unless every margin is finite or kNeverDefer.
void check_margins(std::span<const double> margins);

// The largest m with m/N <= budget: floor(dN) of the decimal number the user wrote, so that 0.29
// of 100 cases is 29 although 0.29 * 100 < 29 in floating point. The budget must lie in [0, 1].
std::size_t budget_cases(double budget, std::size_t cases);

// tau(d) on given cases: {margin >= tau} is the largest set of whole blocks of equal margins with
// at most budget_cases(d, N) cases. A block is never split, because only the order of rows could
// say where; cases with kNeverDefer are never in the set. +infinity when nothing may be deferred.
double threshold_for_budget(std::span<const double> margins, double budget);

// The block of equal margins that a budget leaves out for lack of room, although it has room for
// some of its cases; none where all that it allows are deferred, or all that may be.
struct BlockLeftOut {
  double margin;
  std::size_t cases;
  std::size_t before;  // cases with a larger margin, all of them within the budget
};
std::optional<BlockLeftOut> block_left_out(std::span<const double> margins, double budget);

struct CalibratedThreshold {
  double threshold;
  std::size_t calibration_cases;
  std::size_t deferred_on_calibration;
  double rate;       // deferred_on_calibration / calibration_cases
  double rate_low;   // the future rate lies in [rate_low, rate_high] ...
  double rate_high;  // ... with at least this confidence:
  double confidence;
};

// tau(d) for a stream, from calibration cases drawn like the stream's and scored for the roster on
// duty: the margin is a maximum over available experts, so another roster realises another rate.
//
// With continuous margins and k of n cases deferred, tau is the k-th largest margin and the future
// rate P(margin >= tau) is distributed as Beta(k, n-k+1). Where margins tie, the rate lies between
// the k-th and the (k+1)-th order statistic. The interval therefore runs from the lower tail of
// Beta(k, n-k+1) to the upper tail of Beta(k+1, n-k): exact below, at most one rank too wide above.
// k = n has the upper end 1. k = 0 means tau = +infinity, which defers nothing ever: [0, 0].
//
// Where tau would be below `least_margin`, that is the threshold. It does not depend on the cases,
// so that k is binomial and the same formula is the exact interval of its rate, for k = 0 too.
CalibratedThreshold calibrate_threshold(std::span<const double> margins, double budget,
                                        double confidence = 0.95,
                                        double least_margin = kNeverDefer);

// The rule of the multi-expert remark: defer to j*(x) if Delta*(x) >= tau. A case that nobody may
// take stays with the model, whatever the threshold.
std::vector<Route> route_by_threshold(const MarginTable& table, double threshold);

}  // namespace ifd
