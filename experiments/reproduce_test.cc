// The program ifd-reproduce from outside: alone, resumed, and as several ranks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>

#include "ifd/data/npz.h"
#include "ifd/random/keyed_random.h"
#include "tests/pseudo_terminal.h"
#include "tests/real_data.h"
#include "tests/scratch_directory.h"

namespace ifd::experiments {
namespace {

using testing::HasSubstr;
using testing::Not;

class Reproduce : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directory(scratch_.path() / "empty"); }

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
constexpr const char* kSmall = "--quick --only toy --epochs 2 --data empty ";

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

// A limit on the size of files, which is a signal, stands for a full disk. What does not fit fails,
// and what was written aside is gone.
TEST_F(Reproduce, AFullDiskIsAnErrorAndLeavesNothingAside) {
  scratch_.put("limited", "ulimit -f 4\nexec \"$@\"\n");
  const int code = run(std::string(kSmall) + "-o one --jobs 2", "sh limited");
  EXPECT_TRUE(code == 1 || code == 5) << code;
  EXPECT_THAT(scratch_.get("stderr"), HasSubstr("cannot be written: File too large"));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(scratch_.path())) {
    EXPECT_NE(entry.path().extension(), ".part") << entry.path();
  }
  EXPECT_EQ(run(std::string(kSmall) + "-o one --jobs 2"), 0) << scratch_.get("stderr");
}

TEST_F(Reproduce, AFullStderrChangesNothing) {
  scratch_.put("unheard", "exec \"$@\" 2> /dev/full\n");
  EXPECT_EQ(run(std::string(kSmall) + "--list", "sh unheard"), 0);
  EXPECT_EQ(run("--only table9", "sh unheard"), 2);
  ASSERT_EQ(run(std::string(kSmall) + "-o one", "sh unheard"), 0);
  EXPECT_TRUE(std::filesystem::exists(scratch_ / "one/report.html"));
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

// The variables of `srun -n 3` without a plugin for MPI: three processes that cannot find each
// other would each do all the work, in the same folder.
TEST_F(Reproduce, ProcessesThatCannotFindEachOtherAreRefused) {
  EXPECT_EQ(run(std::string(kSmall) + "-o alone",
                "env -u OMPI_COMM_WORLD_SIZE -u PMI_SIZE -u PMIX_RANK SLURM_PROCID=0 "
                "SLURM_STEP_NUM_TASKS=3"),
            2);
  EXPECT_THAT(scratch_.get("stderr"), HasSubstr("ifd: started as one of 3 processes"));
  EXPECT_FALSE(std::filesystem::exists(scratch_.path() / "alone"));
  // A job's variables outside of its steps, and a step of one task, are one process.
  EXPECT_EQ(run(std::string(kSmall) + "--list", "env SLURM_PROCID=0 SLURM_NTASKS=3"), 0);
  EXPECT_EQ(run(std::string(kSmall) + "--list", "env SLURM_NTASKS=3 SLURM_STEP_NUM_TASKS=1"), 0);
}

// When a rank dies, what was finished stays finished. Rank 1 kills itself once a result is there.
TEST_F(Reproduce, AfterADeadRankOnlyTheRunningJobsRunAgain) {
  if (!has_mpirun()) GTEST_SKIP() << "mpirun is not installed";
  ASSERT_EQ(run(std::string(kSmall) + "-o all --jobs 1"), 0);
  scratch_.put("die",
               "if [ \"$OMPI_COMM_WORLD_RANK\" = 1 ]; then\n"
               "  ( while ! ls killed/cache/results/toy/*/*.json > /dev/null 2>&1; do sleep .05; "
               "done; kill -KILL $$ ) &\n"
               "fi\nexec \"$@\"\n");
  EXPECT_NE(run(std::string(kSmall) + "-o killed", std::string(kMpirun) + "-n 2 sh die"), 0);
  ASSERT_EQ(run(std::string(kSmall) + "-o killed --jobs 1"), 0);
  EXPECT_THAT(scratch_.get("stderr"), Not(HasSubstr("(0 found finished")));
  EXPECT_EQ(scratch_.get("killed/results.csv"), scratch_.get("all/results.csv"));
}

// The regression test of the science: every area, error and order of the quick study.
TEST_F(Reproduce, QuickFormStaysInItsBands) {
  EXPECT_EQ(run("--quick --data empty -o quick --check"), 0) << scratch_.get("stderr");
  EXPECT_THAT(scratch_.get("stderr"), HasSubstr("of the stored expectations hold"));
  // A band that is left is told, and is exit code 4.
  scratch_.put("wrong.json",
               R"({"bands": [{"experiment": "table1", "data": "generated", "experts": "variable",
               "group": "ood", "method": "plug-in", "scale": "probability", "measure": "aursac",
               "low": 0.1, "high": 0.2}], "orders": []})");
  EXPECT_EQ(run("--quick --data empty -o quick --check wrong.json"), 4);
  EXPECT_THAT(scratch_.get("stderr"), HasSubstr("table1 generated variable ood plug-in"));
}

// Under the paper's protocol: who is on duty, the report, and the claims it judges. Nobody of
// ImageNet-16H is called seen, where the data is there.
TEST_F(Reproduce, ThePapersProtocolIsReportedToTheEnd) {
  const auto people = real_data("imagenet16h");
  const std::string data = people ? "'" + people->parent_path().string() + "'" : "empty";
  ASSERT_EQ(
      run("--quick --protocol paper --only table1,imagenet16h --cohorts 1 --epochs 1 -o paper "
          "--propose paper/bands.json --data " +
          data),
      0)
      << scratch_.get("stderr");
  const std::string rows = scratch_.get("paper/results.csv");
  EXPECT_THAT(rows, HasSubstr("table1,generated,variable,seen,pop-qi,"));
  EXPECT_THAT(rows, Not(HasSubstr("imagenet16h,imagenet16h,2 people,seen,")));
  if (people) {
    EXPECT_THAT(rows, HasSubstr("imagenet16h,imagenet16h,2 people,id,pop-qi,"));
  }
  const std::string report = scratch_.get("paper/results.md");
  EXPECT_THAT(report, HasSubstr("| protocol | paper; contexts of L2D-Pop from the pool |"));
  EXPECT_THAT(report, testing::ContainsRegex("of [1-9][0-9]* claims measured"));
  EXPECT_TRUE(std::filesystem::exists(scratch_ / "paper/report.html"));
  // The folder of the output was not there when it was asked to hold the bands.
  EXPECT_THAT(scratch_.get("paper/bands.csv"), HasSubstr("table1,generated,variable,seen,pop-qi,"));
}

// Before the work, not after it.
TEST_F(Reproduce, ExpectationsThatCannotBeReadAreRefusedFirst) {
  scratch_.put("empty.json", "{}");
  scratch_.put("damaged.json", R"({"bands": [)");
  for (const auto& [file, words] :
       {std::pair("none.json", "none.json: no such file"),
        std::pair("empty.json", "empty.json: expects nothing; expected one band or order"),
        std::pair("damaged.json", "damaged.json: the text is not JSON")}) {
    EXPECT_EQ(run(std::string(kSmall) + "-o early --check " + file), 3);
    EXPECT_THAT(scratch_.get("stderr"), HasSubstr(words));
    EXPECT_FALSE(std::filesystem::exists(scratch_ / "early/report.html"));
    EXPECT_FALSE(std::filesystem::exists(scratch_ / "early/cache/results"));
  }
  EXPECT_EQ(run(std::string(kSmall) + "-o early --propose damaged.json"), 3);
  EXPECT_THAT(scratch_.get("stderr"), HasSubstr("damaged.json: the text is not JSON"));
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "early/cache/results"));
}

// Where expectations are proposed into a file that has some, those of other experiments stay.
TEST_F(Reproduce, WhatAFileExpectsOfOtherExperimentsStays) {
  scratch_.put("bands.json",
               R"({"bands": [{"experiment": "joint", "measure": "aursac", "low": 0, "high": 1},
               {"experiment": "toy", "measure": "none", "low": 0, "high": 1}], "orders": []})");
  ASSERT_EQ(run(std::string(kSmall) + "-o one --propose bands.json"), 0) << scratch_.get("stderr");
  const std::string bands = scratch_.get("bands.json");
  EXPECT_THAT(bands, HasSubstr(R"("experiment":"joint")"));
  EXPECT_THAT(bands, HasSubstr(R"("experiment":"toy","data":"rings")"));
  EXPECT_THAT(bands, Not(HasSubstr("none")));
  EXPECT_EQ(run(std::string(kSmall) + "-o one --check bands.json"), 0) << scratch_.get("stderr");
}

// What a file of expectations names and does not hold is told, and does not act on the terminal.
TEST_F(Reproduce, NamesInAFileOfExpectationsDoNotActOnTheTerminal) {
  if (!has_pseudo_terminals()) GTEST_SKIP() << kNoPseudoTerminals;
  scratch_.put("hostile.json",
               R"({"bands": [{"experiment": "toy", "data": "\u001b[2J\u202e\u009b\n",
               "measure": "aursac", "low": 0, "high": 1}], "orders": []})");
  const std::string words = std::string(kSmall) + "-o one --check hostile.json";
  const std::string shown = shown_on_terminal(
      scratch_.path(), {"bash", "-c", "'" IFD_REPRODUCE_COMMAND "' reproduce " + words});
  EXPECT_EQ(first_that_acts(shown), "") << shown;
  EXPECT_THAT(shown, HasSubstr("toy \\x1b[2J\\u202e\\u009b\\x0a"));
}

// Eleven classes of grey images in the layout and under the name of OrganAMNIST: a bright column
// tells the class.
std::string eleven_classes() {
  constexpr std::size_t kSide = 28;
  NpzWriter writer;
  for (const std::string split : {"train", "val", "test"}) {
    const std::size_t count = split == "train" ? 220 : 44;
    std::vector<std::uint8_t> pixels, labels;
    for (std::size_t i = 0; i < count; ++i) {
      const Key noise = Key(3).with(split).with(i);
      labels.push_back(static_cast<std::uint8_t>(i % 11));
      for (std::size_t at = 0; at < kSide * kSide; ++at) {
        const bool bright = at % kSide / 2 == i % 11;
        pixels.push_back(static_cast<std::uint8_t>(noise.below(100, at) + (bright ? 100 : 0)));
      }
    }
    writer.add(split + "_images", {count, kSide, kSide}, std::span<const std::uint8_t>(pixels));
    writer.add(split + "_labels", {count, 1}, std::span<const std::uint8_t>(labels));
  }
  return std::move(writer).bytes();
}

// A folder that was named but is not there is a slip of the pen, not a study of the rings alone.
TEST_F(Reproduce, RefusesADataFolderThatIsNotThere) {
  EXPECT_EQ(run("--data nowhere -o study"), 3);
  EXPECT_THAT(scratch_.get("stderr"), HasSubstr("--data nowhere: no such folder"));
  EXPECT_FALSE(std::filesystem::exists(scratch_.path() / "study"));
}

// The third data set of Table 1 runs when its file is there, and the others are said to be left
// out.
TEST_F(Reproduce, ElevenClassesFromAFileBecomeTheThirdDataSet) {
  std::filesystem::create_directory(scratch_.path() / "data");
  scratch_.put("data/organamnist.npz", eleven_classes());
  ASSERT_EQ(run("--only table1 --cohorts 1 --epochs 1 --data data -o organ"), 0)
      << scratch_.get("stderr");
  EXPECT_THAT(scratch_.get("stderr"),
              HasSubstr("left out: Blood Cells: none of bloodcells_28.npz"));
  EXPECT_THAT(scratch_.get("stderr"), Not(HasSubstr("left out: Liver")));
  const std::string rows = scratch_.get("organ/results.csv");
  for (const char* row : {"table1,organ,variable,ood,ifd-peak,,probability,aursac,",
                          "table1,organ,stable,id,pop-qc,,logit,aurdac,",
                          "table1,organ,stable,seen,multi-expert,,probability,aursac,"}) {
    EXPECT_THAT(rows, HasSubstr(row));
  }
  EXPECT_THAT(scratch_.get("organ/results.md"), HasSubstr("Liver/Organ"));
}

TEST_F(Reproduce, ListsJobsAndRefusesWhatItDoesNotKnow) {
  ASSERT_EQ(run(std::string(kSmall) + "--list"), 0);
  EXPECT_THAT(scratch_.get("stdout"), HasSubstr("toy/pop-qi/seed-0\n"));
  EXPECT_EQ(run("--only table9"), 2);
  EXPECT_THAT(scratch_.get("stderr"), HasSubstr("ifd: "));
  EXPECT_EQ(run("--only imagenet16h,table1 --data empty -o nothing"), 3);
  EXPECT_THAT(scratch_.get("stderr"),
              HasSubstr("ifd: empty: none of the data sets is there; expected one of "
                        "bloodcells_28.npz, "));
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "nothing"));
}

}  // namespace
}  // namespace ifd::experiments
