#include "experiments/run/job_queue.h"

#include <time.h>

#include <algorithm>
#include <exception>

#include "ifd/data/file_bytes.h"
#include "ifd/error.h"

namespace ifd::experiments {
namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Of the calling thread, in which a job does all its work.
double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// None, with a note, where the file is damaged.
std::optional<JobResult> result_in_cache(const Workshop& workshop, const Job& job) {
  try {
    return read_result(result_path(workshop, job), result_key(workshop, job));
  } catch (const std::exception& error) {  // the file system's too
    workshop.note_damaged(error);
    return std::nullopt;
  }
}

}  // namespace

std::filesystem::path result_path(const Workshop& workshop, const Job& job) {
  return workshop.folder() / "results" / (job.name + ".json");
}

std::string result_key(const Workshop& workshop, const Job& job) {
  return hash_of(workshop.code_version() + "\n" + job.name + "\n" + job.settings);
}

JobResult run_timed(const Job& job, Workshop& workshop) {
  const std::chrono::duration<double> since_1970 =
      std::chrono::system_clock::now().time_since_epoch();
  const auto begin = std::chrono::steady_clock::now();
  const double processor_begin = processor_seconds();
  JobResult result = job.run(workshop);
  result.began = since_1970.count();
  result.seconds = seconds_since(begin);
  result.processor_seconds = processor_seconds() - processor_begin;
  return result;
}

void work_off(JobQueue& queue, const std::vector<Job>& jobs, Workshop& workshop) {
  while (const auto job = queue.take()) {
    try {
      queue.finished(*job, run_timed(jobs[*job], workshop));
    } catch (const std::exception& error) {
      queue.failed(*job, error.what());
    }
  }
}

JobQueue::JobQueue(const Workshop& workshop, const std::vector<Job>& jobs, unsigned workers,
                   ProgressObserver observer)
    : workshop_(workshop),
      jobs_(jobs),
      workers_(workers),
      observer_(std::move(observer)),
      begin_(std::chrono::steady_clock::now()) {
  summary_.results.resize(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (auto found = result_in_cache(workshop, jobs[i])) {
      summary_.results[i] = std::move(*found);
      ++summary_.reused;
    } else {
      open_.push_back(i);
      weight_left_ += jobs[i].weight;
    }
  }
  done_ = summary_.reused;
  // From the back: the heaviest, and among equals the first.
  std::stable_sort(open_.begin(), open_.end(), [&](std::size_t a, std::size_t b) {
    return jobs[a].weight != jobs[b].weight ? jobs[a].weight < jobs[b].weight : a > b;
  });
  tell("");
}

std::optional<std::size_t> JobQueue::take() {
  const std::lock_guard lock(mutex_);
  if (open_.empty()) return {};
  const std::size_t job = open_.back();
  open_.pop_back();
  return job;
}

void JobQueue::finished(std::size_t job, JobResult result) {
  const auto path = result_path(workshop_, jobs_[job]);
  make_folder(path.parent_path());
  write_file_atomically(path, to_json(result, jobs_[job].name, result_key(workshop_, jobs_[job])));
  const std::lock_guard lock(mutex_);
  summary_.job_seconds += result.seconds;
  summary_.results[job] = std::move(result);
  ++done_;
  weight_left_ -= jobs_[job].weight;
  weight_done_ += jobs_[job].weight;
  tell(jobs_[job].name);
}

void JobQueue::failed(std::size_t job, std::string message) {
  const std::lock_guard lock(mutex_);
  summary_.failed.push_back({jobs_[job].name, std::move(message)});
  ++done_;
  weight_left_ -= jobs_[job].weight;
  tell(jobs_[job].name);
}

bool JobQueue::complete() const {
  const std::lock_guard lock(mutex_);
  return done_ == jobs_.size();
}

RunSummary JobQueue::summary() && {
  summary_.wall_seconds = seconds_since(begin_);
  return std::move(summary_);
}

void JobQueue::tell(const std::string& job) {
  if (!observer_) return;
  Progress progress;
  progress.done = done_;
  progress.all = jobs_.size();
  progress.reused = summary_.reused;
  progress.job = job;
  if (weight_done_ > 0) {
    progress.seconds_left =
        summary_.job_seconds / weight_done_ * weight_left_ / static_cast<double>(workers_);
  }
  observer_(progress);
}

}  // namespace ifd::experiments
