// The jobs that are left: who takes which, what they gave, how long the rest will take.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <vector>

#include "experiments/run/runner.h"

namespace ifd::experiments {

// Thread-safe. Long jobs go first.
class JobQueue {
 public:
  // Reads the results that are there already.
  JobQueue(const Workshop& workshop, const std::vector<Job>& jobs, unsigned workers,
           ProgressObserver observer);

  // The next job nobody has taken.
  std::optional<std::size_t> take();
  // Writes the result and remembers it.
  void finished(std::size_t job, JobResult result);
  void failed(std::size_t job, std::string message);

  bool complete() const;
  RunSummary summary() &&;

 private:
  void tell(const std::string& job);

  const Workshop& workshop_;
  const std::vector<Job>& jobs_;
  unsigned workers_;
  ProgressObserver observer_;
  std::chrono::steady_clock::time_point begin_;
  mutable std::mutex mutex_;
  std::vector<std::size_t> open_;  // taken from the back
  RunSummary summary_;
  std::size_t done_ = 0;
  double weight_left_ = 0;
  double weight_done_ = 0;
};

// Runs the job and times it.
JobResult run_timed(const Job& job, Workshop& workshop);

// Takes jobs and runs them until none is left; one that fails is told to the queue.
void work_off(JobQueue& queue, const std::vector<Job>& jobs, Workshop& workshop);

}  // namespace ifd::experiments
