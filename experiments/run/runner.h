// Runs jobs, on this machine's processors or over MPI's ranks, and remembers what they gave.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "experiments/jobs/job.h"
#include "experiments/jobs/workshop.h"

namespace ifd::experiments {

// Told on the way, from any thread but never from two at once.
struct Progress {
  std::size_t done = 0;  // jobs, those found finished included
  std::size_t all = 0;
  std::size_t reused = 0;  // found finished
  double seconds_left = 0;
  std::string job;  // that has just ended; empty at the start
};
using ProgressObserver = std::function<void(const Progress&)>;

struct FailedJob {
  std::string name;
  std::string message;
};

struct RunSummary {
  std::vector<JobResult> results;  // of the jobs, in their order; empty where a job failed
  std::vector<FailedJob> failed;
  std::size_t reused = 0;
  double wall_seconds = 0;
  double job_seconds = 0;  // of the jobs that ran now, added up
};

// Where a job's result lies, and what it must have been computed from to count.
std::filesystem::path result_path(const Workshop& workshop, const Job& job);
std::string result_key(const Workshop& workshop, const Job& job);

// `workers` jobs at a time. A result is on disk as soon as its job ends, and a job whose result
// is there does not run again. A job that fails does not stop the others.
RunSummary run_jobs(Workshop& workshop, const std::vector<Job>& jobs, unsigned workers,
                    const ProgressObserver& observer = {});

// The same over the ranks of an MPI run, each asking rank 0 for its next job; rank 0 works too and
// writes all results. All ranks call it with the same jobs; only rank 0 gets results.
RunSummary run_jobs_on_ranks(Workshop& workshop, const std::vector<Job>& jobs,
                             const ProgressObserver& observer = {});

}  // namespace ifd::experiments
