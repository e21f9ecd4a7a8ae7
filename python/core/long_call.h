// Calls that may take long: without the interpreter's lock, and Ctrl-C ends them.
#pragma once

#include <cstddef>
#include <functional>

#include "ifd/long_work.h"
#include "python/core/bindings.h"

namespace ifd::python {

// Work of fewer steps than this (a case with an expert, say) takes less than a millisecond.
inline constexpr std::size_t kShortWork = 4096;

// Runs `work`. Where it is short, at once and under the lock. Otherwise without the lock, and where
// the main thread calls, on another thread, while the main one waits for signals: a handler that
// raises (as that of Ctrl-C does) cancels the work, and its exception is thrown when the work has
// ended. `progress` is None or is called with each step; what it raises cancels the work, too.
void long_call(std::size_t steps, const py::object& progress,
               const std::function<void(const LongWork&)>& work);

// Without the lock, for what is longer than a millisecond but can neither be cancelled nor told of.
template <typename Work>
auto unlocked(std::size_t steps, const Work& work) {
  if (steps < kShortWork) return work();
  const py::gil_scoped_release release;
  return work();
}

}  // namespace ifd::python
