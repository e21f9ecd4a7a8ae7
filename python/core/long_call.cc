#include "python/core/long_call.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

namespace ifd::python {
namespace {

bool on_main_thread() {
  const auto threading = py::module_::import("threading");
  return threading.attr("get_ident")().equal(threading.attr("main_thread")().attr("ident"));
}

// Tells a Python callable, and keeps what it raises.
class Observer {
 public:
  Observer(const py::object& callable, const CancellationToken& token)
      : callable_(callable), token_(token) {}
  // Under the lock, as the exception that is kept must be let go.
  ~Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  void tell(std::string_view step) {
    const py::gil_scoped_acquire lock;
    if (raised_) return;
    try {
      callable_(py::str(step.data(), step.size()));
    } catch (const py::error_already_set&) {
      raised_ = std::current_exception();
      token_.cancel();
    }
  }
  const std::exception_ptr& raised() const { return raised_; }

 private:
  const py::object& callable_;
  const CancellationToken& token_;
  std::exception_ptr raised_;
};

// Runs `work` on a thread of its own and waits for it and for signals.
class WatchedWork {
 public:
  explicit WatchedWork(const CancellationToken& token) : token_(token) {}

  void run(const std::function<void()>& work) {
    std::exception_ptr failed;
    std::optional<std::thread> worker;
    try {
      worker.emplace([&] {
        try {
          work();
        } catch (...) {
          failed = std::current_exception();
        }
        const std::lock_guard lock(mutex_);
        done_ = true;
        changed_.notify_one();
      });
    } catch (const std::system_error&) {  // no more threads: as if there were no Ctrl-C
      const py::gil_scoped_release release;
      work();
      return;
    }
    std::exception_ptr interrupted;
    while (!wait()) {
      if (interrupted || PyErr_CheckSignals() == 0) continue;
      token_.cancel();
      interrupted = std::make_exception_ptr(py::error_already_set());
    }
    worker->join();
    if (interrupted) std::rethrow_exception(interrupted);
    if (failed) std::rethrow_exception(failed);
  }

 private:
  bool wait() {
    const py::gil_scoped_release release;
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::milliseconds(20), [&] { return done_; });
  }

  const CancellationToken& token_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
};

}  // namespace

void long_call(std::size_t steps, const py::object& progress,
               const std::function<void(const LongWork&)>& work) {
  if (steps < kShortWork && progress.is_none()) {
    work({});
    return;
  }
  const CancellationToken token;
  Observer observer(progress, token);
  LongWork told{&token};
  if (!progress.is_none()) {
    told.progress = [&](std::string_view step) { observer.tell(step); };
  }
  const auto run = [&] {
    if (on_main_thread()) {
      WatchedWork(token).run([&] { work(told); });
    } else {
      const py::gil_scoped_release release;
      work(told);
    }
  };
  try {
    run();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kCancelled || !observer.raised()) throw;
  }
  if (observer.raised()) std::rethrow_exception(observer.raised());
}

}  // namespace ifd::python
