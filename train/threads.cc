#include "train/threads.h"

#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <omp.h>
#include <sys/mman.h>
#include <torch/types.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <new>
#include <thread>

namespace ifd::train {
namespace {

// How many threads share tasks while LibTorch has one; 0 where no OneThread is alive.
thread_local int sharing = 0;

// OpenBLAS works in 128 MB for each thread that multiplies, and where the system refuses them asks
// again, for ever.
void require_room_for_blas(int threads) {
  constexpr std::size_t kRoom = std::size_t{130} << 20;
  const int processors = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const std::size_t room = kRoom * static_cast<std::size_t>(std::clamp(threads, 1, processors));
  void* all = ::mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) throw std::bad_alloc();
  ::munmap(all, room);
}

}  // namespace

void use_threads(int threads) {
  // First the BLAS: OpenBLAS on OpenMP sets the number of OpenMP's threads, which LibTorch shares,
  // to its own. (For its products that one then takes as many as OpenMP has where it is called.)
  using SetThreads = void (*)(int);
  if (const auto set =
          reinterpret_cast<SetThreads>(::dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))) {
    set(1);
    require_room_for_blas(threads);
  }
  at::set_num_threads(threads);
}

// OpenMP keeps the number by thread, and OpenBLAS and LibTorch ask OpenMP for it before they share
// anything. LibTorch sets it when a thread first asks, so that comes first.
OneThread::OneThread() : threads_before_(at::get_num_threads()), sharing_before_(sharing) {
  if (sharing == 0) sharing = threads_before_;
  omp_set_num_threads(1);
}

OneThread::~OneThread() {
  omp_set_num_threads(threads_before_);
  sharing = sharing_before_;
}

void share_tasks(std::int64_t count, const std::function<void(std::int64_t)>& task) {
  // All, even for fewer tasks: OpenMP ends threads when a team is smaller than the last one, and
  // starts them anew for the next.
  const int all = sharing > 0 ? sharing : at::get_num_threads();
  const int threads = count > 1 ? all : 1;
  std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (std::int64_t i = 0; i < count; ++i) {
    const OneThread one;
    const torch::NoGradGuard guard;
    try {
      task(i);
    } catch (...) {
#pragma omp critical(failed_task)
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

void share_blocks(std::int64_t n, std::int64_t size,
                  const std::function<void(std::int64_t, std::int64_t)>& block) {
  share_tasks((n + size - 1) / size,
              [&](std::int64_t i) { block(i * size, std::min(n, (i + 1) * size)); });
}

}  // namespace ifd::train
