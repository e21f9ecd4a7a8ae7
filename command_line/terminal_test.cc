#include "command_line/terminal.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>

#include "ifd/error.h"
#include "tests/pseudo_terminal.h"
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

// A summary tells what was said, also where it was said to nobody.
TEST(Terminal, RemembersItsNotes) {
  const Terminal quiet(true);
  quiet.note("hidden");
  quiet.progress("half");
  EXPECT_EQ(quiet.notes(), std::vector<std::string>{"hidden"});
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

// What reaches a terminal of so many columns, 0: it does not know.
std::string progress_on_terminal(unsigned short columns, const std::string& line) {
  winsize size{24, columns, 0, 0};
  int terminal = -1;
  const pid_t process = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (process < 0) throw std::runtime_error("forkpty");
  if (process == 0) {
    Terminal().progress(line);
    ::_exit(0);
  }
  std::string shown;
  char bytes[512];
  for (ssize_t read; (read = ::read(terminal, bytes, sizeof bytes)) > 0;) {
    shown.append(bytes, static_cast<std::size_t>(read));
  }
  ::close(terminal);
  ::waitpid(process, nullptr, 0);
  return shown;
}

// A line that wrapped could not be overwritten, and would fill the screen with its beginnings.
TEST(Terminal, ALineOfProgressNeverWraps) {
  if (!has_pseudo_terminals()) GTEST_SKIP() << kNoPseudoTerminals;
  const std::string begin = "\r\x1b[K";
  EXPECT_EQ(progress_on_terminal(20, "short"), begin + "short");
  EXPECT_EQ(progress_on_terminal(20, "scoring with a long name"), begin + "scoring with a lon…");
  EXPECT_EQ(progress_on_terminal(0, std::string(200, 'x')), begin + std::string(78, 'x') + "…");
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

// Messages are lost, the work is not: a full disk, nobody who reads, no stderr at all.
TEST(TerminalDeathTest, AMessageThatCannotBeWrittenEndsNothing) {
  const auto say_all = [] {
    Terminal().note("note");
    Terminal().progress("progress");
    complain("wrong");
    std::_Exit(0);
  };
  const auto to_a_full_disk = [&] {
    ::dup2(::open("/dev/full", O_WRONLY), STDERR_FILENO);
    say_all();
  };
  const auto to_nobody = [&] {
    std::signal(SIGPIPE, SIG_IGN);
    int ends[2];
    if (::pipe(ends) != 0) std::_Exit(1);
    ::close(ends[0]);
    ::dup2(ends[1], STDERR_FILENO);
    say_all();
  };
  const auto to_nothing = [&] {
    ::close(STDERR_FILENO);
    say_all();
  };
  EXPECT_EXIT(to_a_full_disk(), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(to_nobody(), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(to_nothing(), testing::ExitedWithCode(0), "");
}

// The next file would be written into by whoever writes messages; reading and writing still fail.
TEST(TerminalDeathTest, StandardDescriptorsAreNeverThoseOfAFile) {
  const auto begin_without = [] {
    for (int number = 0; number < 3; ++number) ::close(number);
    occupy_standard_descriptors();
    char byte = 'x';
    const bool taken = ::open("/dev/null", O_RDWR) >= 3;
    const bool useless = ::read(STDIN_FILENO, &byte, 1) < 0 &&
                         ::write(STDOUT_FILENO, &byte, 1) < 0 &&
                         ::write(STDERR_FILENO, &byte, 1) < 0;
    std::_Exit(taken && useless ? 0 : 1);
  };
  EXPECT_EXIT(begin_without(), testing::ExitedWithCode(0), "");
}

// What `command | head` does: no word of it, and the work goes on to its own end.
TEST(TerminalDeathTest, AReaderThatHasSeenEnoughEndsNothing) {
  const ScratchDirectory folder;
  const auto write_to_nobody = [&] {
    std::signal(SIGPIPE, SIG_IGN);
    int ends[2];
    if (::pipe(ends) != 0) std::_Exit(1);
    ::close(ends[0]);
    ::dup2(ends[1], STDOUT_FILENO);
    write_output("", "a line\n");
    write_output("", "another\n");
    write_output(folder / "file", "whole");
    std::_Exit(4);
  };
  EXPECT_EXIT(write_to_nobody(), testing::ExitedWithCode(4), "^$");
  EXPECT_EQ(folder.get("file"), "whole");
}

}  // namespace
}  // namespace ifd
