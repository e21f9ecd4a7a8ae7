#include "ifd/data/json_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "ifd/error.h"
#include "tests/refusal.h"

namespace ifd {
namespace {

std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

std::string refused(const std::string& text, const JsonLimits& limits = {}) {
  return refusal([&] { JsonValue::parse(text, "p.ifd: metadata", limits); });
}

TEST(JsonText, ReadsEveryKindOfValue) {
  const JsonValue read = JsonValue::parse(
      R"({"t":"a\u00e9","n":-1.5,"i":-7,"c":18446744073709551615,"b":true,"z":null,)"
      R"("l":["x","y"],"m":[1,2.5],"o":{"k":{}}})",
      "x");
  EXPECT_EQ(read.at("t").text(), "a\u00e9");
  EXPECT_EQ(read.at("n").number(), -1.5);
  EXPECT_EQ(read.at("i").integer(), -7);
  EXPECT_EQ(read.at("c").count(), SIZE_MAX);
  EXPECT_TRUE(read.at("b").boolean());
  EXPECT_EQ(read.at("l").texts(), (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(read.at("m").numbers(), (std::vector<double>{1, 2.5}));
  EXPECT_EQ(read.at("m").at(1).number(), 2.5);
  EXPECT_TRUE(read.at("o").at("k").is_object());
  EXPECT_FALSE(read.find("absent"));
}

// Order, nesting and digits survive: the library that writes our files is the oracle.
TEST(JsonText, WritesBackWhatItRead) {
  const std::string text =
      R"({"z":1,"a":[[],{},null,true,-3,0.1,1e300,"\"\n"],"m":{"y":{"x":[1,[2,[3]]]}}})";
  EXPECT_EQ(JsonValue::parse(text, "x").dump(), nlohmann::ordered_json::parse(text).dump());
}

TEST(JsonText, KeepsTheOrderOfMembers) {
  const JsonValue read = JsonValue::parse(R"({"z":1,"a":2,"m":3})", "x");
  std::string keys;
  for (const auto& [key, value] : read.members()) keys += key;
  EXPECT_EQ(keys, "zam");
}

TEST(JsonText, AWrongKindNamesFileAndKey) {
  const JsonValue read = JsonValue::parse(
      R"({"link":5,"training":{"epochs":[[1,2,true],[1,"two",true]]},"n":-1,"h":1.5,"l":{}})",
      "p.ifd: metadata");
  EXPECT_EQ(refusal([&] { read.at("link").text(); }),
            "p.ifd: metadata key 'link' is a number; expected text");
  EXPECT_EQ(refusal([&] { read.at("training").at("epochs").at(1).at(1).number(); }),
            "p.ifd: metadata key 'training.epochs[1][1]' is text; expected a number");
  EXPECT_EQ(refusal([&] { read.at("n").count(); }),
            "p.ifd: metadata key 'n' is -1; expected a whole number, 0 or more");
  EXPECT_EQ(refusal([&] { read.at("h").integer(); }),
            "p.ifd: metadata key 'h' is 1.5; expected a whole number");
  EXPECT_EQ(refusal([&] { read.at("h").boolean(); }),
            "p.ifd: metadata key 'h' is a number; expected true or false");
  EXPECT_EQ(refusal([&] { read.at("l").texts(); }),
            "p.ifd: metadata key 'l' is an object; expected a list of text");
  EXPECT_EQ(refusal([&] { read.at("l").at("x"); }),
            "p.ifd: metadata key 'l' has no 'x'; expected it");
  EXPECT_EQ(refusal([&] { read.at("training").at("epochs").at(2); }),
            "p.ifd: metadata key 'training.epochs' has 2 items; expected more than 2");
  EXPECT_EQ(refusal([&] { read.items(); }), "p.ifd: metadata is an object; expected a list");
}

TEST(JsonText, RefusesWhatIsNotJson) {
  for (const std::string text : {"", "{", "[1,]", "nul", "{\"a\":1} x", "\"\xff\"", "1e999", "'a'",
                                 "{\"a\"}", "[1 2]", "\x00", "[\"\\ud800\"]"}) {
    EXPECT_THAT(refused(text), testing::StartsWith("p.ifd: metadata is not JSON from byte "))
        << text;
  }
  EXPECT_EQ(refused(R"({"a":1,"b":{"a":1},"a":2})"),
            "p.ifd: metadata has 'a' twice; expected distinct keys");
}

TEST(JsonText, DepthIsLimited) {
  EXPECT_EQ(refused(repeated("[", 32) + repeated("]", 32)), "");
  const std::string message =
      "p.ifd: metadata nests lists and objects deeper than 32 levels; expected at most 32";
  EXPECT_EQ(refused(repeated("[", 33) + repeated("]", 33)), message);
  EXPECT_EQ(refused(repeated("{\"a\":", 33)), message);
  // Deep enough to exhaust a stack that is one call a level.
  EXPECT_EQ(refused(repeated("[", 8'000'000)), message);
}

TEST(JsonText, ValuesAndBytesAreLimited) {
  const JsonLimits limits{.values = 4, .bytes = 20};
  EXPECT_EQ(refused("[1,2,3]", limits), "");
  EXPECT_EQ(refused("[1,2,3,4]", limits),
            "p.ifd: metadata holds more than 4 values; expected at most 4");
  EXPECT_EQ(refused(R"({"a":1,"b":[2]})", limits), "");
  EXPECT_EQ(refused(repeated(" ", 20) + "1", limits),
            "p.ifd: metadata has 21 bytes; expected at most 20");
}

// A path may be any bytes, and JSON is UTF-8.
TEST(JsonText, BytesThatAreNoTextAreReplaced) {
  const nlohmann::ordered_json document = {{"file", "\xe9.ifd"}, {"name", "caf\xc3\xa9"}};
  EXPECT_EQ(json_text(document), "{\"file\":\"\xef\xbf\xbd.ifd\",\"name\":\"caf\xc3\xa9\"}");
  EXPECT_EQ(json_text(document, 1),
            "{\n \"file\": \"\xef\xbf\xbd.ifd\",\n \"name\": \"caf\xc3\xa9\"\n}");
}

// Time that grows with the square of the keys would be hours here.
TEST(JsonText, ManyKeysAreReadAndWritten) {
  std::string text = "{";
  for (int i = 0; i < 400'000; ++i) text += (i ? ",\"" : "\"") + std::to_string(i) + "\":0";
  text += "}";
  EXPECT_EQ(JsonValue::parse(text, "x").dump(), text);
}

}  // namespace
}  // namespace ifd
