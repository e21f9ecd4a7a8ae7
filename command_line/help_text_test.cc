#include "command_line/help_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "command_line/text_width.h"

namespace ifd {
namespace {

// Without a terminal, lines of help have at most 80 columns; only examples stay as they are.
TEST(HelpText, WrapsDescriptions) {
  CLI::App app{
      "One sentence of the kind that says at length what all of this is about, and then "
      "goes on a little."};
  app.name("ifd");
  wrap_help(app);
  const std::string words =
      "Words and more words that take more room than there is beside the name of the option";
  const std::string example = "  ifd route " + std::string(100, 'x');
  CLI::App* command = app.add_subcommand("route", words);
  std::string value;
  command->add_option("--option", value, words);
  std::string choices;
  for (char c = 'a'; c < 'k'; ++c) choices += (choices.empty() ? "" : ",") + std::string(9, c);
  command->add_option("--method", value, "Which")->type_name("TEXT:{" + choices + "}");
  command->footer("Example:\n" + example);
  for (const std::string& help : {app.help(), command->help()}) {
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) {
      if (line == example) continue;
      EXPECT_LE(columns_of(line), kUsualWidth) << line;
    }
  }
  EXPECT_THAT(command->help(), testing::HasSubstr(example));
  EXPECT_THAT(command->help(), testing::HasSubstr("--method TEXT               Which; one of"));
  EXPECT_THAT(command->help(), testing::HasSubstr("jjjjjjjjj\n"));
  EXPECT_THAT(command->help(),
              testing::HasSubstr("Words and more words that take more room than\n" +
                                 std::string(30, ' ') + "there"));
}

}  // namespace
}  // namespace ifd
