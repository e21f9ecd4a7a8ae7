// What the program says of itself: version, help, manual page, completion.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/command_fixture.h"

namespace ifd {
namespace {

using testing::HasSubstr;

Words all_commands() {
  return {"check",
          "profile",
          "route",
          "explain",
          "evaluate",
          "experts fingerprint",
          "experts simulate",
          "experts sample",
          "plan peak",
          "plan prior",
          "plan threshold",
          "policy show",
          "data list",
          "data fetch",
          "data show",
          "data rings",
          "demo",
          "man",
          "completion"};
}

TEST_F(Command, TellsItsVersion) { EXPECT_EQ(output("--version"), "ifd 0.1.0\n"); }

TEST_F(Command, EveryHelpEndsWithAnExample) {
  for (const std::string& command : all_commands()) {
    SCOPED_TRACE(command);
    const std::string help = output(command + " --help");
    EXPECT_THAT(help, HasSubstr("Usage: ifd " + command));
    EXPECT_THAT(help, HasSubstr("Example:\n  "));
    EXPECT_THAT(help.substr(help.find("Example:")), HasSubstr("ifd " + command));
  }
  for (const char* group : {"experts", "plan", "data"}) {
    EXPECT_THAT(output(std::string(group) + " --help"),
                HasSubstr("Example:\n  ifd " + std::string(group)));
  }
  const std::string help = output("--help");
  EXPECT_THAT(help, HasSubstr("Example:\n  ifd demo"));
  for (const char* group :
       {"check", "profile", "route", "explain", "evaluate", "experts", "plan", "data", "demo"}) {
    EXPECT_THAT(help, HasSubstr(group));
  }
}

TEST_F(Command, ManualNamesEveryCommandAndItsOptions) {
  const std::string page = output("man");
  EXPECT_EQ(page.rfind(".TH IFD 1", 0), 0U);
  for (const std::string& command : all_commands()) {
    EXPECT_THAT(page, HasSubstr(".SS ifd " + command + "\n"));
  }
  EXPECT_THAT(page, HasSubstr("\\-\\-budget"));
}

TEST_F(Command, BashCompletesCommandsAndOptions) {
  folder_.put("completion.bash", output("completion bash"));
  const auto complete = [&](const std::string& words, int position) {
    return run_shell(folder_.path(), "source completion.bash && COMP_WORDS=(" + words +
                                         ") COMP_CWORD=" + std::to_string(position) +
                                         " && _ifd && printf '%s\\n' \"${COMPREPLY[@]}\"")
        .out;
  };
  EXPECT_EQ(complete("ifd ro", 1), "route\n");
  EXPECT_EQ(complete("ifd experts s", 2), "simulate\nsample\n");
  EXPECT_EQ(complete("ifd route --budg", 2), "--budget\n");
  EXPECT_EQ(complete("ifd route --predictions p.c", 3), "p.csv\n");
}

}  // namespace
}  // namespace ifd
