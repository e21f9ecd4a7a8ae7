#include "cli/text_table.h"

#include <gtest/gtest.h>

namespace ifd::cli {
namespace {

TEST(TextTable, SetsNumbersToTheRightAndWordsToTheLeft) {
  TextTable table({"expert", "cases", "area"});
  table.add({"ann", "7", "0.81 [0.79, 0.83]"});
  table.add({"bobby", "12", "0.5 [0.4, 0.6]"});
  EXPECT_EQ(table.text(),
            "expert  cases               area\n"
            "ann         7  0.81 [0.79, 0.83]\n"
            "bobby      12     0.5 [0.4, 0.6]\n");
}

// One long name beside many short ones would make every row as long as itself.
TEST(TextTable, LongCellsAreCutInTheMiddle) {
  TextTable table({"expert", "rate"});
  table.add({std::string(5000, 'a') + "z", "0.5"});
  for (int i = 0; i < 100; ++i) table.add({"b", "0.5"});
  const std::string text = table.text();
  EXPECT_LE(text.size(), 102 * (kCellColumns + 10));
  EXPECT_NE(text.find("a…a"), std::string::npos);
  EXPECT_NE(text.find("az"), std::string::npos);
}

// One word makes a column of words.
TEST(TextTable, AWordAmongNumbersKeepsTheColumnLeft) {
  TextTable table({"expert", "rate"});
  table.add({"ann", "none"});
  table.add({"bob", "0.5"});
  EXPECT_EQ(table.text(), "expert  rate\nann     none\nbob     0.5\n");
}

// What has no room goes below, beside the first column again.
TEST(TextTable, ColumnsWithoutRoomGoBelow) {
  TextTable table({"expert", "one", "two", "three"});
  table.add({"ann", "1", "2", "3"});
  EXPECT_EQ(table.text(18), "expert  one  two\nann       1    2\n\nexpert  three\nann         3\n");
  EXPECT_EQ(table.text(3),
            "expert  one\nann       1\n\nexpert  two\nann       2\n\n"
            "expert  three\nann         3\n");
}

// What belongs to a column goes below with it, unless there is no room for both.
TEST(TextTable, ColumnsThatBelongTogetherGoBelowTogether) {
  TextTable table({"expert", "one", "two", "of"});
  table.add({"ann", "1", "2", "3"});
  table.keep_beside_previous(3);
  EXPECT_EQ(table.text(18), "expert  one\nann       1\n\nexpert  two  of\nann       2   3\n");
  EXPECT_EQ(table.text(20), "expert  one  two  of\nann       1    2   3\n");
  EXPECT_EQ(table.text(12),
            "expert  one\nann       1\n\nexpert  two\nann       2\n\nexpert  of\nann      3\n");
}

TEST(Wrapped, BreaksAtBlanksAndNowhereElse) {
  EXPECT_EQ(wrapped("one two three", 8), "one two\nthree");
  EXPECT_EQ(wrapped("one two three", 13), "one two three");
  EXPECT_EQ(wrapped("uncommonlylong a b", 3), "uncommonlylong\na b");
  EXPECT_EQ(wrapped("", 10), "");
}

// Characters count, not bytes; no line ends in blanks.
TEST(TextTable, LinesUpNamesOutsideAscii) {
  TextTable table({"name", "licence"});
  table.add({"Zoë", "a"});
  table.add({"Bob", ""});
  EXPECT_EQ(table.text(), "name  licence\nZoë   a\nBob\n");
}

// Columns of the terminal count: an ideograph takes two, a joining accent none.
TEST(TextTable, LinesUpByDisplayWidth) {
  TextTable table({"name", "n"});
  table.add({"\u72ac\u72ac\u72ac", "1"});
  table.add({"Zoe\u0308", "2"});
  table.add({"abcdef", "3"});
  EXPECT_EQ(table.text(), "name    n\n\u72ac\u72ac\u72ac  1\nZoe\u0308     2\nabcdef  3\n");
}

// A name with an escape sequence, a line of its own or an override stays one line that lines up.
TEST(TextTable, ACellIsOneLineOfTextThatShowsItself) {
  TextTable table({"na\tme", "rate"});
  table.add({"\x1b[31ma\nb", "one"});
  table.add({"\u202e\x9b", "two"});
  EXPECT_EQ(table.text(),
            "na\\x09me        rate\n"
            "\\x1b[31ma\\x0ab  one\n"
            "\\u202e\\x9b      two\n");
}

}  // namespace
}  // namespace ifd::cli
