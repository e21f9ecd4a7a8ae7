// stdin, stdout and stderr closed, full or left: the exit code is that of the work, and no message
// ends up in a file.
#include <gtest/gtest.h>

#include "tests/command_fixture.h"

namespace ifd {
namespace {

class BrokenStreams : public Command {
 protected:
  CommandResult shell(const std::string& words) const {
    return run_shell(folder_.path(), "'" IFD_COMMAND "' " + words);
  }
};

TEST_F(BrokenStreams, AFullOrClosedStderrChangesNothing) {
  const std::string route = std::string(kRoute) + "--budget 0.4 -o out.csv";
  output(route);
  const std::string expected = folder_.get("out.csv");
  for (const char* streams : {" 2>/dev/full", " 2>&-", " <&- 2>&-", " <&- >&- 2>&-",
                              " -q 2>/dev/full", " -q 2>&-", " -q <&- >&- 2>&-"}) {
    SCOPED_TRACE(streams);
    std::filesystem::remove(folder_ / "out.csv");
    const CommandResult result = shell(route + streams);
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(folder_.get("out.csv"), expected);
  }
}

TEST_F(BrokenStreams, ARefusalKeepsItsExitCode) {
  for (const char* streams : {" 2>/dev/full", " 2>&-", " <&- >&- 2>&-"}) {
    SCOPED_TRACE(streams);
    EXPECT_EQ(shell(std::string("profile --context none.csv --classes cat,dog") + streams).code, 3);
    EXPECT_EQ(shell(std::string("route --nonsense") + streams).code, 2);
  }
}

// The shell's >(...) is a link whose text is no path.
TEST_F(BrokenStreams, APipeIsWrittenThroughItsLink) {
  const std::string route = std::string(kRoute) + "--budget 0.4";
  const CommandResult piped = shell(route + " -o >(cat) | cat");
  EXPECT_EQ(piped.code, 0) << piped.err;
  EXPECT_EQ(piped.out, output(route));
}

// Data is no message: what cannot be delivered is an error.
TEST_F(BrokenStreams, DataThatIsLostIsAnError) {
  const std::string route = std::string(kRoute) + "--budget 0.4";
  const CommandResult full = shell(route + " >/dev/full");
  EXPECT_EQ(full.code, 5);
  EXPECT_EQ(full.err, "ifd: standard output: No space left on device\n");
  const CommandResult closed = shell(route + " >&-");
  EXPECT_EQ(closed.code, 5);
  EXPECT_EQ(closed.err, "ifd: standard output: Bad file descriptor\n");
}

}  // namespace
}  // namespace ifd
