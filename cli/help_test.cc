// What the program says of itself: version, help, manual page, completion.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "command_line/text_width.h"
#include "tests/command_fixture.h"

namespace ifd {
namespace {

using testing::HasSubstr;

TEST_F(Command, TellsItsVersion) { EXPECT_EQ(output("--version"), "ifd 0.1.0\n"); }

TEST_F(Command, EveryHelpEndsWithAnExample) {
  for (const std::string& command : commands_in(output("man"))) {
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

// Lines end where a terminal of 80 columns does; examples are to be copied and stay whole.
TEST_F(Command, HelpFitsATerminal) {
  Words commands = commands_in(output("man"));
  commands.emplace_back("");
  for (const std::string& command : commands) {
    SCOPED_TRACE(command);
    const std::string help = output(command + " --help");
    for (const std::string& line : split_lines(help.substr(0, help.find("Example:")))) {
      EXPECT_LE(columns_of(line), 80u) << line;
    }
  }
}

// The commands that have no others below them.
void tell_leaves(const nlohmann::json& command, const std::string& path,
                 std::vector<std::string>& leaves) {
  if (command["commands"].empty()) leaves.push_back(path);
  for (const nlohmann::json& below : command["commands"]) {
    const std::string name = below["name"];
    tell_leaves(below, path.empty() ? name : path + " " + name, leaves);
  }
}

TEST_F(Command, ManualNamesEveryCommandAndItsOptions) {
  const std::string page = output("man");
  EXPECT_EQ(page.rfind(".TH IFD 1", 0), 0U);
  std::vector<std::string> told;
  tell_leaves(output_json("--describe"), "", told);
  EXPECT_THAT(told, testing::Contains("plan staff-prior"));
  const Words commands = commands_in(page);
  for (const std::string& leaf : told) {
    // What is below those of the learning programs is known to them alone.
    EXPECT_TRUE(std::ranges::any_of(commands, [&](const std::string& command) {
      return (command + " ").starts_with(leaf + " ");
    })) << leaf;
  }
  EXPECT_THAT(page, HasSubstr("\\-\\-budget"));
}

// What goes in, what comes out and what a margin is stands before the commands.
TEST_F(Command, ManualDescribesBeforeItLists) {
  const std::string page = output("man");
  const std::size_t begin = page.find(".SH DESCRIPTION\n"), end = page.find(".SH COMMANDS\n");
  ASSERT_NE(begin, std::string::npos);
  ASSERT_LT(begin, end);
  const std::string description = page.substr(begin, end - begin);
  for (const char* word : {"margin", "budget", "CSV", "ifd check", "ifd demo"}) {
    EXPECT_THAT(description, HasSubstr(word));
  }
}

// What bash would offer for the words, of which the last is being typed; a line for every offer.
class Completion : public Command {
 protected:
  void SetUp() override { folder_.put("completion.bash", output("completion bash")); }

  std::string complete(const std::string& words) const {
    return run_shell(folder_.path(),
                     "source ./completion.bash && COMP_WORDS=(ifd " + words +
                         ") COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) && _ifd && "
                         "((${#COMPREPLY[@]} == 0)) || printf '%s\\n' \"${COMPREPLY[@]}\"")
        .out;
  }
};

TEST_F(Completion, OfCommandsAndOptions) {
  EXPECT_EQ(complete("ro"), "route\n");
  EXPECT_EQ(complete("experts s"), "simulate\nsample\n");
  EXPECT_EQ(complete("route --fill"), "--fill-budget\n");
  EXPECT_THAT(complete("route ''"), HasSubstr("--predictions\n"));
  EXPECT_THAT(complete("route --quiet ''"), HasSubstr("--predictions\n")) << "after a flag";
  EXPECT_EQ(complete("route --no-such"), "");
}

// Also where a value is joined to its option: bash makes three words of it, or one.
TEST_F(Completion, OfValuesThatAreWords) {
  EXPECT_EQ(complete("route --margin ''"), "probability\nlogit\n");
  EXPECT_EQ(complete("route --margin l"), "logit\n");
  EXPECT_EQ(complete("route --margin ="), "probability\nlogit\n");
  EXPECT_EQ(complete("route --margin = l"), "logit\n");
  EXPECT_EQ(complete("route --margin=l"), "--margin=logit\n");
  EXPECT_EQ(complete("route --quiet --margin l"), "logit\n");
  EXPECT_EQ(complete("completion f"), "fish\n");
  EXPECT_EQ(complete("route --budget ''"), "") << "a number";
}

TEST_F(Completion, OfPoliciesWhichMayBeFiles) {
  EXPECT_THAT(complete("route --policy ''"),
              testing::StartsWith("plug-in\npeak-rule\nconfidence\nconformal\nrandom\n"));
  EXPECT_EQ(complete("route --policy pe"), "peak-rule\n");
  folder_.put("mine.ifd", "");
  EXPECT_EQ(complete("route --policy mi"), "mine.ifd\n");
  EXPECT_EQ(complete("route --policy or"), "") << "the oracle cannot route";
  EXPECT_EQ(complete("evaluate --policy plug-in,or"), "plug-in,oracle\n");
  EXPECT_EQ(complete("evaluate --policy=plug-in,or"), "--policy=plug-in,oracle\n");
}

TEST_F(Completion, OfFilesAndFolders) {
  folder_.put("p and q.csv", "");
  EXPECT_EQ(complete("route --predictions p.c"), "p.csv\n");
  EXPECT_EQ(complete("route --predictions 'p '"), "p and q.csv\n");
  EXPECT_EQ(complete("route -o = p.c"), "p.csv\n");
  EXPECT_EQ(complete("policy show p.c"), "p.csv\n") << "known by its place";
  EXPECT_EQ(complete("evaluate --margins theirs = p.c"), "p.csv\n");
  EXPECT_EQ(complete("evaluate --margins = theirs = p.c"), "p.csv\n");
  std::filesystem::create_directory(folder_ / "place");
  EXPECT_EQ(complete("data list --directory p"), "place\n");
}

// A copy of the command beside programs that describe what they like.
class Siblings : public Command {
 protected:
  void SetUp() override { std::filesystem::copy(IFD_COMMAND, folder_ / "ifd"); }

  void put_program(const std::string& name, const std::string& script) const {
    folder_.put(name, "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(folder_ / name, std::filesystem::perms::owner_all);
  }
  std::string say(const std::string& words) const {
    return run_shell(folder_.path(), "./ifd " + words).out;
  }
};

TEST_F(Siblings, AreAskedForTheirOptions) {
  put_program("ifd-train", R"(cat <<'END'
{"name":"ifd","description":"","footer":"","options":[],"commands":[
 {"name":"train","description":"Train it","footer":"Example:\n  ifd train","commands":[],"options":[
  {"names":["--method"],"value":"TEXT","kind":"text","list":false,"words":["one","two"],
   "default":"one","description":"What to train"}]}]}
END)");
  const std::string page = say("man");
  EXPECT_THAT(page, HasSubstr(".SS ifd train\nTrain it\n.TP\n\\fB\\-\\-method\\fR "
                              "\\fITEXT\\fR\nWhat to train [one, two] (default one)\n"));
  EXPECT_THAT(page, HasSubstr(".\\\" ifd-reproduce is not installed"));
  EXPECT_THAT(page, testing::Not(HasSubstr("ifd-train is not installed")));
  EXPECT_THAT(say("completion bash"), HasSubstr("'train --method') words='one two' ;;"));
  EXPECT_THAT(say("completion zsh"),
              HasSubstr("--method=[What to train]:TEXT:{compadd -- one two}"));
  EXPECT_THAT(say("completion fish"),
              HasSubstr("-n '__ifd_at train' -l method -x -a 'one two' -d 'What to train'"));
}

TEST_F(Siblings, ThatFailAreDoneWithout) {
  for (const char* script : {"exit 1", "echo usage", "kill -SEGV $$", "echo '{}'"}) {
    SCOPED_TRACE(script);
    put_program("ifd-train", script);
    EXPECT_THAT(say("man"), testing::AllOf(HasSubstr(".\\\" ifd-train is not installed"),
                                           HasSubstr(".SS ifd train\n")));
    EXPECT_THAT(say("completion bash"), testing::StartsWith("# ifd-train is not installed"));
  }
}

TEST_F(Command, ManualIsGoodRoff) {
  const CommandResult groff =
      run_shell(folder_.path(), "command -v groff > /dev/null || exit 77; '" IFD_COMMAND
                                "' man | groff -man -Tutf8 -Kutf8 -ww > /dev/null");
  if (groff.code == 77) GTEST_SKIP() << "there is no groff";
  EXPECT_EQ(groff.err, "");
}

}  // namespace
}  // namespace ifd
