// What a call that may take long is given by its caller: a way to stop it, and somebody to tell.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string_view>

#include "ifd/error.h"

namespace ifd {

// Copies share one flag. Thread-safe.
class CancellationToken {
 public:
  void cancel() const { flag_->store(true, std::memory_order_relaxed); }
  bool is_cancelled() const { return flag_->load(std::memory_order_relaxed); }
  // Error(kCancelled) once it was cancelled.
  void check() const {
    if (is_cancelled()) throw Error(ErrorKind::kCancelled, "the work was cancelled");
  }

 private:
  std::shared_ptr<std::atomic<bool>> flag_ = std::make_shared<std::atomic<bool>>(false);
};

// Told from time to time what is being done ("scoring with plug-in"); never by two threads at once.
using ProgressObserver = std::function<void(std::string_view step)>;

// Cancelling leaves nothing changed; the call ends with Error(kCancelled).
struct LongWork {
  const CancellationToken* cancellation = nullptr;  // may be null; outlives the call
  ProgressObserver progress = {};

  void check() const {
    if (cancellation != nullptr) cancellation->check();
  }
  void tell(std::string_view step) const {
    if (progress) progress(step);
  }
};

}  // namespace ifd
