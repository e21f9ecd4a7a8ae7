// What the operators of LibTorch could share their work among, observed while they run.
#pragma once

#include <ATen/Parallel.h>
#include <ATen/record_function.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace ifd::train {

// While one is alive, remembers for every operator of LibTorch, whichever thread calls it, the most
// threads that it and the BLAS below it were offered. Both ask OpenMP: inside of a parallel region
// they keep to their own thread, elsewhere they take as many as OpenMP has there. So what is seen
// depends neither on the machine nor on the BLAS.
class ThreadsSeen {
 public:
  ThreadsSeen() {
    most().clear();
    handle_ =
        at::addGlobalCallback(at::RecordFunctionCallback([](const at::RecordFunction& operation) {
                                note(operation.name());
                                return std::unique_ptr<at::ObserverContext>();
                              }).scopes({at::RecordScope::FUNCTION}));
  }
  ~ThreadsSeen() { at::removeCallback(handle_); }
  ThreadsSeen(const ThreadsSeen&) = delete;
  ThreadsSeen& operator=(const ThreadsSeen&) = delete;

  // By the operator's name, such as "aten::mm".
  static std::map<std::string, int>& most() {
    static std::map<std::string, int> by_name;
    return by_name;
  }

 private:
  static void note(const char* operation) {
    static std::mutex guard;
    const int threads = at::in_parallel_region() ? 1 : at::get_num_threads();
    const std::lock_guard lock(guard);
    int& before = most()[operation];
    before = std::max(before, threads);
  }

  at::CallbackHandle handle_ = 0;
};

}  // namespace ifd::train
