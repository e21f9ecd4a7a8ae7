#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/command_fixture.h"

namespace ifd {
namespace {

using testing::HasSubstr;

// A name with a blank, so that the printed commands must quote it.
TEST_F(Command, DemosCommandsRunAsPrinted) {
  const CommandResult demo = run_command(folder_.path(), {"demo", "-o", "my demo"});
  ASSERT_EQ(demo.code, 0) << demo.err;
  EXPECT_THAT(demo.out, HasSubstr("plug-in"));
  for (const char* name : {"report.html", "predictions.csv", "context.csv", "answers.csv"}) {
    EXPECT_TRUE(std::filesystem::exists(folder_ / "my demo" / name)) << name;
  }
  int commands = 0;
  for (const std::string& line : split_lines(demo.err)) {
    if (!line.starts_with("   ifd ")) continue;
    ++commands;
    const CommandResult result = run_shell(
        folder_.path(),
        "PATH=" + std::filesystem::path(IFD_COMMAND).parent_path().string() + ":$PATH\n" + line);
    EXPECT_EQ(result.code, 0) << line << "\n" << result.err;
    EXPECT_NE(result.out, "") << line;
  }
  EXPECT_EQ(commands, 3);
}

}  // namespace
}  // namespace ifd
