// Curves and their areas, beside sorting as many floats; and what a bootstrap replicate and a
// certificate cost.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "benchmarks/sections.h"
#include "ifd/certificate/certified_thresholds.h"
#include "ifd/evaluation/bootstrap.h"
#include "ifd/evaluation/budget_curve.h"
#include "ifd/random/keyed_random.h"

namespace ifd::benchmark {
namespace {

constexpr double kMostSorts = 3;

struct Cases {
  std::vector<double> margins;
  std::vector<CaseOutcome> outcomes;
};

Cases generated_cases(std::size_t count) {
  Cases cases;
  for (std::size_t row = 0; row < count; ++row) {
    const Key key = Key(13).with(row);
    cases.margins.push_back(2 * key.uniform(0) - 1);
    cases.outcomes.push_back({credit_if(key.uniform(1) < 0.7), credit_if(key.uniform(2) < 0.8)});
  }
  return cases;
}

double curve_seconds(const Cases& cases) {
  return seconds([&] {
    const BudgetCurve curve(cases.margins, cases.outcomes);
    keep(curve.aursac());
    keep(curve.aurdac());
  });
}

}  // namespace

void measure_curves(Report& report, const Effort& effort) {
  double first = 0;
  for (std::size_t n = 10'000; n <= effort.largest_curve; n *= 10) {
    const Cases cases = generated_cases(n);
    const std::vector<float> floats(cases.margins.begin(), cases.margins.end());
    // Short work is repeated to fill a round.
    const std::size_t repeats = std::max<std::size_t>(1, 200'000 / n);
    const Comparison comparison = interleave(
        effort.rounds,
        [&] {
          double sum = 0;
          for (std::size_t i = 0; i < repeats; ++i) sum += curve_seconds(cases);
          return sum / static_cast<double>(repeats);
        },
        [&] {
          double sum = 0;
          for (std::size_t i = 0; i < repeats; ++i) {
            std::vector<float> unsorted = floats;
            sum += seconds([&] { std::sort(unsorted.begin(), unsorted.end()); });
            keep(unsorted);
          }
          return sum / static_cast<double>(repeats);
        });
    Row row =
        row_of(fmt::format("curve + both areas, N = {:.0e} vs std::sort", static_cast<double>(n)),
               comparison);
    row.target = {fmt::format("ratio <= {}", kMostSorts), comparison.ratio <= kMostSorts};
    report.add(row);
    const double unit = comparison.ours / (static_cast<double>(n) * std::log2(n));
    if (first == 0) first = unit;
    report.add({fmt::format("  its time / (N log2 N), first = 1"),
                fmt::format("{:.3g} ns", unit * 1e9),
                fmt::format("{:.3g} ns", first * 1e9),
                unit / first,
                {},
                {},
                {}});
  }
}

void measure_bootstrap(Report& report, const Effort& effort) {
  const std::size_t n = std::min<std::size_t>(effort.cases, 100'000);
  constexpr std::size_t kReplicates = 20;
  const Cases cases = generated_cases(n);
  const PolicyResult policy{cases.margins, cases.outcomes};
  const Comparison comparison = interleave(
      effort.rounds,
      [&] {
        BootstrapOptions options;
        options.replicates = kReplicates;
        // The cases are ranked once however many replicates there are.
        const double all = seconds([&] { keep(bootstrap(policy, Key(1), options)); });
        return all / kReplicates;
      },
      [&] { return curve_seconds(cases); });
  Row row =
      row_of(fmt::format("bootstrap replicate, N = {:.0e} vs one curve", static_cast<double>(n)),
             comparison);
  row.target = {"ratio <= 1", comparison.ratio <= 1};
  report.add(row);
}

// All that a certificate takes once margins and losses are there: tests planned on a fifth of the
// cases, made on the others, and the deferral rates.
void measure_certifying(Report& report, const Effort& effort) {
  const std::size_t n = std::min<std::size_t>(effort.cases, 100'000);
  const Cases cases = generated_cases(n);
  std::vector<LossCase> losses;
  for (std::size_t row = 0; row < n; ++row) {
    losses.push_back({cases.margins[row], 1 - share(cases.outcomes[row].model),
                      1 - share(cases.outcomes[row].expert)});
  }
  const std::span all(losses);
  const std::span outside = all.first(n / 5);
  const std::span calibration = all.subspan(n / 5);
  const auto limit_on = [](std::span<const LossCase> on) {
    return RiskLimit{"system error", .24, LossKind::kRightOrWrong, RiskUnits::of_cases(on.size())};
  };
  const Comparison comparison = interleave(
      effort.rounds,
      [&] {
        return seconds([&] {
          const RiskLimit predicted = limit_on(outside);
          const RiskLimit limit = limit_on(calibration);
          const TestPlan plan = plan_tests(outside, std::span(&predicted, 1));
          keep(run_tests(plan, calibration, std::span(&limit, 1), .1));
          keep(deferral_at(calibration, limit.units, plan.thresholds));
        });
      },
      [&] { return curve_seconds(cases); });
  Row row = row_of(
      fmt::format("certificate, N = {:.0e} x 101 thresholds vs one curve", static_cast<double>(n)),
      comparison);
  row.target = {"ratio <= 3", comparison.ratio <= 3};
  report.add(row);
}

}  // namespace ifd::benchmark
