#include "command_line/usage_message.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ifd {
namespace {

class UsageMessage : public testing::Test {
 protected:
  UsageMessage() {
    app_.name("ifd");
    app_.require_subcommand(1);
    CLI::App* route = app_.add_subcommand("route", "");
    route->add_option("--file", file_, "")->required()->type_name("FILE");
    route->add_option("--share", share_, "");
    route->add_option("--count", count_, "");
    route->add_option("--range", range_, "")->delimiter(',')->type_name("LOW,HIGH");
    route->add_option("--scale", scale_, "")->check(CLI::IsMember({"linear", "logit"}));
    CLI::App* plan = app_.add_subcommand("plan", "");
    plan->require_subcommand(1);
    plan->add_subcommand("peak", "");
    plan->add_subcommand("prior", "");
    refuse_signs_of_counts(app_);
  }

  // What is wrong with the words; empty: nothing.
  std::string said_to(std::vector<std::string> words) {
    std::reverse(words.begin(), words.end());  // as this parser wants them
    try {
      app_.parse(words);
    } catch (const CLI::ParseError& error) {
      return usage_message(app_, error);
    }
    return {};
  }

  CLI::App app_;
  std::string file_, scale_;
  double share_ = 0;
  std::size_t count_ = 0;
  std::vector<double> range_;
};

TEST_F(UsageMessage, SaysNothingToARightLine) {
  EXPECT_EQ(said_to({"route", "--file", "f", "--count", "3", "--scale", "logit"}), "");
}

TEST_F(UsageMessage, NamesTheOptionTheValueAndWhatWasAllowed) {
  const auto route = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"route", "--file", "f"});
    return said_to(more);
  };
  const std::string end = "; see 'ifd route --help'";
  EXPECT_EQ(route({"--share", "half"}), "--share: 'half' is not allowed; expected a number" + end);
  EXPECT_EQ(route({"--count", "-1"}),
            "--count: '-1' is not allowed; expected a whole number, 0 or more" + end);
  EXPECT_EQ(route({"--range", "a,b"}),
            "--range: 'a,b' is not allowed; expected two numbers, as in 0,0.5" + end);
  EXPECT_EQ(route({"--scale", "log"}),
            "--scale: 'log' is not allowed; expected one of linear, logit" + end);
  EXPECT_EQ(route({"--share"}), "--share: the value is missing; expected a number" + end);
  EXPECT_EQ(route({"--share", "1", "--share", "2"}),
            "--share: is there too often; expected it once" + end);
  EXPECT_EQ(route({"--fast"}), "'--fast' is not an option" + end);
  EXPECT_EQ(route({"more"}), "'more' is one word too many" + end);
  EXPECT_EQ(said_to({"route"}), "--file is missing" + end);
}

TEST_F(UsageMessage, NamesTheNearestOption) {
  const std::string end = "; see 'ifd route --help'";
  EXPECT_EQ(said_to({"route", "--file", "f", "--shar", ".5"}),
            "'--shar' is not an option; the nearest is '--share'" + end);
  EXPECT_EQ(said_to({"route", "--file", "f", "--shares=.5"}),
            "'--shares' is not an option; the nearest is '--share'" + end);
  // Also where the option that was meant is required, and so missing.
  EXPECT_EQ(said_to({"route", "--flie", "f"}),
            "'--flie' is not an option; the nearest is '--file'" + end);
  EXPECT_EQ(said_to({"route", "--file", "f", "--nonsense", "f"}),
            "'--nonsense' is not an option" + end);
}

TEST_F(UsageMessage, ListsTheCommandsThatThereAre) {
  EXPECT_EQ(said_to({}), "a command is missing; expected route, plan; see 'ifd --help'");
  EXPECT_EQ(
      said_to({"rout"}),
      "'rout' is not a command; the nearest is 'route'; expected route, plan; see 'ifd --help'");
  EXPECT_EQ(said_to({"plan", "lunch"}),
            "'lunch' is not a command; expected peak, prior; see 'ifd plan --help'");
}

}  // namespace
}  // namespace ifd
