// How long `ifd route` takes on a small file, and how much memory: mostly loading the program.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "benchmarks/execution.h"
#include "benchmarks/generated_data.h"
#include "benchmarks/sections.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/predictions_file.h"

namespace ifd::benchmark {
namespace {

constexpr double kMostSeconds = 0.020;
constexpr double kMostBytes = 30e6;

}  // namespace

void measure_start_up(Report& report, const Effort& effort) {
  constexpr std::size_t kCases = 100;
  constexpr std::size_t kClasses = 8;
  const TemporaryDirectory directory;
  const Predictions predictions = generated_predictions(kCases, kClasses);
  write_predictions(directory / "p.csv", predictions);
  std::string context = "expert,case,answer\n";
  for (std::size_t row = 0; row < kCases; ++row) {
    context += fmt::format("e{},{},{}\n", row % 3, predictions.case_name(row),
                           (index(predictions.label(row)) + row % 2) % kClasses);
  }
  write_file_atomically(directory / "c.csv", context);
  const std::vector<std::string> route{IFD_COMMAND,     "route",
                                       "--policy",      "plug-in",
                                       "--predictions", (directory / "p.csv").string(),
                                       "--context",     (directory / "c.csv").string(),
                                       "--budget",      "0.2"};
  double peak = 0;
  std::vector<double> processor;
  const Comparison comparison = interleave(
      3 * effort.rounds,
      [&] {
        const Execution execution = execute(route);
        peak = std::max(peak, execution.peak_bytes);
        processor.push_back(execution.processor_seconds);
        return execution.seconds;
      },
      [] { return execute({"/bin/true"}).seconds; });
  Row row = row_of("start-up: route 100 cases vs /bin/true", comparison);
  row.target = {fmt::format("<= {}", show_seconds(kMostSeconds)), comparison.ours <= kMostSeconds};
  report.add(row);
  report.add(
      {"start-up: its processor time", show_seconds(quantile(processor, 0.5)), "", {}, {}, {}, {}});
  report.add({"start-up: its peak memory",
              show_bytes(peak),
              "",
              {},
              {},
              {},
              Target{fmt::format("<= {}", show_bytes(kMostBytes)), peak <= kMostBytes}});
}

}  // namespace ifd::benchmark
