// Ctrl-C and readers that leave: nothing half-written stays, and what was there before survives.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <set>
#include <thread>

#include "tests/command.h"

namespace ifd {
namespace {

std::string many_cases(std::size_t count) {
  std::string text = "case,label,cat,dog\n";
  for (std::size_t i = 0; i < count; ++i) {
    text += "case" + std::to_string(i) + (i % 3 == 0 ? ",cat,0.75,0.25\n" : ",dog,0.375,0.625\n");
  }
  return text;
}

std::set<std::string> names_in(const std::filesystem::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

// A pipe as the predictions file holds the command in the middle of its work until it is killed.
TEST(CommandInterruption, WhileReadingLeavesTheOldFileAlone) {
  const ScratchDirectory folder;
  put_example(folder);
  folder.put("out.csv", "an older result\n");
  ASSERT_EQ(run_command(folder.path(),
                        split_words("watch --context c.csv --answers c.csv --state kept.watch"))
                .code,
            0);
  const std::string kept = folder.get("kept.watch");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  const auto before = names_in(folder.path());
  for (const char* words :
       {"route --predictions pipe --context c.csv --budget 0.5 -o out.csv",
        "evaluate --predictions pipe --context c.csv --answers a.csv --curve out.csv",
        "combine --predictions pipe --context c.csv --answers a.csv -o out.csv",
        "certify --context c.csv --calibration pipe --calibration-answers a.csv --error 0.1 -o "
        "out.csv",
        "watch --context c.csv --answers pipe --chart out.csv",
        "watch --context c.csv --answers pipe --state new.watch --chart out.csv",
        "watch --answers pipe --state kept.watch --chart out.csv",
        "plan staff-prior --predictions pipe --context c.csv",
        "plan onboarding --predictions pipe --context c.csv --chart out.csv"}) {
    SCOPED_TRACE(words);
    for (const int signal : {SIGINT, SIGTERM}) {
      RunningCommand command(folder.path(), split_words(words));
      std::ofstream pipe(folder / "pipe");  // opens when the command does
      pipe << "case,label,cat,dog\na,cat," << std::flush;
      command.send(signal);
      const CommandResult result = command.wait();
      EXPECT_EQ(result.signal, signal);
      EXPECT_EQ(result.out, "");
      EXPECT_EQ(folder.get("out.csv"), "an older result\n");
      EXPECT_EQ(folder.get("kept.watch"), kept);
      EXPECT_EQ(names_in(folder.path()), before);
    }
  }
}

// So many simulated experts take minutes: the signal comes while they are drawn.
TEST(CommandInterruption, WhileSimulatingLeavesTheOldFileAlone) {
  const ScratchDirectory folder;
  put_example(folder);
  folder.put("out.svg", "an older picture\n");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  const auto before = names_in(folder.path());
  RunningCommand command(
      folder.path(),
      split_words("plan onboarding --predictions pipe --context c.csv --draws 100000 "
                  "--threads 1 --chart out.svg"));
  std::ofstream(folder / "pipe") << many_cases(1000);
  command.send(SIGINT);
  const CommandResult result = command.wait();
  EXPECT_EQ(result.signal, SIGINT);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(folder.get("out.svg"), "an older picture\n");
  EXPECT_EQ(names_in(folder.path()), before);
}

// Killed as soon as the file written aside can be seen. Should the command be quicker, then the
// new file must be whole: there is no third outcome.
TEST(CommandInterruption, WhileWritingLeavesNothingHalf) {
  constexpr std::size_t kCases = 60000;
  const ScratchDirectory folder;
  put_example(folder);
  folder.put("p.csv", many_cases(kCases));
  folder.put("out.jsonl", "an older result\n");
  const auto before = names_in(folder.path());
  const Words words = split_words(
      "route --predictions p.csv --context c.csv --budget 0.5 --explain -o out.jsonl --quiet");
  for (int attempt = 0; attempt < 3; ++attempt) {
    RunningCommand command(folder.path(), words);
    while (!command.is_over() && names_in(folder.path()) == before) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    command.send(SIGINT);
    const CommandResult result = command.wait();
    EXPECT_EQ(names_in(folder.path()), before);
    if (result.signal == SIGINT) {
      const std::string left = folder.get("out.jsonl");
      EXPECT_TRUE(left == "an older result\n" || split_lines(left).size() == kCases);
    } else {
      EXPECT_EQ(result.code, 0) << result.err;
      EXPECT_EQ(split_lines(folder.get("out.jsonl")).size(), kCases);
    }
  }
}

TEST(CommandInterruption, AReaderThatHasSeenEnoughIsNoError) {
  const ScratchDirectory folder;
  put_example(folder);
  folder.put("p.csv", many_cases(20000));
  const CommandResult result = run_shell(
      folder.path(), "set -o pipefail; '" IFD_COMMAND
                     "' route --predictions p.csv --context c.csv --budget 0.5 | head -n 1");
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.out, "case,decision,expert,prediction,margin\n");
  EXPECT_EQ(result.err, "0 of 20000 cases go to an expert\n");  // as without head
}

}  // namespace
}  // namespace ifd
