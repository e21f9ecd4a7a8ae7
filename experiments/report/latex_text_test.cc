#include "experiments/report/latex_text.h"

#include <gtest/gtest.h>

namespace ifd::experiments {
namespace {

TEST(LatexText, NothingInItIsACommand) {
  EXPECT_EQ(latex_text("\\input{/etc/passwd}"), "\\textbackslash{}input\\{/etc/passwd\\}");
  EXPECT_EQ(latex_text("a & b_1 ^ ~ # 5 % $x$"),
            "a \\& b\\_1 \\textasciicircum{} \\textasciitilde{} \\# 5 \\% \\$x\\$");
  EXPECT_EQ(latex_text("one\ntwo\u202e"), "one\\textbackslash{}x0atwo\\textbackslash{}u202e");
  EXPECT_EQ(latex_text("L2D-Pop (QC), Zoë"), "L2D-Pop (QC), Zoë");
}

}  // namespace
}  // namespace ifd::experiments
