// "-" is standard input, wherever a file is read once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/command_fixture.h"

namespace ifd {
namespace {

using testing::HasSubstr;

class StandardInput : public Command {
 protected:
  CommandResult shell(const std::string& script) const { return run_shell(folder_.path(), script); }
  static std::string ifd(const std::string& words) { return IFD_COMMAND " " + words; }
};

// Every file that route and evaluate read, one at a time, compressed or not.
TEST_F(StandardInput, StandsForAnyFile) {
  folder_.put("capacity.csv", "expert,capacity\nann,1\n");
  folder_.put("prior.csv", "expert,class,mean,strength\nann,cat,0.8,4\n");
  folder_.put("g.csv", "case,group\na,P\nb,P\nc,Q\nd,Q\ne,R\n");
  const std::vector<std::pair<std::string, std::vector<std::pair<std::string, std::string>>>>
      commands = {{"route --budget 0.6 ",
                   {{"--predictions", "p.csv"},
                    {"--context", "c.csv"},
                    {"--calibration", "p.csv"},
                    {"--capacity", "capacity.csv"},
                    {"--prior", "prior.csv"}}},
                  {"evaluate --json --bootstrap 20 ",
                   {{"--predictions", "p.csv"},
                    {"--context", "c.csv"},
                    {"--answers", "a.csv"},
                    {"--capacity", "capacity.csv"},
                    {"--groups", "g.csv"},
                    {"--context-predictions", "p.csv"},
                    {"--prior", "prior.csv"}}}};
  for (const auto& [command, files] : commands) {
    const auto words_with = [&, &files = files, &command = command](const std::string& from_input) {
      std::string words = command;
      for (const auto& [option, file] : files) {
        words += option + " " + (option == from_input ? "-" : file) + " ";
      }
      return words;
    };
    const std::string expected = output(words_with(""));
    for (const auto& [option, file] : files) {
      SCOPED_TRACE(command + option);
      EXPECT_EQ(shell(ifd(words_with(option)) + "< " + file).out, expected);
      EXPECT_EQ(shell("gzip -c " + file + " | " + ifd(words_with(option))).out, expected);
    }
  }
}

TEST_F(StandardInput, HasANameInMessages) {
  EXPECT_THAT(
      shell("echo case,cat,dog | " + ifd("route --predictions - --context c.csv --budget 1")).err,
      HasSubstr("ifd: standard input: no rows"));
  EXPECT_THAT(shell("printf 'expert,case,answer\\nann,a,cat\\n' | " +
                    ifd("evaluate --predictions p.csv --context c.csv --answers -"))
                  .err,
              HasSubstr("ifd: standard input: 9 answers are missing"));
  EXPECT_THAT(shell(ifd("route --predictions - --context - --budget 1") + " < p.csv").err,
              HasSubstr("--predictions and --context would both read standard input"));
  EXPECT_THAT(shell(ifd("route --predictions - --context c.csv --budget 1") + " <&-").err,
              HasSubstr("standard input: "));
}

}  // namespace
}  // namespace ifd
