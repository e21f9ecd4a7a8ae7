#include "command_line/preset_flag.h"

#include <gtest/gtest.h>

namespace ifd {
namespace {

class PresetFlag : public testing::Test {
 protected:
  PresetFlag() {
    app_.add_option("--scale", scale_, "");
    app_.add_option("--rule", rule_, "");
    add_preset_flag(app_, "--paper",
                    "As in the paper:", {{"--scale", "logit"}, {"--rule", "peak"}});
  }

  CLI::App app_;
  std::string scale_ = "linear", rule_ = "mean";
};

TEST_F(PresetFlag, WithoutItTheDefaultsStand) {
  app_.parse("");
  EXPECT_EQ(scale_ + " " + rule_, "linear mean");
}

TEST_F(PresetFlag, SetsEveryOptionOfItsList) {
  app_.parse("--paper");
  EXPECT_EQ(scale_ + " " + rule_, "logit peak");
}

TEST_F(PresetFlag, WhatIsGivenWinsWhereverItStands) {
  app_.parse("--rule mean --paper");
  EXPECT_EQ(scale_ + " " + rule_, "logit mean");
  app_.clear();
  app_.parse("--paper --scale linear");
  EXPECT_EQ(scale_ + " " + rule_, "linear peak");
}

TEST_F(PresetFlag, ItsHelpTellsTheSettings) {
  EXPECT_EQ(app_.get_option("--paper")->get_description(),
            "As in the paper: --scale logit --rule peak, unless they are given");
}

}  // namespace
}  // namespace ifd
