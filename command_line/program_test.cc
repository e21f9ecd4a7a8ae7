#include "command_line/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <stdexcept>
#include <thread>

#include "command_line/terminal.h"
#include "ifd/data/file_bytes.h"
#include "ifd/error.h"
#include "tests/refusal.h"
#include "tests/scratch_directory.h"

namespace ifd {
namespace {

using testing::ExitedWithCode;
using testing::StrEq;

// main() with this body.
void be_program(const std::function<int()>& body) { std::_Exit(run_program(body)); }

TEST(ProgramDeathTest, EveryKindOfFailureIsOneLineAndAnExitCode) {
  EXPECT_EXIT(be_program([] { return 4; }), ExitedWithCode(4), StrEq(""));
  EXPECT_EXIT(be_program([]() -> int { throw bad_input("a.csv:2: wrong; expected right"); }),
              ExitedWithCode(3), StrEq("ifd: a.csv:2: wrong; expected right\n"));
  EXPECT_EXIT(be_program([]() -> int { throw Error(ErrorKind::kUsage, "no"); }), ExitedWithCode(2),
              StrEq("ifd: no\n"));
  EXPECT_EXIT(be_program([]() -> int { throw Error(ErrorKind::kStorage, "full"); }),
              ExitedWithCode(5), StrEq("ifd: full\n"));
  EXPECT_EXIT(be_program([]() -> int { throw std::bad_alloc(); }), ExitedWithCode(5),
              StrEq("ifd: out of memory\n"));
  EXPECT_EXIT(be_program([]() -> int {
                throw std::runtime_error(
                    "[enforce fail at alloc_cpu.cpp:66] . DefaultCPUAllocator: can't allocate "
                    "memory: you tried to allocate 4 bytes. Error code 12\nframe #0");
              }),
              ExitedWithCode(5), StrEq("ifd: out of memory\n"));
  for (const char* words : {"could not create a memory object", "caught std::bad_alloc in a thread",
                            "fork: Cannot allocate memory"}) {
    EXPECT_EXIT(be_program([&]() -> int { throw std::runtime_error(words); }), ExitedWithCode(5),
                StrEq("ifd: out of memory\n"));
  }
  EXPECT_EXIT(be_program([]() -> int { throw std::runtime_error("broken\nat line 1\nat 2"); }),
              ExitedWithCode(1), StrEq("ifd: broken\n"));
}

// Destructors of other libraries need memory, and their threads throw: no crash and nothing
// half-written either.
TEST(ProgramDeathTest, AnExceptionWhereNoneMayPassIsAFailureToo) {
  const ScratchDirectory folder;
  const auto fail_in_destructor = [&]() -> int {
    const AtomicFile file(folder / "x");
    const std::function<void()> destroy = [] { throw std::bad_alloc(); };
    [&]() noexcept { destroy(); }();
    return 0;
  };
  EXPECT_EXIT(be_program(fail_in_destructor), ExitedWithCode(5), StrEq("ifd: out of memory\n"));
  EXPECT_EQ(folder.files(), 0U);
  const auto fail_in_thread = []() -> int {
    std::thread([] { throw bad_input("a.csv: wrong"); }).join();
    return 0;
  };
  EXPECT_EXIT(be_program(fail_in_thread), ExitedWithCode(3), StrEq("ifd: a.csv: wrong\n"));
  EXPECT_EXIT(be_program([]() -> int { throw 7; }), ExitedWithCode(1),
              StrEq("ifd: an exception without a name\n"));
}

// A name from a file cannot move the cursor, ring the bell or begin a line of its own.
TEST(ProgramDeathTest, AMessageHoldsNoControlCharacters) {
  EXPECT_EXIT(be_program([]() -> int { throw bad_input("case 'a\nb\x1b[2J\x7f\u202e'"); }),
              ExitedWithCode(3), StrEq("ifd: case 'a\\x0ab\\x1b[2J\\x7f\\u202e'\n"));
}

class CommandLine : public testing::Test {
 protected:
  CommandLine() {
    app_.name("ifd");
    app_.require_subcommand(1);
    CLI::App* command = app_.add_subcommand("count", "Counts");
    command->add_option("--to", to_, "How far");
    command->callback([this] { work_ = [this] { return static_cast<int>(to_); }; });
  }

  int run(std::vector<std::string> words) {
    words.insert(words.begin(), "ifd");
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    return run_command_line(app_, static_cast<int>(arguments.size()), arguments.data(), work_);
  }

  CLI::App app_{"A program"};
  std::size_t to_ = 0;
  std::function<int()> work_;
};

TEST_F(CommandLine, DoesTheWorkOfTheChosenCommand) { EXPECT_EQ(run({"count", "--to", "7"}), 7); }

TEST_F(CommandLine, ALineThatIsWrongIsAUsageError) {
  EXPECT_EQ(refusal_kind([&] { run({"count", "--from", "7"}); }), ErrorKind::kUsage);
  EXPECT_EQ(refusal([&] {
              run({"count", "--to", "-1"});
            }),
            "--to: '-1' is not allowed; expected a whole number, 0 or more; see 'ifd count "
            "--help'");
}

TEST_F(CommandLine, HelpGoesToStdout) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(run({"count", "--help"}), 0);
  EXPECT_THAT(testing::internal::GetCapturedStdout(), testing::HasSubstr("Usage: ifd count"));
}

}  // namespace
}  // namespace ifd
