#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/command_fixture.h"

namespace ifd {
namespace {

using testing::HasSubstr;

// A name with a blank, so that the printed commands must quote it.
TEST_F(Command, DemosCommandsRunAsPrinted) {
  const CommandResult demo = run_command(folder_.path(), {"demo", "-o", "my demo"});
  ASSERT_EQ(demo.code, 0) << demo.err;
  EXPECT_THAT(demo.out, HasSubstr("plug-in"));
  EXPECT_THAT(demo.err, HasSubstr("their answers combined"));
  EXPECT_THAT(demo.err, HasSubstr("system error <= 28 % with 90 % confidence"));
  for (const char* name : {"report.html", "predictions.csv", "context.csv", "answers.csv"}) {
    EXPECT_TRUE(std::filesystem::exists(folder_ / "my demo" / name)) << name;
  }
  std::vector<std::string> commands;
  bool goes_on = false;
  for (const std::string& line : split_lines(demo.err)) {
    EXPECT_LE(line.size(), 80U) << line;
    if (goes_on) {
      commands.back() += "\n" + line;
    } else if (line.starts_with("   ifd ")) {
      commands.push_back(line);
    } else {
      continue;
    }
    goes_on = line.ends_with('\\');
  }
  for (const std::string& command : commands) {
    const CommandResult result = run_shell(
        folder_.path(),
        "PATH=" + std::filesystem::path(IFD_COMMAND).parent_path().string() + ":$PATH\n" + command);
    EXPECT_EQ(result.code, 0) << command << "\n" << result.err;
    EXPECT_NE(result.out, "") << command;
  }
  EXPECT_EQ(commands.size(), 5U);
}

// Called through a runner whose path has a blank.
TEST_F(Command, DemosCommandsNameTheirRunner) {
  folder_.put("my run", "#!/bin/sh\nshift\nexec '" IFD_COMMAND "' \"$@\"\n");
  std::filesystem::permissions(folder_ / "my run", std::filesystem::perms::owner_all);
  const CommandResult demo =
      run_shell(folder_.path(), "IFD_CALLED_AS='./my run' '" IFD_COMMAND "' demo -o made");
  ASSERT_EQ(demo.code, 0) << demo.err;
  const std::size_t begin = demo.err.find("   './my run' ifd profile");
  ASSERT_NE(begin, std::string::npos) << demo.err;
  const std::string profile =
      demo.err.substr(begin, demo.err.find("\n   './my run'", begin) - begin);
  EXPECT_EQ(run_shell(folder_.path(), profile).code, 0) << profile;
  EXPECT_THAT(folder_.get("made/report.html"), HasSubstr("./my run&#39; ifd evaluate"));
}

}  // namespace
}  // namespace ifd
