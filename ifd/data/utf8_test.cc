#include "ifd/data/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace ifd {
namespace {

// Every scalar value is written as valid UTF-8 of the length the standard gives it.
TEST(Utf8, EveryScalarValueIsValid) {
  for (char32_t c = 0; c <= 0x110010; ++c) {
    const bool scalar = c <= 0x10FFFF && !(c >= 0xD800 && c <= 0xDFFF);
    std::string text = "1234567";
    ASSERT_EQ(append_utf8(text, c), scalar) << static_cast<unsigned>(c);
    const std::size_t length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    ASSERT_EQ(text.size(), 7 + (scalar ? length : 0));
    ASSERT_EQ(first_invalid_utf8(text), text.size());
    if (!scalar) continue;
    const Utf8Character read = first_character(std::string_view(text).substr(7));
    ASSERT_EQ(read.code_point, c);
    ASSERT_EQ(read.bytes, length);
  }
}

// Overlong forms, surrogates, values beyond the last and cut-off sequences, from the Unicode
// standard's table 3-7.
TEST(Utf8, FindsTheFirstBadByte) {
  for (const std::string bad : {"\x80", "\xC0\x80", "\xC1\xBF", "\xC2", "\xC2x", "\xE0\x80\x80",
                                "\xE0\x9F\xBF", "\xED\xA0\x80", "\xE2\x82", "\xF0\x8F\xBF\xBF",
                                "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF"}) {
    for (std::size_t before = 0; before < 20; ++before) {
      EXPECT_EQ(first_invalid_utf8(std::string(before, 'x') + bad), before);
      EXPECT_EQ(first_invalid_utf8(std::string(before, 'x') + bad + "123456789"), before);
    }
    EXPECT_EQ(first_character(bad).bytes, 0u);
  }
}

TEST(Utf8, ExcerptsAreOneShortLine) {
  EXPECT_EQ(excerpt("a\nb\tc\xFF"), "a\\x0ab\\x09c\\xff");
  EXPECT_EQ(excerpt("na\xC3\xAFve"), "na\xC3\xAFve");
  EXPECT_EQ(excerpt(std::string(61, 'x')), std::string(60, 'x') + "...");
  EXPECT_EQ(excerpt(std::string(60, 'x')), std::string(60, 'x'));
}

}  // namespace
}  // namespace ifd
