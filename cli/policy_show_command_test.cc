// A trained policy as a file, in the commands that take one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ifd/policy/policy_file.h"
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

// An outer key stands before each of its inner ones: of a megabyte, it would fill the disk.
TEST_F(Command, LongKeysOfAPolicyAreCut) {
  std::string metadata = "{\"" + std::string(100'000, 'A') + "\":{";
  for (int i = 0; i < 500; ++i) metadata += (i ? ",\"k" : "\"k") + std::to_string(i) + "\":0";
  PolicyFile policy;
  policy.method = "ifd";
  policy.metadata_json = metadata + "}}";
  policy.write(folder_ / "p.ifd");
  const std::string shown = output("policy show p.ifd");
  EXPECT_THAT(shown, HasSubstr("AAA....k499"));
  EXPECT_LT(shown.size(), 200'000u);
}

// A path may be any bytes; what stands in JSON is UTF-8.
TEST_F(Command, PathsThatAreNotUtf8AreWrittenIntoJson) {
  std::filesystem::copy_file(IFD_SOURCE_DIR "/tests/golden/policy_v1_plain.ifd",
                             folder_ / "\xe9.ifd");
  const json evaluated = output_json(kEvaluate + std::string("--policy \xe9.ifd --json"));
  EXPECT_EQ(evaluated["policies"][0]["policy"], "\xef\xbf\xbd.ifd");
}

}  // namespace
}  // namespace ifd
