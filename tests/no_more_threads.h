// A process that can start no more threads, as under a limit on its address space.
#pragma once

#include <gtest/gtest.h>
#include <pthread.h>

namespace ifd {

// While it lives, every thread would need a stack larger than the address space.
class NoMoreThreads {
 public:
  NoMoreThreads() {
    pthread_attr_init(&before_);
    pthread_getattr_default_np(&before_);
    pthread_attr_t large;
    pthread_attr_init(&large);
    pthread_attr_setstacksize(&large, std::size_t{1} << 47);
    EXPECT_EQ(pthread_setattr_default_np(&large), 0);
    pthread_attr_destroy(&large);
    pthread_t thread;
    const auto nothing = [](void*) -> void* { return nullptr; };
    EXPECT_NE(pthread_create(&thread, nullptr, nothing, nullptr), 0) << "a thread was started";
  }
  ~NoMoreThreads() {
    pthread_setattr_default_np(&before_);
    pthread_attr_destroy(&before_);
  }
  NoMoreThreads(const NoMoreThreads&) = delete;
  NoMoreThreads& operator=(const NoMoreThreads&) = delete;

 private:
  pthread_attr_t before_;
};

}  // namespace ifd
