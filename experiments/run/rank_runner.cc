// Rank 0 hands out jobs by number and gathers results; every other rank asks, works, sends.
#ifdef IFD_HAS_MPI
#include <mpi.h>
#endif

#include <chrono>
#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <system_error>
#include <thread>

#include "experiments/run/job_queue.h"
#include "experiments/run/runner.h"

namespace ifd::experiments {

#ifdef IFD_HAS_MPI

namespace {

constexpr int kReport = 1;  // from a worker: a result (or nothing, the first time) and a request
constexpr int kOrder = 2;   // to a worker: the number of a job, or kNoMore
constexpr long kNoMore = -1;

// A worker's message: "" at first, then "ok NUMBER\n" and the result's JSON, or "failed NUMBER\n"
// and why.
void hear_report(JobQueue& queue, const std::string& message) {
  if (message.empty()) return;
  const std::size_t line = message.find('\n');
  const std::size_t space = message.find(' ');
  const auto job = static_cast<std::size_t>(std::stoul(message.substr(space + 1, line)));
  const std::string body = message.substr(line + 1);
  if (message.starts_with("ok ")) {
    queue.finished(job, result_from_json(body));
  } else {
    queue.failed(job, body);
  }
}

// The jobs that rank 0 does itself, on a thread beside the one that leads. Where that cannot be
// started, the other ranks do them all.
class OwnWork {
 public:
  OwnWork(JobQueue& queue, Workshop& workshop, const std::vector<Job>& jobs) {
    try {
      thread_ = std::jthread([&] {
        try {
          work_off(queue, jobs, workshop);
        } catch (...) {
          failure_ = std::current_exception();
        }
      });
    } catch (const std::system_error&) {
    } catch (const std::bad_alloc&) {
    }
  }
  void wait() {
    if (thread_.joinable()) thread_.join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::exception_ptr failure_;
  std::jthread thread_;
};

void lead(JobQueue& queue, Workshop& workshop, const std::vector<Job>& jobs, int workers) {
  OwnWork own(queue, workshop, jobs);
  for (int busy = workers; busy > 0;) {
    MPI_Status status;
    int waiting = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, kReport, MPI_COMM_WORLD, &waiting, &status);
    if (waiting == 0) {  // a blocking receive would spin on the processor that works
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      continue;
    }
    int size = 0;
    MPI_Get_count(&status, MPI_CHAR, &size);
    std::string message(static_cast<std::size_t>(size), '\0');
    MPI_Recv(message.data(), size, MPI_CHAR, status.MPI_SOURCE, kReport, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    hear_report(queue, message);
    const auto next = queue.take();
    const long order = next ? static_cast<long>(*next) : kNoMore;
    MPI_Send(&order, 1, MPI_LONG, status.MPI_SOURCE, kOrder, MPI_COMM_WORLD);
    if (!next) --busy;
  }
  own.wait();
}

void follow(Workshop& workshop, const std::vector<Job>& jobs) {
  std::string report;
  for (;;) {
    MPI_Send(report.data(), static_cast<int>(report.size()), MPI_CHAR, 0, kReport, MPI_COMM_WORLD);
    long order = kNoMore;
    MPI_Recv(&order, 1, MPI_LONG, 0, kOrder, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (order == kNoMore) return;
    const Job& job = jobs[static_cast<std::size_t>(order)];
    try {
      const JobResult result = run_timed(job, workshop);
      report = "ok " + std::to_string(order) + "\n" +
               to_json(result, job.name, result_key(workshop, job));
    } catch (const std::exception& error) {
      report = "failed " + std::to_string(order) + "\n" + error.what();
    }
  }
}

}  // namespace

RunSummary run_jobs_on_ranks(Workshop& workshop, const std::vector<Job>& jobs,
                             const ProgressObserver& observer) {
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank != 0) {
    follow(workshop, jobs);
    return {};
  }
  JobQueue queue(workshop, jobs, static_cast<unsigned>(ranks), observer);
  lead(queue, workshop, jobs, ranks - 1);
  return std::move(queue).summary();
}

#else

RunSummary run_jobs_on_ranks(Workshop& workshop, const std::vector<Job>& jobs,
                             const ProgressObserver& observer) {
  return run_jobs(workshop, jobs, 1, observer);
}

#endif

}  // namespace ifd::experiments
