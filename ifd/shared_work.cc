#include "ifd/shared_work.h"

#include <exception>
#include <functional>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace ifd {
namespace {

// Threads that end with it.
class Crew {
 public:
  Crew() = default;
  ~Crew() { join(); }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  // As many as the system starts.
  template <typename Work>
  void start(unsigned count, const Work& work) {
    try {
      threads_.reserve(count);
      for (unsigned i = 0; i < count; ++i) threads_.emplace_back(std::cref(work));
    } catch (const std::system_error&) {
    } catch (const std::bad_alloc&) {
    }
  }
  void join() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  std::vector<std::thread> threads_;
};

}  // namespace

void share_work(unsigned threads, const std::function<void()>& work) {
  std::mutex mutex;
  std::exception_ptr failure;
  const auto guarded = [&] {
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  Crew crew;
  if (threads > 1) crew.start(threads - 1, guarded);
  guarded();
  crew.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace ifd
