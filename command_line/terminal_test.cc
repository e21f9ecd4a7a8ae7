#include "command_line/terminal.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "ifd/error.h"
#include "tests/refusal.h"
#include "tests/scratch_directory.h"

namespace ifd {
namespace {

TEST(Terminal, QuietSaysNothing) {
  testing::internal::CaptureStderr();
  Terminal{true}.note("hidden");
  Terminal{false}.note("shown");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "shown\n");
}

// A name in a note cannot move the cursor, turn the line around or begin another.
TEST(Terminal, ANoteIsOneLineOfTextThatShowsItself) {
  testing::internal::CaptureStderr();
  Terminal().note("case 'a\n\x1b]0;b\x07\u202e'");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "case 'a\\x0a\\x1b]0;b\\x07\\u202e'\n");
}

// A log file is no place for lines that overwrite themselves, nor for bold.
TEST(Terminal, ProgressAndBoldAreForTerminalsOnly) {
  testing::internal::CaptureStderr();
  Terminal().progress("half");
  Terminal().end_progress();
  const std::string word = bold("word", STDERR_FILENO);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(word, "word");
}

TEST(Terminal, OutputGoesToTheFileOrToStdout) {
  const ScratchDirectory folder;
  testing::internal::CaptureStdout();
  write_output("", "one,");
  write_output("-", "two");
  write_output(folder / "three", "three");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "one,two");
  EXPECT_EQ(folder.get("three"), "three");
}

// What `command | head` does: exit code 0, and no word of it.
TEST(TerminalDeathTest, AReaderThatHasSeenEnoughEndsTheProgramInPeace) {
  const auto write_to_nobody = [] {
    std::signal(SIGPIPE, SIG_IGN);
    int ends[2];
    if (::pipe(ends) != 0) std::_Exit(1);
    ::close(ends[0]);
    ::dup2(ends[1], STDOUT_FILENO);
    write_output("", "a line\n");
    std::_Exit(2);
  };
  EXPECT_EXIT(write_to_nobody(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace ifd
