#include "ifd/data/visible_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <string>

#include "ifd/data/utf8.h"

namespace ifd {
namespace {

// U+0085 as "\u0085", and so on: what the standard's chart of format characters lists.
TEST(VisibleText, ShowsWhatHasNoShape) {
  EXPECT_EQ(visible_text("a\x1b[2Jb\x07\x7f"), "a\\x1b[2Jb\\x07\\x7f");
  EXPECT_EQ(visible_text("one\r\ntwo\tthree"), "one\\x0d\\x0atwo\\x09three");
  EXPECT_EQ(visible_text(std::string("nul\0.", 5)), "nul\\x00.");
  EXPECT_EQ(visible_text("\u0085\u009b2J"), "\\u0085\\u009b2J");
  EXPECT_EQ(visible_text("safe\u202etxt.exe\u2066\u2069"), "safe\\u202etxt.exe\\u2066\\u2069");
  EXPECT_EQ(visible_text("\u061c\u200b\u200d\u200e\u200f\u2028\u2029\ufeff"),
            "\\u061c\\u200b\\u200d\\u200e\\u200f\\u2028\\u2029\\ufeff");
  EXPECT_EQ(visible_text("\U000E0041"), "\\ue0041");
  EXPECT_EQ(visible_text("\xff\xc3(\x9b"), "\\xff\\xc3(\\x9b");
}

TEST(VisibleText, LeavesWhatShowsItself) {
  for (const std::string text : {"", "plain", "C:\\x1b", "Zoë", "犬", "Боб", "🩺", "é", "a b"}) {
    EXPECT_EQ(visible_text(text), text);
  }
}

// Over every scalar value between two letters, and every byte alone: valid UTF-8 on one line,
// without a control character, an override or an isolate, that stays what it is the second time.
TEST(VisibleText, HoldsNothingThatActs) {
  const auto law = [](const std::string& text) {
    const std::string shown = visible_text(text);
    ASSERT_EQ(first_invalid_utf8(shown), shown.size());
    ASSERT_EQ(visible_text(shown), shown);
    std::string_view rest = shown;
    while (!rest.empty()) {
      const Utf8Character c = first_character(rest);
      ASSERT_TRUE(c.code_point >= 0x20 && !(c.code_point >= 0x7F && c.code_point < 0xA0));
      ASSERT_FALSE((c.code_point >= 0x2028 && c.code_point <= 0x202E) ||
                   (c.code_point >= 0x2066 && c.code_point <= 0x2069));
      rest.remove_prefix(c.bytes);
    }
  };
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    std::string text = "a";
    if (append_utf8(text, c)) law(text + "b");
  }
  for (int byte = 0; byte < 256; ++byte) law(std::string(1, static_cast<char>(byte)));
}

// Rows end where they did; what else acts, also within quotes, is written out.
TEST(VisibleText, OfCsvKeepsItsRows) {
  EXPECT_EQ(visible_csv("case,a\n\"x\ny\",\"\x1b[2J\"\"\n\"\nz,1\n"),
            "case,a\n\"x\\x0ay\",\"\\x1b[2J\"\"\\x0a\"\nz,1\n");
  EXPECT_EQ(visible_csv("Zoë,0.5\n"), "Zoë,0.5\n");
}

// Over every scalar value: JSON of the same value without a character that acts; text that shows
// itself stays as it is.
TEST(VisibleText, OfJsonHasTheSameValue) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    std::string text = "a";
    if (!append_utf8(text, c)) continue;
    const std::string plain = nlohmann::json(text).dump();
    const std::string escaped = escaped_json(plain);
    ASSERT_EQ(visible_text(escaped), escaped);
    ASSERT_EQ(nlohmann::json::parse(escaped).get<std::string>(), text);
    ASSERT_TRUE(escaped == plain || visible_text(plain) != plain);
  }
  EXPECT_EQ(escaped_json("{\n  \"Zoë\": 1\n}\n"), "{\n  \"Zoë\": 1\n}\n");
}

}  // namespace
}  // namespace ifd
