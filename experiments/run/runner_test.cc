// Jobs run once, survive interruption, and give the same whatever runs them.
#include "experiments/run/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "ifd/error.h"
#include "tests/no_more_threads.h"
#include "tests/scratch_directory.h"

namespace ifd::experiments {
namespace {

using testing::ElementsAre;
using testing::SizeIs;
using testing::StartsWith;

ResultRow value_row(double value) {
  return {{.experiment = ExperimentName("test"), .measure = MeasureName("value")}, 0, value};
}

// Jobs that count how often they ran; job i gives i / 7, which no decimal text holds exactly.
class Runner : public testing::Test {
 protected:
  Job job(std::size_t i, const std::string& settings = "first") {
    return {"test/job-" + std::to_string(i), settings, static_cast<double>(i),
            [this, i](Workshop&) {
              ++runs_;
              JobResult result;
              result.rows.push_back(value_row(static_cast<double>(i) / 7));
              result.points.push_back({"panel", .1, .2, static_cast<int>(i), true});
              return result;
            }};
  }
  std::vector<Job> jobs(std::size_t count) {
    std::vector<Job> all;
    for (std::size_t i = 0; i < count; ++i) all.push_back(job(i));
    return all;
  }
  static std::vector<std::vector<ResultRow>> rows(const RunSummary& summary) {
    std::vector<std::vector<ResultRow>> all;
    for (const JobResult& result : summary.results) all.push_back(result.rows);
    return all;
  }

  ScratchDirectory scratch_;
  std::vector<std::string> notes_;
  Workshop workshop_{scratch_ / "cache", "code 1",
                     [this](const std::string& line) { notes_.push_back(line); }};
  std::atomic<int> runs_ = 0;
};

TEST_F(Runner, GivesTheSameForAnyNumberOfWorkers) {
  const auto alone = run_jobs(workshop_, jobs(20), 1);
  Workshop other(scratch_ / "other", "code 1");
  const auto four = run_jobs(other, jobs(20), 4);
  EXPECT_EQ(rows(alone), rows(four));
  EXPECT_EQ(runs_, 40);
  for (std::size_t i = 0; i < 20; ++i) {
    ASSERT_THAT(alone.results[i].rows, SizeIs(1));
    EXPECT_EQ(alone.results[i].rows[0].value, static_cast<double>(i) / 7);
  }
}

TEST_F(Runner, WhereNoThreadCanBeStartedTheOneThereIsDoesAllJobs) {
  const NoMoreThreads limit;
  EXPECT_THAT(run_jobs(workshop_, jobs(20), 8).failed, testing::IsEmpty());
  EXPECT_EQ(runs_, 20);
}

TEST_F(Runner, AFinishedJobDoesNotRunAgainAndReadsTheSameBits) {
  const auto first = run_jobs(workshop_, jobs(5), 2);
  const auto second = run_jobs(workshop_, jobs(5), 2);
  EXPECT_EQ(runs_, 5);
  EXPECT_EQ(second.reused, 5U);
  EXPECT_EQ(rows(first), rows(second));
  EXPECT_EQ(first.results[3].points, second.results[3].points);
}

TEST_F(Runner, WhatIsLeftOfAnInterruptedRunIsAllThatRuns) {
  run_jobs(workshop_, jobs(3), 1);
  const auto all = run_jobs(workshop_, jobs(10), 2);
  EXPECT_EQ(runs_, 10);
  EXPECT_EQ(all.reused, 3U);
}

TEST_F(Runner, ChangedSettingsTouchOnlyTheirJob) {
  auto some = jobs(4);
  run_jobs(workshop_, some, 1);
  some[2] = job(2, "second");
  EXPECT_EQ(run_jobs(workshop_, some, 1).reused, 3U);
  EXPECT_EQ(runs_, 5);
}

TEST_F(Runner, OtherCodeMakesEverythingAnew) {
  run_jobs(workshop_, jobs(4), 1);
  Workshop newer(scratch_ / "cache", "code 2");
  EXPECT_EQ(run_jobs(newer, jobs(4), 1).reused, 0U);
}

TEST_F(Runner, ADamagedResultIsMadeAnew) {
  const auto some = jobs(2);
  run_jobs(workshop_, some, 1);
  const std::filesystem::path path = result_path(workshop_, some[1]);
  for (const std::string& damage :
       {std::string("{\"key\": 3"), std::string("{\"key\": 3}"), std::string(),
        std::string(100'000, '['), "{\"key\":\"" + result_key(workshop_, some[1]) + "\"}"}) {
    SCOPED_TRACE(damage.substr(0, 50));
    notes_.clear();
    std::ofstream(path) << damage;
    const auto again = run_jobs(workshop_, some, 1);
    EXPECT_EQ(again.reused, 1U);
    EXPECT_EQ(again.results[1].rows[0].value, 1.0 / 7);
    ASSERT_THAT(notes_, SizeIs(1));
    EXPECT_THAT(notes_[0], StartsWith("note: made again, because it is damaged: " + path.string()));
  }
}

// What the file system says of a file of the cache ends no run: the other jobs have theirs.
TEST_F(Runner, AResultThatCannotBeLookedAtIsDamaged) {
  const auto some = jobs(2);
  run_jobs(workshop_, some, 1);
  const std::filesystem::path path = result_path(workshop_, some[1]);
  std::filesystem::remove(path);
  std::filesystem::create_symlink(path.filename(), path);  // to itself
  EXPECT_EQ(run_jobs(workshop_, some, 1).reused, 1U);
  ASSERT_THAT(notes_, SizeIs(1));
  EXPECT_THAT(notes_[0], StartsWith("note: made again, because it is damaged: "));
}

// Waiting takes time on the clock alone, and both times are remembered.
TEST_F(Runner, ProcessorTimeLeavesWaitingOut) {
  auto some = jobs(1);
  some[0].run = [](Workshop&) -> JobResult {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    return {};
  };
  const JobResult now = run_jobs(workshop_, some, 1).results[0];
  EXPECT_GE(now.seconds, .05);
  const std::chrono::duration<double> since_1970 =
      std::chrono::system_clock::now().time_since_epoch();
  EXPECT_NEAR(now.began + now.seconds, since_1970.count(), 60);
  EXPECT_GT(now.processor_seconds, 0);
  EXPECT_LT(now.processor_seconds, now.seconds);
  EXPECT_EQ(run_jobs(workshop_, some, 1).results[0], now);
}

TEST_F(Runner, AFailureIsToldAndStopsNobody) {
  auto some = jobs(4);
  some[1].run = [](Workshop&) -> JobResult { throw std::runtime_error("no such luck"); };
  const auto summary = run_jobs(workshop_, some, 2);
  ASSERT_THAT(summary.failed, SizeIs(1));
  EXPECT_EQ(summary.failed[0].name, "test/job-1");
  EXPECT_EQ(summary.failed[0].message, "no such luck");
  EXPECT_EQ(runs_, 3);
  EXPECT_THAT(summary.results[1].rows, SizeIs(0));
}

TEST_F(Runner, ProgressCountsEveryJobAndEndsWithNothingLeft) {
  std::vector<std::size_t> done;
  double left = -1;
  run_jobs(workshop_, jobs(3), 1, [&](const Progress& p) {
    EXPECT_EQ(p.all, 3U);
    done.push_back(p.done);
    left = p.seconds_left;
  });
  EXPECT_THAT(done, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(left, 0);
}

TEST_F(Runner, APolicyIsTrainedOnceForAllWhoAskAtTheSameTime) {
  std::atomic<int> trained = 0;
  const auto ask = [&] {
    const PolicyFile file = workshop_.policy("settings", [&] {
      ++trained;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      return PolicyFile{"test", "{}", {{"weight", {2}, {1, 2}}}};
    });
    EXPECT_EQ(file.at("weight").values, (std::vector<float>{1, 2}));
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(ask);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(trained, 1);
  workshop_.policy("other settings", [&] {
    ++trained;
    return PolicyFile{"test", "{}", {}};
  });
  EXPECT_EQ(trained, 2);
}

TEST_F(Runner, ADamagedPolicyIsTrainedAnew) {
  int trained = 0;
  const auto train = [&] {
    ++trained;
    return PolicyFile{"test", "{}", {{"weight", {1}, {1}}}};
  };
  workshop_.policy("settings", train);
  for (const auto& entry : std::filesystem::directory_iterator(scratch_ / "cache" / "policies")) {
    std::ofstream(entry.path()) << "no policy";
  }
  EXPECT_EQ(workshop_.policy("settings", train).at("weight").values, (std::vector<float>{1}));
  EXPECT_EQ(trained, 2);
  ASSERT_THAT(notes_, SizeIs(1));
  EXPECT_THAT(notes_[0], testing::HasSubstr("not a policy file"));
}

}  // namespace
}  // namespace ifd::experiments
