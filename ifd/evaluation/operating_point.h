// What a policy does at one threshold, in the numbers a ward would ask for.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "ifd/evaluation/budget_curve.h"
#include "ifd/routing/budget.h"
#include "ifd/routing/margin_table.h"

namespace ifd {

struct OperatingPoint {
  std::size_t cases;
  std::size_t deferred;
  double deferral_rate;                   // share of the cases that go to an expert
  double coverage;                        // share that the model answers
  double system_accuracy;                 // whoever answers
  std::optional<double> expert_accuracy;  // on deferred cases, if there are any
  std::optional<double> model_accuracy;   // on the cases the model keeps, if there are any
  std::vector<double> load;               // by expert: the share of all cases that this one gets
};

// `outcomes[i].expert` speaks of the expert that routes[i] names. `experts` is the size of
// the roster. Error(kBadInput) where these do not fit together, and where there are no cases.
OperatingPoint operating_point(std::span<const Route> routes, std::span<const CaseOutcome> outcomes,
                               std::size_t experts);

// The routes being those of the rule Delta*(x) >= threshold.
OperatingPoint operating_point(const MarginTable& table, std::span<const CaseOutcome> outcomes,
                               double threshold, std::size_t experts);

}  // namespace ifd
