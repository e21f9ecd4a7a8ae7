#include "command_line/command_description.h"

#include <gtest/gtest.h>

#include "command_line/file_options.h"
#include "tests/refusal.h"

namespace ifd {
namespace {

// A program with an option of every kind.
struct Example {
  Example() {
    app.name("ifd");
    CLI::App* command = app.add_subcommand("group", "A group")->add_subcommand("leaf", "A leaf");
    command->footer("Example:\n  ifd group leaf");
    command->add_option("--method", text, "What")->check(CLI::IsMember({"a", "b"}));
    command->add_option("-o,--output", text, "Where")->type_name(kFileWritten);
    command->add_option("--folder", text, "Whence")->type_name(kFolder);
    command->add_option("--count", count, "How often")->capture_default_str();
    command->add_option("--names", list, "Who")->delimiter(',');
    command->add_flag("--quiet", quiet, "Say nothing");
    command->add_option("FILE", text, "A file");
  }

  CLI::App app{"A program"};
  std::string text;
  int count = 3;
  bool quiet = false;
  std::vector<std::string> list;
};

const OptionDescription& option_of(const CommandDescription& leaf, const std::string& name) {
  for (const OptionDescription& option : leaf.options) {
    const bool named = !option.names.empty() && option.names.back() == name;
    if (named || (option.names.empty() && option.value == name)) return option;
  }
  throw std::runtime_error(name);
}

TEST(CommandDescription, TellsWhatEveryOptionTakes) {
  const CommandDescription all = describe(Example().app);
  ASSERT_EQ(all.commands.size(), 1U);
  ASSERT_EQ(all.commands[0].commands.size(), 1U);
  const CommandDescription& leaf = all.commands[0].commands[0];
  EXPECT_EQ(leaf.name, "leaf");
  EXPECT_EQ(leaf.footer, "Example:\n  ifd group leaf");
  EXPECT_EQ(option_of(leaf, "--method").words, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(option_of(leaf, "--method").value, "TEXT");
  EXPECT_EQ(option_of(leaf, "--output").names, (std::vector<std::string>{"-o", "--output"}));
  EXPECT_EQ(option_of(leaf, "--output").kind, ValueKind::kFile);
  EXPECT_EQ(option_of(leaf, "--folder").kind, ValueKind::kFolder);
  EXPECT_EQ(option_of(leaf, "--count").standard, "3");
  EXPECT_TRUE(option_of(leaf, "--names").is_list);
  EXPECT_TRUE(option_of(leaf, "--quiet").is_flag());
  EXPECT_EQ(option_of(leaf, "FILE").kind, ValueKind::kFile);
  EXPECT_FALSE(option_of(leaf, "FILE").is_flag());
}

TEST(CommandDescription, IsReadBackAsItWasWritten) {
  const CommandDescription all = describe(Example().app);
  EXPECT_EQ(command_from_json(to_json(all), "x"), all);
}

TEST(CommandDescription, OtherTextIsRefused) {
  for (const char* text : {"", "usage", "{}", R"({"name":1})",
                           R"({"name":"a","description":"","footer":"","options":[{}]})"}) {
    EXPECT_NE(refusal([&] { command_from_json(text, "x"); }), "") << text;
  }
}

}  // namespace
}  // namespace ifd
