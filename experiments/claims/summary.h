// Numbers over cohorts: means, spreads, paired differences.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "experiments/result/job_result.h"

namespace ifd::experiments {

struct Interval {
  double low = 0;
  double high = 0;
};

// What would have to be drawn again for the mean to move as far as its interval says.
enum class Covers { kCohorts, kCohortsAndCases };

// Of one value for each cohort. `deviation` is the sample standard deviation (n - 1), `error` the
// standard error of the mean, `interval` its 95 % interval with the width of Student's t. None of
// them exists for a single value.
struct Mean {
  double value = 0;
  std::optional<double> deviation = {};
  std::optional<Interval> interval = {};
  std::size_t count = 0;
  std::optional<double> error = {};
  Covers covers = Covers::kCohorts;
};
// Nothing for no values.
std::optional<Mean> mean_of(const std::vector<double>& values);

// The interval of a mean at another coverage than .95; nothing without a standard error.
std::optional<Interval> interval_at(const Mean& mean, double coverage);

// The quantile 1 - (1 - coverage) / 2 of Student's t: for coverage .95 and 9 degrees 2.262.
double student_factor(double coverage, std::size_t degrees);

// What a cohort gave on all cases, and under each resample of the cases.
struct CohortValue {
  double value = 0;
  std::vector<double> replicates = {};
};

// The crossed bootstrap. Cohorts meet the same cases, so a case that happens to be there moves all
// of them alike, and a mean over ever more cohorts does not forget it. Resample s of the cases is
// met with draw s of the cohorts, with replacement, the same draw for everything that has as many
// cohorts; the standard error is the standard deviation over s of the drawn cohorts' mean, times
// sqrt(C / (C - 1)), since C cohorts drawn from C vary less than C new ones. The interval is
// Student's with C - 1 degrees. Where a cohort has no replicates the mean is that of mean_of.
std::optional<Mean> crossed_mean(const std::vector<CohortValue>& cohorts);

// a - b over the cohorts that have both, by crossed_mean.
struct PairedDifference {
  Mean mean;
  std::size_t won = 0;   // cohorts with a > b
  std::size_t tied = 0;  // with a == b
};

// A number that counts `weight` times in a sum.
struct Term {
  Cell cell;
  double weight = 1;
};

// What is subtracted from what.
struct CellPair {
  Cell upper, lower;
};

// Which cells to take: an empty column takes all.
struct CellFilter {
  std::optional<ExperimentName> experiment = {};
  std::optional<DataName> data = {};
  std::optional<ExpertsName> experts = {};
  std::optional<GroupName> group = {};
  std::optional<MethodName> method = {};
  std::optional<Setting> setting = {};
  std::optional<ScaleName> scale = {};
  std::optional<MeasureName> measure = {};
  std::optional<double> x = {};

  bool takes(const Cell& cell) const;
};

// The rows of a run by cell. Where nothing was measured, there is no value.
class Summary {
 public:
  // Two different values of one cell and cohort are an Error(kConflict); equal ones count once.
  explicit Summary(const std::vector<ResultRow>& rows);

  // By cohort; empty where nothing was measured.
  const std::map<int, double>& values(const Cell& cell) const;
  std::optional<Mean> mean(const Cell& cell) const;
  // The weighted sum of these numbers, over the cohorts that have all of them.
  std::optional<PairedDifference> sum(const std::vector<Term>& terms) const;
  // a - b by cohort, of those that have both.
  std::map<int, double> differences(const Cell& a, const Cell& b) const;
  std::optional<PairedDifference> difference(const Cell& a, const Cell& b) const;
  // The mean of upper - lower over those of the pairs that were measured, each cohort's its own.
  std::optional<PairedDifference> mean_difference(const std::vector<CellPair>& pairs) const;
  // (a - b) - (c - d), paired in the same way.
  std::optional<PairedDifference> difference_of_differences(const Cell& a, const Cell& b,
                                                            const Cell& c, const Cell& d) const;

  const std::map<Cell, std::map<int, double>>& cells() const { return cells_; }
  std::vector<Cell> cells(const CellFilter& filter) const;
  // The values of all cells that the filter takes, each cohort's its own.
  std::vector<double> pooled(const CellFilter& filter) const;
  // The different values of a column among those cells, ascending: distinct(f, &Cell::method).
  template <class Value>
  std::vector<Value> distinct(const CellFilter& filter, Value Cell::*column) const {
    std::set<Value> found;
    for (const Cell& cell : cells(filter)) found.insert(cell.*column);
    return {found.begin(), found.end()};
  }
  bool has(const CellFilter& filter) const { return !cells(filter).empty(); }

 private:
  std::map<Cell, std::map<int, double>> cells_;
  std::map<Cell, std::map<int, std::vector<double>>> replicates_;
};

}  // namespace ifd::experiments
