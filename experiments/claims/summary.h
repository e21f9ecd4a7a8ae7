// Numbers over cohorts: means, spreads, paired differences.
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiments/result/result.h"

namespace ifd::experiments {

// What a number is a number of: a result row without its cohort and its value.
struct Cell {
  std::string experiment;
  std::string data;
  std::string experts;
  std::string group;
  std::string method;
  std::string setting;
  std::string scale;
  std::string measure;
  double x = 0;

  auto operator<=>(const Cell&) const = default;
};

// "table1 blood variable ood ifd-peak probability aursac": for messages; empty columns are left
// out.
std::string to_text(const Cell& cell);

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
  std::optional<std::string> experiment = {};
  std::optional<std::string> data = {};
  std::optional<std::string> experts = {};
  std::optional<std::string> group = {};
  std::optional<std::string> method = {};
  std::optional<std::string> setting = {};
  std::optional<std::string> scale = {};
  std::optional<std::string> measure = {};
  std::optional<double> x = {};

  bool takes(const Cell& cell) const;
};

// The rows of a study by cell. Where nothing was measured, there is no value.
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
