#include "command_line/csv_safe_flag.h"

#include <gtest/gtest.h>

namespace ifd {
namespace {

TEST(CsvSafeFlag, TextIsExactUnlessAskedOtherwise) {
  CLI::App app;
  CsvText text = CsvText::kExact;
  add_csv_safe_flag(app, text);
  app.parse("");
  EXPECT_EQ(text, CsvText::kExact);
  app.parse("--csv-safe");
  EXPECT_EQ(text, CsvText::kSpreadsheetSafe);
}

}  // namespace
}  // namespace ifd
