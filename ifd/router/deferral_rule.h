// How many cases may go to experts.
#pragma once

#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <variant>

#include "ifd/certificate/certificate.h"
#include "ifd/data/predictions.h"

namespace ifd {

// The margin that a case must have at least to be deferred within a budget. Empty: where margins
// are expected gains 0, so that nobody is asked where the model is likelier to be right; no limit
// where margins only say which case comes before which.
using LeastMargin = std::optional<double>;
// Every case that the budget allows, whatever its margin.
inline constexpr double kFillBudget = -std::numeric_limits<double>::infinity();

// At most this share of the cases at hand, 0..1: those with the largest margins.
struct Budget {
  double share;
  LeastMargin least_margin = {};
};

// Every case with at least this margin.
struct Threshold {
  double margin;
};

// For a stream: the threshold that defers at most this share of past cases like those to come.
struct CalibratedBudget {
  double share;
  Predictions past_cases;
  double confidence = .95;  // of the interval of the future rate
  LeastMargin least_margin = {};
  // The future rate itself stays within the share with this confidence, for a stream without end
  // or a batch of so many cases: a lower rate is aimed at (confident_threshold).
  std::optional<double> budget_confidence = {};
  std::optional<std::size_t> batch = {};
  // How often, at the most, a stream that is like the past cases gets an alarm that it is not.
  double false_alarms = .01;
};

// The threshold of a certificate that is in force today. Error(kConflict) where it is for another
// roster or policy, or the router has learned since.
struct Certified {
  Certificate certificate;
  CalendarDate today;
};

// Nobody takes more cases than they can: the assignment with the largest total margin. An expert
// who is not named has no limit.
struct Capacities {
  std::map<std::string, std::size_t> most_cases;
  std::variant<Budget, Threshold, CalibratedBudget> within;
};

using DeferralRule = std::variant<Budget, Threshold, CalibratedBudget, Capacities, Certified>;

}  // namespace ifd
