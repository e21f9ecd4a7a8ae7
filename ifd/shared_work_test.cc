#include "ifd/shared_work.h"

#include <gtest/gtest.h>

#include <atomic>
#include <new>

#include "tests/no_more_threads.h"

namespace ifd {
namespace {

TEST(SharedWork, IsDoneOnceByAnyNumberOfThreads) {
  for (const unsigned threads : {0U, 1U, 2U, 7U}) {
    std::atomic<int> next = 0, done = 0;
    share_work(threads, [&] {
      while (next++ < 1000) ++done;
    });
    EXPECT_EQ(done, 1000) << threads;
  }
}

TEST(SharedWork, AFailureIsThrownWhenAllHaveEnded) {
  std::atomic<int> calls = 0, ended = 0;
  const auto work = [&] {
    if (calls++ == 0) throw std::bad_alloc();
    ++ended;
  };
  EXPECT_THROW(share_work(4, work), std::bad_alloc);
  EXPECT_EQ(ended, calls - 1);
}

TEST(SharedWork, IsDoneWhereNoThreadCanBeStarted) {
  const NoMoreThreads limit;
  std::atomic<int> next = 0, done = 0, calls = 0;
  share_work(200, [&] {
    ++calls;
    while (next++ < 1000) ++done;
  });
  EXPECT_EQ(done, 1000);
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace ifd
