// Large rosters: experts who read the same numbers share one evaluation, beside evaluating every
// pair of case and expert.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "benchmarks/generated_data.h"
#include "benchmarks/generated_network.h"
#include "benchmarks/sections.h"
#include "ifd/policy/role_policy.h"
#include "ifd/policy/scoring.h"
#include "ifd/rejector/trained_rejector.h"

namespace ifd::benchmark {
namespace {

constexpr std::size_t kClasses = 8;

std::unique_ptr<RolePolicy> policy_of(const Roster& roster, Sharing sharing) {
  TrainedRejectorParts parts;
  parts.layers = generated_layers();
  return role_policy(roster,
                     std::make_unique<TrainedRejector>(std::move(parts), MarginScale::kProbability),
                     TieRule::kByReadings, sharing);
}

Predictions first_cases(const Predictions& predictions, std::size_t count) {
  std::vector<std::size_t> rows(std::min(count, predictions.size()));
  std::iota(rows.begin(), rows.end(), 0UL);
  return predictions.subset(rows);
}

struct Shape {
  std::size_t experts;
  std::size_t cases;
  std::size_t sliced;  // cases on which every pair is evaluated
  double least;
};

void measure_shape(Report& report, const Effort& effort, const Shape& shape) {
  const Roster roster = specialist_roster(shape.experts, kClasses);
  const Predictions all = generated_predictions(shape.cases, kClasses);
  const Predictions slice = first_cases(all, shape.sliced);
  const Availability everybody(shape.experts);
  const auto shared = policy_of(roster, Sharing::kExact);
  const auto paired = policy_of(roster, Sharing::kNone);
  const auto score = [&](const RolePolicy& policy, const Predictions& cases, MarginTable& table) {
    return seconds([&] { table = winning_margins(policy, cases, roster.names, everybody); });
  };
  MarginTable with, without;
  const Comparison comparison = interleave(
      std::min<std::size_t>(effort.rounds, 3), [&] { return score(*shared, slice, with); },
      [&] { return score(*paired, slice, without); });
  if (with.margin != without.margin || with.expert != without.expert) {
    throw std::runtime_error("sharing: a route differs from that of evaluating every pair");
  }
  report.add(speed_row_of(
      fmt::format("sharing, {} experts vs every pair, {} cases", shape.experts, slice.size()),
      comparison, shape.least));
  const SharingCounts before = shared->sharing_counts();
  MarginTable table;
  const double whole = score(*shared, all, table);
  const SharingCounts after = shared->sharing_counts();
  const double pairs = static_cast<double>(after.pairs - before.pairs);
  const double evaluations = static_cast<double>(after.evaluations - before.evaluations);
  report.note(fmt::format(
      "every pair is evaluated on {} of the cases, same winners and margins bit for bit; all {} x "
      "{} take {} when shared, with {:.3g} pairs an evaluation",
      slice.size(), shape.experts, shape.cases, show_seconds(whole), pairs / evaluations));
}

}  // namespace

void measure_sharing(Report& report, const Effort& effort) {
  const bool quick = effort.cases < 1'000'000;
  measure_shape(report, effort, {1'000, quick ? 1'000UL : 10'000UL, quick ? 100UL : 400UL, 2});
  measure_shape(report, effort, {10'000, quick ? 200UL : 2'000UL, quick ? 10UL : 40UL, 8});
}

}  // namespace ifd::benchmark
