#include "command_line/typed_command.h"

#include <gtest/gtest.h>

#include <optional>

namespace ifd {
namespace {

struct Parsed {
  std::vector<std::string> list, again;
  std::optional<double> number;
  std::string text = "not typed";
  bool flag = false;

  // The command as it was typed in turn.
  std::string parse(std::string words) {
    CLI::App app;
    app.add_option("--list", list)->delimiter(',');
    app.add_option("--again", again);
    app.add_option("--number", number);
    app.add_option("-t,--text", text)->capture_default_str();
    app.add_flag("--flag", flag);
    app.parse(words);
    return command_as_typed({"ifd", "command"}, app, "--number");
  }
};

// Whoever types it again means the same; what was not typed is not told.
TEST(TypedCommand, CanBeTypedAgain) {
  const std::string typed = "--list a,b --again 'one x' --again two --text 'it is' --flag";
  Parsed first, second;
  EXPECT_EQ(first.parse(typed + " --number 3"), "ifd command " + typed);
  EXPECT_EQ(second.parse(typed), "ifd command " + typed);
  EXPECT_EQ(first.list, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(second.again, (std::vector<std::string>{"one x", "two"}));
  EXPECT_EQ(second.text, "it is");
  EXPECT_EQ(Parsed().parse(""), "ifd command");
}

}  // namespace
}  // namespace ifd
