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
// messages; Error(kBadInput) for what is malformed, a column that does not exist, an empty band, or
// nothing at all to compare with.
Expectations expectations_from_json(const std::string& json, const std::string& name);
std::string to_json(const Expectations& expectations);

// Without those on any of these data sets.
Expectations without(Expectations expectations, const std::set<DataName>& data);

// One line for each expectation that fails; none where all hold. A number that was not measured
// fails too, unless its experiment is not among the `selected` ones.
std::vector<std::string> violations(const Summary& summary, const Expectations& expectations,
                                    const std::set<ExperimentName>& selected);

// Bands around the means of this run, for every number that tables show. They reach 1e-6 to either
// side where given or generated data alone stand behind a number, three standard errors (four for
// AURDAC and shares rerouted), at least .0005, where a policy or a classifier was trained, or half
// the interval over recordings where that reaches further and policies of scorers stand behind it,
// and no less than `slack` (three times that for those two) where something was trained with one or
// two cohorts, and 0 for the exact zero of a renaming: what is exactly invariant stays so. The
// orders this run shows, by more than .005: between the identity-free policies and L2D-Pop on
// experts out of distribution, and between combined and final answers.
Expectations propose_expectations(const Summary& summary, double slack);

// The means that have bands, each as that of cohort 0: what is kept of a study beside its bands, so
// that the two can be held against each other without computing anything again.
std::vector<ResultRow> banded_means(const Summary& summary, const Expectations& expectations);

// Expectations with the means that they are around.
struct Proposal {
  Expectations expectations;
  std::vector<ResultRow> means;
};
// `now` with all that `before` has of experiments that are not among the `measured`, in order.
Proposal with_others_of(const Proposal& before, Proposal now,
                        const std::set<ExperimentName>& measured);

}  // namespace ifd::experiments
