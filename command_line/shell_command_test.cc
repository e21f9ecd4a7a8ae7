#include "command_line/shell_command.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <vector>

#include "tests/scratch_directory.h"

namespace ifd {
namespace {

using Words = std::vector<std::string>;

// What a shell makes of the line's words after the first, which must be a program.
Words read_by_a_shell(const std::string& line) {
  const ScratchDirectory folder;
  folder.put("script", line + " > words");
  const std::string run = "cd '" + folder.path().string() + "' && sh script";
  EXPECT_EQ(std::system(run.c_str()), 0) << line;
  Words words;
  std::string word;
  for (const char c : folder.get("words")) {
    if (c != '\0') {
      word += c;
    } else {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  return words;
}

TEST(ShellCommand, AShellReadsTheSameWords) {
  const Words nasty = {"plain",      "",       "two words", "it's",  "'",        "\"quoted\"",
                       "$HOME",      "`date`", "*",         "~",     "a\nb",     "back\\slash",
                       "#comment",   "a;b|c&", "(x)",       "{a,b}", "!!",       "--option=va lue",
                       "Zoë, große", "-n",     "%s",        "a=b",   "0.5,0.25", "@file"};
  Words words = {"printf", "%s\\0"};
  words.insert(words.end(), nasty.begin(), nasty.end());
  EXPECT_EQ(read_by_a_shell(shell_command(words)), nasty);
}

TEST(ShellCommand, QuotesOnlyWhatNeedsIt) {
  const Words words = {"ifd", "route", "--budget", "0.5", "-o", "my folder/out.csv"};
  EXPECT_EQ(shell_command(words), "ifd route --budget 0.5 -o 'my folder/out.csv'");
  EXPECT_EQ(shell_word("a'b"), "'a'\\''b'");
  EXPECT_EQ(shell_word(""), "''");
}

TEST(ShellCommand, LinesAreShortAndAShellReadsTheSameWords) {
  const Words options = {
      "first", "--some option", "its value", "-b", "--longer-option=1", "c d e", "-x",
      "it's",  "--last",        "",          "a-b"};
  Words words = {"printf", "%s\\0"};
  words.insert(words.end(), options.begin(), options.end());
  for (std::size_t width = 10; width < 120; width += 5) {
    SCOPED_TRACE(width);
    const std::string lines = shell_command_lines(words, width);
    EXPECT_EQ(read_by_a_shell(lines), options);
    std::istringstream each(lines);
    for (std::string line; std::getline(each, line);) {
      if (width < 40) continue;  // no room for an option and its value
      EXPECT_LE(line.size(), width) << line;
    }
  }
  EXPECT_EQ(shell_command_lines(Words{"ifd", "route", "--budget", "0.5", "-o", "routes.csv"}, 22),
            "ifd route \\\n    --budget 0.5 \\\n    -o routes.csv");
  EXPECT_EQ(shell_command_lines(words, 1000), shell_command(words));
}

}  // namespace
}  // namespace ifd
