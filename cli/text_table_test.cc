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

// One word makes a column of words.
TEST(TextTable, AWordAmongNumbersKeepsTheColumnLeft) {
  TextTable table({"expert", "rate"});
  table.add({"ann", "none"});
  table.add({"bob", "0.5"});
  EXPECT_EQ(table.text(), "expert  rate\nann     none\nbob     0.5\n");
}

// Characters count, not bytes; no line ends in blanks.
TEST(TextTable, LinesUpNamesOutsideAscii) {
  TextTable table({"name", "licence"});
  table.add({"Zoë", "a"});
  table.add({"Bob", ""});
  EXPECT_EQ(table.text(), "name  licence\nZoë   a\nBob\n");
}

}  // namespace
}  // namespace ifd::cli
