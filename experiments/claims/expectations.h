// What a run must give: bands for means, and orders between them. Kept as JSON in
// experiments/expectations/.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "experiments/claims/summary.h"

namespace ifd::experiments {

// The mean over cohorts lies in [low, high].
struct Band {
  Cell cell;
  double low = 0;
  double high = 0;

  bool operator==(const Band&) const = default;
};

// The mean of `upper` is at least that of `lower` minus the tolerance.
struct Order {
  Cell upper;
  Cell lower;
  double tolerance = 0;

  bool operator==(const Order&) const = default;
};

struct Expectations {
  std::vector<Band> bands;
  std::vector<Order> orders;

  bool operator==(const Expectations&) const = default;
};

// {"bands": [{"experiment": "table1", "data": "blood", ..., "low": 0.78, "high": 0.82}, ...],
//  "orders": [{"upper": {"experiment": ...}, "lower": {...}, "tolerance": 0.01}, ...]}
// A cell has the columns of a result row; those left out are empty (x: 0). `name` is the file in
// messages; Error(kBadInput) for what is malformed, a column that does not exist or an empty band.
Expectations expectations_from_json(const std::string& json, const std::string& name);
std::string to_json(const Expectations& expectations);

// Without those on any of these data sets.
Expectations without(Expectations expectations, const std::set<DataName>& data);

// One line for each expectation that fails; none where all hold. A number that was not measured
// fails too, unless its experiment is not among the `selected` ones.
std::vector<std::string> violations(const Summary& summary, const Expectations& expectations,
                                    const std::set<ExperimentName>& selected);

// Bands around the means of this run: the areas of every method of the tables, what the
// certificate says, the errors under priors. A band reaches `slack` beyond the mean at either side
// (0 for an exact zero: what is exactly invariant stays so); numbers in [0, 1] keep their bands
// inside it, and untrained policies on given data have bands of .002 at most. And the orders that
// this run shows by more than `slack` between the identity-free policies and L2D-Pop on experts out
// of distribution, and by more than .005 between combined and final answers.
Expectations propose_expectations(const Summary& summary, double slack);

}  // namespace ifd::experiments
