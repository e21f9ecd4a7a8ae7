#include "experiments/jobs/invariance.h"

#include <algorithm>
#include <cmath>

#include "experiments/jobs/measure.h"
#include "experiments/result/labels.h"
#include "ifd/experts/relabelling.h"
#include "ifd/policy/availability.h"
#include "ifd/policy/policy_catalogue.h"
#include "ifd/policy/scoring.h"
#include "ifd/routing/budget.h"

namespace ifd::experiments {
namespace {

constexpr double kBudget = 0.2;

struct Decisions {
  std::vector<double> margins;  // N x J
  std::vector<Route> routes;
};

Decisions decide(const PolicyFile& file, const Predictions& cases,
                 std::span<const ExpertContext> contexts, const Predictions& context_predictions,
                 std::uint64_t seed) {
  const Roster roster = make_roster(contexts, cases.classes().size());
  PolicyMaterials materials{roster};
  materials.contexts = contexts;
  materials.context_predictions = &context_predictions;
  const auto policy = make_policy(file, materials);
  const Availability everybody(roster.size());
  const MarginTable winners = winning_margins(*policy, cases, roster.names, everybody, {seed, 1});
  return {all_margins(*policy, cases, everybody),
          route_by_threshold(winners, threshold_for_budget(winners.margin, kBudget))};
}

}  // namespace

std::vector<ResultRow> invariance_rows(const ResultRow& where, const PolicyFile& file,
                                       const Predictions& cases, const ExpertGroup& group,
                                       std::size_t count, std::uint64_t seed) {
  const Decisions before = decide(file, cases, group.contexts, group.context_predictions, seed);
  std::vector<ResultRow> rows;
  const auto compare = [&](const Setting& kind, std::size_t number, const Decisions& after) {
    double largest = 0;
    double sum = 0;
    for (std::size_t i = 0; i < after.margins.size(); ++i) {
      const double moved = std::abs(after.margins[i] - before.margins[i]);
      largest = std::max(largest, moved);
      sum += moved;
    }
    std::size_t rerouted = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (after.routes[i].expert != before.routes[i].expert) ++rerouted;
    }
    ResultRow here = where;
    here.experiment = kInvariance;
    here.setting = kind;
    here.x = static_cast<double>(number);
    rows.push_back(row_of(here, kLargestMarginChange, largest));
    rows.push_back(
        row_of(here, kMeanMarginChange, sum / static_cast<double>(after.margins.size())));
    rows.push_back(row_of(here, kShareRerouted,
                          static_cast<double>(rerouted) / static_cast<double>(cases.size())));
  };
  for (std::size_t number = 1; number <= count; ++number) {
    const auto pi =
        Relabelling::random(cases.classes().size(), Key(seed).with("invariance").with(number));
    const auto contexts = relabelled(group.contexts, pi);
    compare(kCoherent, number,
            decide(file, relabelled(cases, pi), contexts, relabelled(group.context_predictions, pi),
                   seed));
    compare(kExpertOnly, number, decide(file, cases, contexts, group.context_predictions, seed));
  }
  return rows;
}

}  // namespace ifd::experiments
