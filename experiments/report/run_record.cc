#include "experiments/report/run_record.h"

#include <algorithm>
#include <utility>

namespace ifd::experiments {

std::vector<ResultRow> rows_of(const RunRecord& run) {
  std::vector<ResultRow> rows;
  for (const JobResult& result : run.results) {
    rows.insert(rows.end(), result.rows.begin(), result.rows.end());
  }
  return rows;
}

WorkingTime working_time(const RunRecord& run) {
  std::vector<std::pair<double, double>> jobs;  // begin and end
  for (const JobResult& result : run.results) {
    if (result.seconds > 0) jobs.emplace_back(result.began, result.began + result.seconds);
  }
  std::sort(jobs.begin(), jobs.end());
  WorkingTime time;
  double until = 0;
  for (const auto& [begin, end] : jobs) {
    if (time.pieces == 0 || begin > until + 60) ++time.pieces;
    time.seconds += std::max(0.0, end - std::max(begin, until));
    until = std::max(until, end);
  }
  return time;
}

}  // namespace ifd::experiments
