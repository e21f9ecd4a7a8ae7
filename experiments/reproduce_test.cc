// The program ifd-reproduce from outside: alone, resumed, and as several ranks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>

#include "tests/scratch_directory.h"

namespace ifd::experiments {
namespace {

using testing::HasSubstr;

class Reproduce : public testing::Test {
 protected:
  // The exit code; stdout and stderr are in files of these names.
  int run(const std::string& arguments, const std::string& launcher = "") {
    const std::string command =
        "cd '" + scratch_.path().string() + "' && export OMP_WAIT_POLICY=passive && " + launcher +
        " '" IFD_REPRODUCE_COMMAND "' reproduce " + arguments + " > stdout 2> stderr";
    return WEXITSTATUS(std::system(command.c_str()));
  }
  static bool has_mpirun() { return std::system("command -v mpirun > /dev/null") == 0; }

  ScratchDirectory scratch_;
};

constexpr const char* kMpirun =
    "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe ";
constexpr const char* kSmall = "--quick --only toy --epochs 2 --data none ";

TEST_F(Reproduce, RunsAgainToTheSameNumbersWithoutDoingAnything) {
  ASSERT_EQ(run(std::string(kSmall) + "-o one --jobs 2"), 0) << scratch_.get("stderr");
  const std::string first = scratch_.get("one/results.csv");
  EXPECT_THAT(first, HasSubstr("toy,rings,,ood,ifd-peak,"));
  ASSERT_EQ(run(std::string(kSmall) + "-o one"), 0);
  EXPECT_THAT(scratch_.get("stderr"), HasSubstr("7 found finished"));
  EXPECT_EQ(scratch_.get("one/results.csv"), first);
  // From nothing, with another number of workers.
  ASSERT_EQ(run(std::string(kSmall) + "-o two --jobs 1"), 0);
  EXPECT_EQ(scratch_.get("two/results.csv"), first);
}

// Ranks share the jobs, rank 0 gathers, and the numbers are those of one process.
TEST_F(Reproduce, RanksGiveTheNumbersOfOneProcess) {
  if (!has_mpirun()) GTEST_SKIP() << "mpirun is not installed";
  ASSERT_EQ(run(std::string(kSmall) + "-o one --jobs 1"), 0) << scratch_.get("stderr");
  ASSERT_EQ(run(std::string(kSmall) + "-o ranks", std::string(kMpirun) + "-n 3"), 0)
      << scratch_.get("stderr");
  EXPECT_THAT(scratch_.get("stderr"), HasSubstr("on 3 ranks"));
  EXPECT_EQ(scratch_.get("ranks/results.csv"), scratch_.get("one/results.csv"));
}

// When a rank dies, what was finished stays finished.
TEST_F(Reproduce, AfterADeadRankOnlyTheRunningJobsRunAgain) {
  if (!has_mpirun()) GTEST_SKIP() << "mpirun is not installed";
  ASSERT_EQ(run(std::string(kSmall) + "-o all --jobs 1"), 0);
  // Killed as soon as the first result is there.
  const std::string killer =
      "( for i in $(seq 600); do sleep .05; ls killed/cache/results/toy/*/*.json > /dev/null 2>&1 "
      "&& break; done; pkill -KILL -n -f '[i]fd-reproduce reproduce.*-o killed' ) & ";
  run(std::string(kSmall) + "-o killed", killer + kMpirun + "-n 2");
  ASSERT_EQ(run(std::string(kSmall) + "-o killed --jobs 1"), 0);
  EXPECT_THAT(scratch_.get("stderr"), testing::Not(HasSubstr("(0 found finished")));
  EXPECT_EQ(scratch_.get("killed/results.csv"), scratch_.get("all/results.csv"));
}

TEST_F(Reproduce, ListsJobsAndRefusesWhatItDoesNotKnow) {
  ASSERT_EQ(run(std::string(kSmall) + "--list"), 0);
  EXPECT_THAT(scratch_.get("stdout"), HasSubstr("toy/pop-qi/seed-0\n"));
  EXPECT_EQ(run("--only table9"), 2);
  EXPECT_THAT(scratch_.get("stderr"), HasSubstr("ifd: "));
  EXPECT_EQ(run("--only imagenet16h --data nowhere"), 3);
  EXPECT_THAT(scratch_.get("stderr"), HasSubstr("none of the data sets is there"));
}

}  // namespace
}  // namespace ifd::experiments
