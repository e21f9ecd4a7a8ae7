#include "experiments/run/runner.h"

#include "experiments/run/job_queue.h"
#include "ifd/shared_work.h"

namespace ifd::experiments {

RunSummary run_jobs(Workshop& workshop, const std::vector<Job>& jobs, unsigned workers,
                    const ProgressObserver& observer) {
  JobQueue queue(workshop, jobs, workers, observer);
  share_work(workers, [&] { work_off(queue, jobs, workshop); });
  return std::move(queue).summary();
}

}  // namespace ifd::experiments
