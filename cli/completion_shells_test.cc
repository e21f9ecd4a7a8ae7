// Completions as the shells themselves offer them, where these are installed. The one for bash is
// tried in help_test.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/command_fixture.h"

namespace ifd {
namespace {

using testing::HasSubstr;

// Asks zsh for what it would offer: a shell on a terminal of its own is sent the line and a tab,
// and what its completion adds is written down.
constexpr const char* kZshCapture = R"END(emulate -L zsh
zmodload zsh/zpty
zpty inner zsh -f -i
zpty -w inner "PROMPT= ; stty -echo; autoload -Uz compinit; compinit -D -u; source ./ifd.zsh
compadd() {
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd \"\$@\"; return \$?; fi
  local -a found; builtin compadd -O found \"\$@\"; (( \$#found )) && print -rl -- \$found >> matches
  builtin compadd \"\$@\"
}
bindkey '^I' complete-word
finish() { : > finished; exit }
zle -N finish; bindkey '^X' finish; : > ready"
for i in {1..1200}; do [[ -e ready ]] && break; sleep 0.05; done
zpty -w -n inner "$1"$'\t\x18'
for i in {1..1200}; do [[ -e finished ]] && break; sleep 0.05; done
zpty -d inner
[[ -e matches ]] && sort -u matches
)END";

class CompletionIn : public Command, public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    const std::string shell = GetParam();
    if (run_shell(folder_.path(), "command -v " + shell).code != 0) {
      GTEST_SKIP() << "there is no " << shell;
    }
    folder_.put("ifd." + shell, output("completion " + shell));
    folder_.put("capture.zsh", kZshCapture);
    std::filesystem::create_directory(folder_ / "place");
  }

  // What the shell offers after these words, sorted, a line each.
  std::string complete(const std::string& words) const {
    const bool fish = GetParam() == std::string("fish");
    return run_shell(folder_.path(),
                     fish ? "fish --no-config -c 'source ifd.fish; complete -C \"ifd " + words +
                                "\"' | cut -f 1 | sort -u"
                          : "rm -f ready finished matches; zsh -f capture.zsh 'ifd " + words + "'")
        .out;
  }
};

TEST_P(CompletionIn, OffersCommandsOptionsValuesAndFiles) {
  EXPECT_EQ(complete("ro"), "route\n");
  EXPECT_EQ(complete("experts s"), "sample\nsimulate\n");
  EXPECT_EQ(complete("route --fill"), "--fill-budget\n");
  EXPECT_EQ(complete("route --margin "), "logit\nprobability\n");
  EXPECT_THAT(complete("route --policy pe"), HasSubstr("peak-rule\n"));
  EXPECT_EQ(complete("route --predictions p.c"), "p.csv\n");
  EXPECT_THAT(complete("data list --directory pl"), testing::StartsWith("place"));
}

INSTANTIATE_TEST_SUITE_P(Shells, CompletionIn, testing::Values("zsh", "fish"));

}  // namespace
}  // namespace ifd
