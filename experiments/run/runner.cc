#include "experiments/run/runner.h"

#include <thread>

#include "experiments/run/job_queue.h"

namespace ifd::experiments {

RunSummary run_jobs(Workshop& workshop, const std::vector<Job>& jobs, unsigned workers,
                    const ProgressObserver& observer) {
  JobQueue queue(workshop, jobs, workers, observer);
  const auto work = [&] { work_off(queue, jobs, workshop); };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < workers; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return std::move(queue).summary();
}

}  // namespace ifd::experiments
