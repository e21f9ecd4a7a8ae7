#include "command_line/old_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace ifd {
namespace {

using testing::HasSubstr;
using testing::Not;

class OldNames : public testing::Test {
 protected:
  OldNames() {
    CLI::App* command = app_.add_subcommand("train", "");
    command->add_option("--calibrate", kind_, "")->check(CLI::IsMember({"none", "bias"}));
    command->add_flag("-q,--quiet");
    keep_old_name(*command, "--calibration", "--calibrate");
  }

  // What is said of the names.
  std::string parsed(std::vector<std::string> words) {
    words.insert(words.begin(), "train");
    std::reverse(words.begin(), words.end());
    app_.parse(words);
    testing::internal::CaptureStderr();
    tell_old_names(app_);
    return testing::internal::GetCapturedStderr();
  }

  CLI::App app_;
  std::string kind_ = "none";
};

TEST_F(OldNames, GoOnWorkingWithANote) {
  EXPECT_EQ(parsed({"--calibration", "bias"}), "note: --calibration is now called --calibrate\n");
  EXPECT_EQ(kind_, "bias");
  EXPECT_EQ(parsed({"--calibration", "none", "-q"}), "");
  EXPECT_EQ(kind_, "none");
}

TEST_F(OldNames, TheNewNameNeedsNoNote) {
  EXPECT_EQ(parsed({"--calibrate", "bias"}), "");
  EXPECT_EQ(kind_, "bias");
}

TEST_F(OldNames, AreCheckedLikeTheNewOnesAndNeverBoth) {
  EXPECT_THROW(parsed({"--calibration", "x"}), CLI::ValidationError);
  EXPECT_THROW(parsed({"--calibration", "bias", "--calibrate", "bias"}), CLI::ExcludesError);
}

TEST_F(OldNames, AreNotInTheHelp) {
  const std::string help = app_.get_subcommand("train")->help();
  EXPECT_THAT(help, HasSubstr("--calibrate"));
  EXPECT_THAT(help, Not(HasSubstr("--calibration")));
}

}  // namespace
}  // namespace ifd
