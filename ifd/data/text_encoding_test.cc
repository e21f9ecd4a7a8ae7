#include "ifd/data/text_encoding.h"

#include <gtest/gtest.h>

#include "ifd/data/utf8.h"
#include "ifd/random/keyed_random.h"
#include "tests/refusal.h"

namespace ifd {
namespace {

enum class Mark { kWith, kWithout };

std::string utf16(std::u16string_view text, bool little, Mark mark) {
  std::string bytes;
  const auto append = [&](char16_t unit) {
    const char low = static_cast<char>(unit & 0xFF);
    const char high = static_cast<char>(unit >> 8);
    bytes += little ? low : high;
    bytes += little ? high : low;
  };
  if (mark == Mark::kWith) append(0xFEFF);
  for (const char16_t unit : text) append(unit);
  return bytes;
}

struct Reading {
  std::string text;
  std::vector<std::string> notes;
};

Reading read(std::string bytes) {
  Reading reading;
  const ReadOptions options({}, [&](const std::string& note) { reading.notes.push_back(note); });
  reading.text = utf8_text(std::move(bytes), "x.csv", options);
  return reading;
}

std::string encoding_refused(const std::string& bytes) {
  return refusal([&] { utf8_text(bytes, "x.csv"); });
}

TEST(TextEncoding, UTF8StaysAsItIsWithoutANote) {
  for (const std::string text : {"", "a", "a,b\n1,2\n", "caf\xC3\xA9",
                                 "\xEF\xBB\xBF"
                                 "a",
                                 "\x01"}) {
    EXPECT_EQ(read(text).text, text);
    EXPECT_TRUE(read(text).notes.empty());
  }
}

TEST(TextEncoding, UTF16IsReadInBothByteOrdersWithAndWithoutItsMark) {
  for (const bool little : {true, false}) {
    for (const Mark mark : {Mark::kWith, Mark::kWithout}) {
      const Reading reading = read(utf16(u"case,\u00E9t\u00E9,\U0001F600\r\n", little, mark));
      EXPECT_EQ(reading.text, "case,\xC3\xA9t\xC3\xA9,\xF0\x9F\x98\x80\r\n");
      EXPECT_EQ(reading.notes, std::vector<std::string>{"x.csv: is UTF-16 text"});
    }
    // A mark is enough where no byte is zero.
    EXPECT_EQ(read(utf16(u"\u4E2D\u6587", little, Mark::kWith)).text, "\xE4\xB8\xAD\xE6\x96\x87");
  }
}

// Code points from the table that Unicode publishes for the code page.
TEST(TextEncoding, OtherTextIsTakenForWindows1252AndSaysSo) {
  const Reading reading = read("J\xFCrgen,\x80,\x9F,\xA0,\xFF\n");
  EXPECT_EQ(reading.text, "J\xC3\xBCrgen,\xE2\x82\xAC,\xC5\xB8,\xC2\xA0,\xC3\xBF\n");
  EXPECT_EQ(reading.notes,
            std::vector<std::string>{"x.csv: is not UTF-8; taken for Windows-1252 (Latin-1)"});
}

TEST(TextEncoding, WhatIsNoTextIsRefusedWithItsLine) {
  EXPECT_EQ(encoding_refused(std::string("a,b\n1,\0\n", 8)), "x.csv:2: a NUL byte; expected text");
  EXPECT_EQ(
      encoding_refused("a\n\xFF\n\x01"),
      "x.csv:2: byte 0xff is not UTF-8, and there are control characters; expected UTF-8 text");
  EXPECT_EQ(encoding_refused("a\n\n\x81"),
            "x.csv:3: byte 0x81 is not UTF-8 and not Windows-1252; expected UTF-8 text");
  EXPECT_EQ(encoding_refused("\xC3\xA9\n\xC3\xA9\xFF"),
            "x.csv:2: byte 0xff is not UTF-8, as others of the file are; expected UTF-8 text");
  EXPECT_EQ(encoding_refused("\xFF\n\xC3\xA9"),
            "x.csv:1: byte 0xff is not UTF-8, as others of the file are; expected UTF-8 text");
  EXPECT_EQ(encoding_refused(std::string("\xFF\xFE"
                                         "a\0\n",
                                         5)),
            "x.csv:1: half a character of UTF-16; is the file cut short?");
  EXPECT_EQ(encoding_refused(utf16(u"a\n\xD800", true, Mark::kWith)),
            "x.csv:2: 0xd800 is half a character of UTF-16; expected text");
  EXPECT_EQ(encoding_refused(utf16(u"a\n\xDC00z", false, Mark::kWith)),
            "x.csv:2: 0xdc00 is half a character of UTF-16; expected text");
  EXPECT_EQ(encoding_refused(utf16(u"ab\n\x0003", true, Mark::kWithout)),
            "x.csv:2: control character 0x03; expected text");
  EXPECT_EQ(encoding_refused(std::string("\xFF\xFE\0\0a\0\0\0", 8)),
            "x.csv: is UTF-32 text; expected UTF-8");
}

// A small archive that has unfolded as far as it may does not grow once more.
TEST(TextEncoding, GrowsWithinTheLimits) {
  ReadLimits limits{1, 10};
  EXPECT_EQ(utf8_text("\xFF\xFF\xFF\xFF\xFF", "x.csv", limits).size(), 10u);
  EXPECT_EQ(refusal([&] { utf8_text(std::string(6, '\xFF'), "x.csv", limits); }),
            "x.csv: 6 bytes become more than 10 as UTF-8; expected at most 10; --max-expansion "
            "allows more");
}

TEST(TextEncoding, WhateverTheBytesTheTextIsUTF8WithoutNUL) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key(seed);
    std::string bytes = key.with("mark").below(3) == 0 ? "\xFF\xFE" : "";
    for (std::size_t i = key.with("length").below(20); i > 0; --i) {
      bytes += static_cast<char>(key.below(4, 2 * i) == 0 ? 0 : key.below(256, 2 * i + 1));
    }
    try {
      const std::string text = utf8_text(bytes, "x.csv");
      EXPECT_EQ(first_invalid_utf8(text), text.size());
      EXPECT_EQ(text.find('\0'), std::string::npos);
    } catch (const Error&) {
    }
  }
}

}  // namespace
}  // namespace ifd
