// A trained policy as a file, in the commands that take one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/command_fixture.h"

namespace ifd {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// A trained policy is a file that stands wherever a policy's name does, for any number of classes.
TEST_F(Command, PolicyFilesDecideAndExplainThemselves) {
  const std::string policy = IFD_SOURCE_DIR "/tests/golden/policy_v1_plain.ifd";
  const json shown = output_json("policy show " + policy + " --json");
  EXPECT_EQ(shown["method"], "ifd");
  EXPECT_FALSE(shown["tensors"].empty());
  EXPECT_THAT(output("policy show " + policy), HasSubstr("architecture hash"));
  const json evaluated =
      output_json(kEvaluate + std::string("--policy plug-in,") + policy + " --json");
  ASSERT_EQ(evaluated["policies"].size(), 2u);
  EXPECT_EQ(evaluated["policies"][1]["policy"], policy);
  EXPECT_GE(evaluated["policies"][1]["aursac"], 0.0);
  EXPECT_LE(evaluated["policies"][1]["aursac"], 1.0);
  EXPECT_NE(output(kRoute + std::string("--budget 0.5 --policy ") + policy), "");
}

}  // namespace
}  // namespace ifd
