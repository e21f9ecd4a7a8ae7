#include "ifd/policy/policy_document.h"

#include <gtest/gtest.h>

#include "ifd/data/json_text.h"

namespace ifd {
namespace {

// Whoever made the file chose the bytes of its names.
TEST(PolicyDocument, IsJsonWhateverBytesTheNamesHave) {
  PolicyFile policy;
  policy.method = "m\xFF";
  policy.tensors = {{"w\xC3", {2}, {1, 2}}};
  const JsonValue document = JsonValue::parse(policy_json(policy), "policy");
  EXPECT_EQ(document.at("method").text(), "m\xEF\xBF\xBD");
  EXPECT_EQ(document.at("tensors").at(std::size_t{0}).at("name").text(), "w\xEF\xBF\xBD");
  EXPECT_EQ(document.at("parameters").count(), 2U);
}

}  // namespace
}  // namespace ifd
