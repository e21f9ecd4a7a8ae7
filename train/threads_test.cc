#include "train/threads.h"

#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <omp.h>
#include <sys/resource.h>
#include <torch/types.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ifd/policy/roster.h"
#include "tests/synthetic_problem.h"
#include "tests/threads_seen.h"
#include "train/baseline_trainer.h"
#include "train/ifd_trainer.h"

namespace ifd::train {
namespace {

// How many threads share some tasks: observed, not read from a setting.
int team() {
  std::atomic<int> threads = 0;
  share_tasks(8, [&](std::int64_t) { threads = omp_get_num_threads(); });
  return threads;
}

// OpenBLAS keeps to one thread, which must not take LibTorch's away.
TEST(UseThreads, GivesLibTorchAsManyAsAsked) {
  for (const int threads : {1, 2, 3}) {
    use_threads(threads);
    EXPECT_EQ(at::get_num_threads(), threads);
    const auto product = torch::ones({300, 300}).mm(torch::ones({300, 300}));
    EXPECT_EQ(product[0][0].item<float>(), 300);
    EXPECT_EQ(at::get_num_threads(), threads);
    EXPECT_EQ(team(), threads);
  }
  use_threads(1);
}

// Where OpenBLAS gets no memory to work in, it would ask for ever.
TEST(UseThreadsDeathTest, WithoutMemoryForTheBlasNothingBegins) {
  if (::dlsym(RTLD_DEFAULT, "openblas_set_num_threads") == nullptr) GTEST_SKIP() << "no OpenBLAS";
  const auto begin = [] {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t most = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) + (64U << 20);
    const rlimit limit{most, most};
    ::setrlimit(RLIMIT_AS, &limit);
    try {
      use_threads(1);
    } catch (const std::bad_alloc&) {
      std::_Exit(5);
    }
    std::_Exit(0);
  };
  EXPECT_EXIT(begin(), testing::ExitedWithCode(5), "^$");
}

TEST(OneThread, TakesThreadsFromLibTorchAndNotFromTasks) {
  for (const int threads : {1, 2, 3}) {
    use_threads(threads);
    {
      const OneThread one;
      EXPECT_EQ(at::get_num_threads(), 1);
      EXPECT_EQ(team(), threads);
      EXPECT_EQ(at::get_num_threads(), 1);
    }
    EXPECT_EQ(at::get_num_threads(), threads);
    EXPECT_EQ(team(), threads);
  }
  use_threads(1);
}

TEST(ShareTasks, RunsEachOnceAndPassesErrorsOn) {
  for (const int threads : {1, 3}) {
    use_threads(threads);
    for (const std::int64_t count : {0, 1, 2, 7, 100}) {
      std::vector<std::atomic<int>> runs(static_cast<std::size_t>(count));
      share_tasks(count, [&](std::int64_t i) { ++runs[static_cast<std::size_t>(i)]; });
      for (const auto& times : runs) EXPECT_EQ(times, 1);
    }
    const auto fails = [](std::int64_t i) {
      if (i == 5) throw std::runtime_error("five");
    };
    EXPECT_THROW(share_tasks(9, fails), std::runtime_error);
    EXPECT_EQ(at::get_num_threads(), threads);
  }
  use_threads(1);
}

TEST(ShareBlocks, CoverEveryPlaceOnce) {
  for (const std::int64_t n : {0, 1, 255, 256, 257, 1000}) {
    std::set<std::pair<std::int64_t, std::int64_t>> blocks;
    std::mutex guard;
    share_blocks(n, 256, [&](std::int64_t first, std::int64_t last) {
      const std::lock_guard lock(guard);
      blocks.emplace(first, last);
    });
    std::int64_t end = 0;
    for (const auto& [first, last] : blocks) {
      EXPECT_EQ(first, end);
      EXPECT_TRUE(last - first == 256 || last == n);
      end = last;
    }
    EXPECT_EQ(end, n);
  }
}

// No operator of LibTorch, and so no product of the BLAS below it, is offered a second thread,
// forwards, backwards or in validation: it cannot add in another order. That holds or not whatever
// the processor, its caches and the BLAS.
TEST(OneThread, IsAllThatATrainingOffersToLibTorch) {
  const SyntheticProblem problem = synthetic_problem(4, 300, 2);
  const Roster roster = make_roster(problem.contexts, 4);
  const auto validation =
      Validation::from_profiles(problem.validation, roster.names, roster.profiles, "v");
  Schedule schedule;
  schedule.epochs = 1;
  schedule.threads = 3;
  const auto population = [&](PopulationEncoder encoder, const Observer& observer) {
    PopulationOptions options;
    options.encoder = encoder;
    train_population(problem.training, problem.contexts, problem.answers, validation, options,
                     schedule, observer);
  };
  const std::vector<std::pair<const char*, std::function<void(const Observer&)>>> methods = {
      {"ifd",
       [&](const Observer& observer) {
         train_ifd(problem.training, problem.contexts, validation, {}, schedule, observer);
       }},
      {"query-independent",
       [&](const Observer& observer) {
         population(PopulationEncoder::kQueryIndependent, observer);
       }},
      {"query-conditioned",
       [&](const Observer& observer) {
         population(PopulationEncoder::kQueryConditioned, observer);
       }},
      {"multi-expert", [&](const Observer& observer) {
         train_multi_expert(problem.training, problem.answers, validation, Surrogate::kSoftmax,
                            schedule, observer);
       }}};
  for (const std::size_t batch : {16U, 300U}) {  // products of one block, and of several
    schedule.batch = batch;
    for (const auto& [name, train] : methods) {
      SCOPED_TRACE(testing::Message() << name << ", batches of " << batch);
      use_threads(1);  // what comes before the first epoch only makes and copies
      const ThreadsSeen seen;
      std::map<std::string, int> most;
      train([&](const EpochReport&) {
        most = seen.most();
        return Continue::kYes;
      });
      EXPECT_TRUE(most.contains("aten::addmm"));
      EXPECT_TRUE(most.contains("aten::mm"));
      for (const auto& [operation, threads] : most) EXPECT_EQ(threads, 1) << operation;
    }
  }
  use_threads(1);
}

}  // namespace
}  // namespace ifd::train
