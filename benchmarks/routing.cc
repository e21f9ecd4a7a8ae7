// Routing from predictions to routes: how its cost grows, and what capacities add.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "benchmarks/generated_data.h"
#include "benchmarks/sections.h"
#include "ifd/policy/asking_gain.h"
#include "ifd/policy/scoring.h"
#include "ifd/policy/untrained.h"
#include "ifd/random/keyed_random.h"
#include "ifd/routing/budget.h"
#include "ifd/routing/capacity.h"

namespace ifd::benchmark {
namespace {

double sorting_seconds(const std::vector<double>& values) {
  std::vector<double> unsorted = values;
  const double took = seconds([&] { std::sort(unsorted.begin(), unsorted.end()); });
  keep(unsorted);
  return took;
}

// What combined answers add: asking only where an answer can change the label.
Row combined_row(const DeferralPolicy& policy, const Roster& roster, const Predictions& cases,
                 const Effort& effort) {
  constexpr double kMostRatio = 1.1;
  const Availability everybody(roster.size());
  const AskingGain gain(roster.profiles, nullptr, roster.names);
  const auto routing = [&](bool combined) {
    return seconds([&] {
      ScoringOptions scoring;
      if (combined) scoring.gain = &gain;
      const MarginTable table = winning_margins(policy, cases, roster.names, everybody, scoring);
      keep(route_by_threshold(table, threshold_for_budget(table.margin, 0.2)));
    });
  };
  const Comparison comparison = interleave(
      effort.rounds, [&] { return routing(true); }, [&] { return routing(false); });
  Row row = row_of("routing combined answers vs final ones, N = 1e+05", comparison);
  row.target = {fmt::format("ratio <= {}", kMostRatio), comparison.ratio <= kMostRatio};
  return row;
}

}  // namespace

void measure_routing(Report& report, const Effort& effort) {
  constexpr std::size_t kClasses = 8;
  constexpr std::size_t kExperts = 10;
  const Roster roster = generated_roster(kExperts, kClasses);
  const auto policy = plug_in_policy(roster, MarginScale::kProbability);
  const Availability everybody(kExperts);
  double first = 0;
  for (std::size_t n = 10'000; n <= effort.largest_curve; n *= 10) {
    const Predictions predictions = generated_predictions(n, kClasses);
    std::vector<double> margins;
    for (std::size_t row = 0; row < n; ++row) margins.push_back(Key(17).uniform(row));
    const Comparison comparison = interleave(
        effort.rounds,
        [&] {
          return seconds([&] {
            const MarginTable table =
                winning_margins(*policy, predictions, roster.names, everybody);
            keep(route_by_threshold(table, threshold_for_budget(table.margin, 0.2)));
          });
        },
        [&] { return sorting_seconds(margins); });
    report.add(row_of(
        fmt::format("routing, N = {:.0e}, K = 8, J = 10 vs std::sort", static_cast<double>(n)),
        comparison));
    const double unit = comparison.ours / (static_cast<double>(n) * std::log2(n));
    if (first == 0) first = unit;
    // A machine that turns from cache to memory may slow down; the order of growth may not rise.
    report.add({"  its time / (N log2 N), first = 1",
                fmt::format("{:.3g} ns", unit * 1e9),
                fmt::format("{:.3g} ns", first * 1e9),
                unit / first,
                {},
                {},
                Target{"ratio <= 2", unit <= 2 * first}});
    if (n == 100'000) report.add(combined_row(*policy, roster, predictions, effort));
  }
}

void measure_capacity(Report& report, const Effort& effort) {
  struct Shape {
    std::size_t cases, experts;
  };
  for (const Shape shape : {Shape{20'000, 10}, Shape{100'000, 20}}) {
    const std::size_t cases = std::min(shape.cases, effort.cases / 10);
    std::vector<double> margins;
    for (std::size_t i = 0; i < cases * shape.experts; ++i) {
      margins.push_back(2 * Key(19).uniform(i) - 1);
    }
    std::vector<std::uint64_t> case_keys;
    for (std::size_t row = 0; row < cases; ++row) case_keys.push_back(Key(23).bits(row));
    std::vector<std::uint64_t> expert_keys;
    for (std::size_t j = 0; j < shape.experts; ++j) expert_keys.push_back(Key(29).bits(j));
    // Half of the cases are deferred, and the capacities, unequal, just allow it.
    const std::size_t deferred = cases / 2;
    std::vector<std::size_t> capacities(shape.experts);
    for (std::size_t j = 0; j < shape.experts; ++j) {
      capacities[j] = 2 * (j + 1) * deferred / (shape.experts * (shape.experts + 1)) + 1;
    }
    report.add(row_of(fmt::format("capacity {} x {} vs sorting N*J doubles", cases, shape.experts),
                      interleave(
                          effort.rounds,
                          [&] {
                            return seconds([&] {
                              keep(assign_within_capacity(margins, capacities, {deferred},
                                                          case_keys, expert_keys));
                            });
                          },
                          [&] { return sorting_seconds(margins); })));
  }
}

}  // namespace ifd::benchmark
