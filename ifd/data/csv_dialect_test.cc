#include "ifd/data/csv_dialect.h"

#include <gtest/gtest.h>

#include "tests/refusal.h"

namespace ifd {
namespace {

char separator(const std::string& text) { return csv_dialect(text, "x.csv").separator; }
std::string dialect_refused(const std::string& text) {
  return refusal([&] { csv_dialect(text, "x.csv"); });
}

TEST(CsvDialect, TheHeaderSaysIt) {
  EXPECT_EQ(separator("case,a,b\nx,0.5,0.5\n"), ',');
  EXPECT_EQ(separator("case;a;b\nx;0,5;0,5\n"), ';');
  EXPECT_EQ(separator("case\ta\tb\nx\t0,5\t0,5\n"), '\t');
  EXPECT_EQ(separator("\"case\";\"a\"\r\n"), ';');
  EXPECT_EQ(separator("case\nx;y\n"), ',');
  EXPECT_EQ(separator(""), ',');
}

// Names may hold the other separators; the rows then tell, or the quotes.
TEST(CsvDialect, TheFirstRowsSettleWhatTheHeaderLeavesOpen) {
  EXPECT_EQ(separator("case,a;b,c;d\nx,0.5,0.5\n"), ',');
  EXPECT_EQ(separator("case;a, b;c\nx;0.5;0.5\n"), ';');
  EXPECT_EQ(separator("case;\"a, b\";c\n"), ';');
  EXPECT_EQ(separator("case,\"a;b\"\n"), ',');
  EXPECT_EQ(separator("\"a;b\",c\n"), ',');
  EXPECT_EQ(separator("case;a,b\n\nx;1\n"), ';');
  EXPECT_EQ(separator("case,a;b,c\n"), ',');
  // Ten rows are looked at, no more.
  std::string rows = "a,b;c\n";
  for (int i = 0; i < 10; ++i) rows += "1,2\n";
  EXPECT_EQ(separator(rows + "1;2\n"), ',');
}

TEST(CsvDialect, WhatIsLeftOpenIsRefusedWithTheRemedy) {
  EXPECT_EQ(dialect_refused("\ncase,a;b\nx,0;5\n"),
            "x.csv:2: ',' and ';' both split the header into 2 columns; expected one separator; a "
            "line 'sep=,' in front tells which");
  EXPECT_EQ(
      dialect_refused("a;b\tc\n"),
      "x.csv:1: ';' and a tab both split the header into 2 columns; expected one separator; a "
      "line 'sep=;' in front tells which");
  EXPECT_EQ(separator("sep=,\ncase,a;b\nx,0;5\n"), ',');
}

TEST(CsvDialect, AFirstLineOfSpreadsheetsSaysIt) {
  for (const std::string first : {"sep=;\n", "\"sep=;\"\r\n", "SEP=;\n"}) {
    const CsvDialect dialect = csv_dialect("\xEF\xBB\xBF\n" + first + "a,b\n", "x.csv");
    EXPECT_EQ(dialect.separator, ';');
    EXPECT_EQ(dialect.begin, 4 + first.size());
    EXPECT_EQ(dialect.line, 3u);
  }
  EXPECT_EQ(csv_dialect("sep=\t", "x.csv").begin, 5u);
  EXPECT_EQ(dialect_refused("sep=|\na|b\n"),
            "x.csv:1: '|' is not a separator; expected ',', ';' or a tab");
}

}  // namespace
}  // namespace ifd
