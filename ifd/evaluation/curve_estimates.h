// Summaries of a curve with what other cases of the same kind would have made of them.
#pragma once

#include <optional>
#include <vector>

namespace ifd {

// The quantile of the normal distribution that 95 % intervals reach to on both sides.
inline constexpr double kTwoSided95 = 1.959963984540054;

struct Interval {
  double low;
  double high;
};

struct Estimate {
  double value;  // on the cases as they are
  Interval interval;
};

// Accuracy of model and experts together at a budget.
struct AccuracyEstimate {
  Estimate accuracy;
  Estimate gain;  // over the model alone, on the same cases
};

struct CurveEstimates {
  Estimate aursac;
  // Absent where no case can be deferred. A resample that happens to hold no deferrable case
  // has no AURDAC and is left out of this interval.
  std::optional<Estimate> aurdac;
  Estimate model_accuracy;
  std::vector<AccuracyEstimate> at_budgets = {};  // for each that was asked for
};

}  // namespace ifd
