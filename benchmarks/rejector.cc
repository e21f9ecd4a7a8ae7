// The deciding runtime's network beside the machine's peak, and how long one decision takes.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

#include "benchmarks/fma_peak.h"
#include "benchmarks/generated_data.h"
#include "benchmarks/generated_network.h"
#include "benchmarks/sections.h"
#include "ifd/policy/role_policy.h"
#include "ifd/rejector/trained_rejector.h"

namespace ifd::benchmark {
namespace {

constexpr double kLeastOfPeak = 0.9;

void measure_peak(Report& report, const Effort& effort) {
  const auto layers = generated_layers();
  const Mlp network(layers);
  Mlp::Workspace workspace;
  for (const std::size_t batch : {256UL, 1024UL, 4096UL}) {
    const auto inputs = generated_inputs(batch);
    std::vector<float> outputs(batch);
    const std::size_t repeats = std::size_t{3} * 4096 / batch;
    const double operations = operations_of(layers) * static_cast<double>(batch * repeats);
    const Comparison comparison = interleave(
        3 * effort.rounds,
        [&] {
          return seconds([&] {
            for (std::size_t i = 0; i < repeats; ++i) {
              network.run(inputs, batch, outputs, workspace);
              keep(outputs);
            }
          });
        },
        [&] { return fma_seconds(operations); });
    const double fraction = 1 / comparison.ratio;
    report.add({fmt::format("rejector 6-256x5-1, batch {}: share of the FMA peak", batch),
                fmt::format("{:.4g} GFLOP/s", operations / comparison.ours / 1e9),
                fmt::format("{:.4g} GFLOP/s", operations / comparison.reference / 1e9), fraction,
                1 / comparison.ratio_high, 1 / comparison.ratio_low,
                Target{fmt::format("ratio >= {}", kLeastOfPeak), fraction >= kLeastOfPeak}});
  }
}

// From probabilities to the best expert: states, network, margins, maximum. On the clock, because
// somebody waits for it.
void measure_decision(Report& report, const Effort& effort, std::size_t experts) {
  constexpr std::size_t kClasses = 8;
  const std::size_t decisions = std::min<std::size_t>(effort.cases, 20'000);
  const Roster roster = generated_roster(experts, kClasses);
  const Predictions predictions = generated_predictions(decisions, kClasses);
  TrainedRejectorParts parts;
  parts.layers = generated_layers();
  const auto policy = role_policy(
      roster, std::make_unique<TrainedRejector>(std::move(parts), MarginScale::kProbability));
  std::vector<double> margins(experts);
  std::vector<double> took;
  took.reserve(decisions);
  for (std::size_t row = 0; row < decisions; ++row) {
    const auto start = std::chrono::steady_clock::now();
    policy->score(predictions, {row, row + 1}, margins);
    keep(std::max_element(margins.begin(), margins.end()));
    took.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  report.add({fmt::format("one decision among {} expert(s): p50, p99", experts),
              show_seconds(quantile(took, 0.5)),
              show_seconds(quantile(took, 0.99)),
              {},
              {},
              {},
              {}});
}

}  // namespace

void measure_rejector(Report& report, const Effort& effort) {
  measure_peak(report, effort);
  measure_decision(report, effort, 1);
  measure_decision(report, effort, 4);
}

}  // namespace ifd::benchmark
