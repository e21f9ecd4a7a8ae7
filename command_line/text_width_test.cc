#include "command_line/text_width.h"

#include <gtest/gtest.h>

namespace ifd {
namespace {

TEST(TextWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(columns_of("abc"), 3u);
  EXPECT_EQ(columns_of("Zoë"), 3u);
  EXPECT_EQ(columns_of("e\u0308"), 1u);  // an accent that joins
  EXPECT_EQ(columns_of("漢字"), 4u);
  EXPECT_EQ(columns_of("\xff"), 1u);  // no UTF-8
}

TEST(TextWidth, ALongTextIsCutInTheMiddle) {
  EXPECT_EQ(cut_in_middle("abcdefgh", 8), "abcdefgh");
  EXPECT_EQ(cut_in_middle("abcdefgh", 7), "ab…efgh");
  EXPECT_EQ(cut_in_middle("abcdefgh", 3), "…gh");
  EXPECT_EQ(cut_in_middle("abcdefgh", 1), "…");
  // An ideograph takes two columns, and is never half there.
  EXPECT_EQ(cut_in_middle("\u72ac\u72ac\u72ac\u72ac", 6), "\u72ac…\u72ac");
}

TEST(TextWidth, CutsWithAMarkAndNeverBeyondTheWidth) {
  EXPECT_EQ(cut_to_width("abc", 3), "abc");
  EXPECT_EQ(cut_to_width("abcd", 3), "ab…");
  EXPECT_EQ(cut_to_width("漢字漢字", 6), "漢字…");
  for (std::size_t columns = 1; columns < 12; ++columns) {
    EXPECT_LE(columns_of(cut_to_width("漢a字b漢 c字", columns)), columns);
  }
}

TEST(TextWidth, WrapsAtBlanksAndKeepsLineEnds) {
  EXPECT_EQ(wrapped_at("one two three", 7), "one two\nthree");
  EXPECT_EQ(wrapped_at("one\ntwo three", 9), "one\ntwo three");
  EXPECT_EQ(wrapped_at("a-word-too-long b", 5), "a-word-too-long\nb");
  EXPECT_EQ(wrapped_at("", 5), "");
}

}  // namespace
}  // namespace ifd
