#include "command_line/signals.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

#include "ifd/data/file_bytes.h"
#include "tests/scratch_directory.h"

namespace ifd {
namespace {

// The file that stood there survives, and what was written beside it goes away.
TEST(SignalsDeathTest, AnInterruptEndsTheProgramAndLeavesNothingHalfWritten) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const ScratchDirectory folder;
    folder.put("result", "older");
    const auto interrupted_while_writing = [&] {
      set_signals();
      AtomicFile file(folder / "result");
      file.write(std::string(1 << 22, 'x'));
      if (folder.files() != 2) std::_Exit(1);  // nothing was written aside yet
      std::raise(signal);
    };
    EXPECT_EXIT(interrupted_while_writing(), testing::KilledBySignal(signal), "");
    EXPECT_EQ(folder.files(), 1U);
    EXPECT_EQ(folder.get("result"), "older");
  }
}

TEST(SignalsDeathTest, WorkThatHeedsInterruptsIsEndedByTheSecond) {
  const auto first = [] {
    set_signals();
    heed_interrupts();
    if (interrupted()) std::_Exit(1);
    std::raise(SIGINT);
    std::_Exit(interrupted() ? kInterrupted : 1);
  };
  EXPECT_EXIT(first(), testing::ExitedWithCode(130), "");
  const auto second = [] {
    set_signals();
    heed_interrupts();
    std::raise(SIGINT);
    std::raise(SIGTERM);
  };
  EXPECT_EXIT(second(), testing::KilledBySignal(SIGTERM), "");
}

TEST(SignalsDeathTest, AReaderThatLeftAndAFileTooLargeEndNothing) {
  const auto carry_on = [] {
    set_signals();
    std::raise(SIGPIPE);
    std::raise(SIGXFSZ);
    std::_Exit(0);
  };
  EXPECT_EXIT(carry_on(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace ifd
