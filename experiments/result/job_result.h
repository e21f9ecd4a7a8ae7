// What an experiment leaves behind: numbers in one flat shape, whatever the experiment.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/result/cell.h"

namespace ifd::experiments {

// Replicates are kept to seven digits, so that a result read from its file is the one written.
inline constexpr double kReplicateSteps = 1e7;  // in one

// One measured number.
struct ResultRow : Cell {
  int cohort = 0;
  double value = 0;
  // The same number under each of the resamples of the cases, which are the same for all methods,
  // cohorts and groups on one data set; multiples of 1 / kReplicateSteps. Empty where there are
  // none.
  std::vector<double> replicates = {};

  bool operator==(const ResultRow&) const = default;
};

// A point of a map: where it lies, its class, whether it was deferred.
struct ResultPoint {
  std::string panel;
  double x = 0, y = 0;
  int label = 0;
  bool deferred = false;

  bool operator==(const ResultPoint&) const = default;
};

struct JobResult {
  std::vector<ResultRow> rows;
  std::vector<ResultPoint> points;
  double began = 0;              // seconds since 1970
  double seconds = 0;            // on the clock
  double processor_seconds = 0;  // the same on a machine with nothing else to do

  bool operator==(const JobResult&) const = default;
};

// The result as the bytes of its file; `key` says what it was computed from.
std::string to_json(const JobResult& result, const std::string& job, const std::string& key);
// Error(kCorruptFile) for other bytes.
JobResult result_from_json(const std::string& json);
// None where the file is absent or was computed from something else: then the job runs again. Error
// where it is no result at all.
std::optional<JobResult> read_result(const std::filesystem::path& path, const std::string& key);

}  // namespace ifd::experiments
