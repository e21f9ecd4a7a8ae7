// How many cases may go to experts.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <variant>

#include "ifd/data/predictions.h"

namespace ifd {

// This share of the cases at hand, 0..1: those with the largest margins.
struct Budget {
  double share;
};

// Every case with at least this margin.
struct Threshold {
  double margin;
};

// For a stream: the threshold that defers this share of past cases like those to come.
struct CalibratedBudget {
  double share;
  Predictions past_cases;
  double confidence = .95;  // of the interval of the future rate
};

// Nobody takes more cases than they can: the assignment with the largest total margin. An expert
// who is not named has no limit.
struct Capacities {
  std::map<std::string, std::size_t> most_cases;
  std::variant<Budget, Threshold, CalibratedBudget> within;
};

using DeferralRule = std::variant<Budget, Threshold, CalibratedBudget, Capacities>;

}  // namespace ifd
