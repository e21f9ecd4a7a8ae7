#include "experiments/report/latex_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tests/invented_results.h"

namespace ifd::experiments {
namespace {

using testing::HasSubstr;

// booktabs needs every row to have as many cells as the head has columns: 3 + 6 x 2.
TEST(LatexTable, EveryRowFillsEveryColumn) {
  Invention of;
  of.cohorts = 3;
  const std::string latex = table1_latex(Summary(invent(of).rows()));
  EXPECT_THAT(latex, HasSubstr("\\begin{tabular}{lll*{6}{cc}}"));
  std::istringstream lines(latex);
  std::string line;
  std::size_t rows = 0;
  while (std::getline(lines, line)) {
    if (!line.ends_with("\\\\") || line.find("multicolumn") != std::string::npos) continue;
    ++rows;
    EXPECT_EQ(std::count(line.begin(), line.end(), '&'), 14) << line;
  }
  EXPECT_EQ(rows, 1u + 2 * (2 * 2 * 2 + 3 * 2));  // measures; ours and published
  EXPECT_EQ(table1_latex(Summary({})), "");
  EXPECT_THAT(latex, HasSubstr("\\emph{published} & .80$\\pm$.01 & .69$\\pm$.03 & -- & --"));
}

}  // namespace
}  // namespace ifd::experiments
