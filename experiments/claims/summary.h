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

// Of independent values: `deviation` is the sample standard deviation (n - 1), `interval` the 95 %
// interval of the mean by Student's t. Neither exists for a single value.
struct Mean {
  double value = 0;
  std::optional<double> deviation = {};
  std::optional<Interval> interval = {};
  std::size_t count = 0;
};
// Nothing for no values.
std::optional<Mean> mean_of(const std::vector<double>& values);

// The quantile 1 - (1 - coverage) / 2 of Student's t: for coverage .95 and 9 degrees 2.262.
double student_factor(double coverage, std::size_t degrees);

// a - b over the cohorts that have both; the interval is Student's over their differences, so it
// covers what varies from cohort to cohort and nothing else.
struct PairedDifference {
  Mean mean;
  std::size_t won = 0;   // cohorts with a > b
  std::size_t tied = 0;  // with a == b
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
  // a - b by cohort, of those that have both.
  std::map<int, double> differences(const Cell& a, const Cell& b) const;
  std::optional<PairedDifference> difference(const Cell& a, const Cell& b) const;
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
};

}  // namespace ifd::experiments
