// How threads share a training without a trace in its bits.
//
// A BLAS or a LibTorch that shares out a product or a sum adds in another order for every number of
// threads. So they get one thread, and what is worth sharing is cut into tasks here: where the cuts
// are depends on the shapes alone, and who works on a task changes nothing.
#pragma once

#include <cstdint>
#include <functional>

namespace ifd::train {

// LibTorch would start with what the environment says, which may be one. A BLAS with threads of its
// own, beside LibTorch's, gets one; std::bad_alloc where there is no memory for it to work in.
void use_threads(int threads);

// While one is alive, LibTorch and the BLAS below it see one thread when this thread calls them;
// share_tasks() still shares among as many as LibTorch had before.
class OneThread {
 public:
  OneThread();
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int threads_before_;
  int sharing_before_;
};

// Calls task(0), ..., task(count - 1), in any order, by as many threads as there are. Each runs as
// OneThread, without gradients, even if it is the only one.
void share_tasks(std::int64_t count, const std::function<void(std::int64_t)>& task);

// share_tasks of the blocks of 0..n that have `size` each but for the last: block(first, last).
void share_blocks(std::int64_t n, std::int64_t size,
                  const std::function<void(std::int64_t, std::int64_t)>& block);

}  // namespace ifd::train
