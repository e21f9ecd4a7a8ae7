// How long `ifd route` takes on a small file, and how much memory: mostly loading the program.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "benchmarks/generated_data.h"
#include "benchmarks/sections.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/predictions_file.h"

namespace ifd::benchmark {
namespace {

constexpr double kMostSeconds = 0.020;
constexpr double kMostBytes = 30e6;

struct Execution {
  double seconds;  // on the clock: that is what waiting feels like
  double processor_seconds;
  double peak_bytes;
};

// Runs a program to its end with its output thrown away.
Execution execute(std::vector<std::string> arguments) {
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  int status = 0;
  rusage usage{};
  int error = 0;
  const auto start = std::chrono::steady_clock::now();
  {
    pid_t child = 0;
    error = ::posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ);
    if (error == 0 && ::wait4(child, &status, 0, &usage) < 0) error = errno;
  }
  const double took =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::system_error(error, std::generic_category(), arguments[0]);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw std::runtime_error(fmt::format("{} failed (status {})", arguments[0], status));
  }
  const auto in_seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return {took, in_seconds(usage.ru_utime) + in_seconds(usage.ru_stime),
          static_cast<double>(usage.ru_maxrss) * 1024};
}

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
