#include "experiments/report/markdown_text.h"

#include <gtest/gtest.h>

namespace ifd::experiments {
namespace {

TEST(MarkdownText, NothingInItIsMarkup) {
  EXPECT_EQ(markdown_text("a|b `c` *d* __e__ \\ ~~f~~"),
            "a\\|b \\`c\\` \\*d\\* \\_\\_e\\_\\_ \\\\ \\~\\~f\\~\\~");
  EXPECT_EQ(markdown_text("<img src=x> ![y](z) &lt; $1$"),
            "\\<img src=x\\> !\\[y\\](z) \\&lt; \\$1\\$");
  EXPECT_EQ(markdown_text("one\ntwo\x1b\u202e"), "one two\\\\x1b\\\\u202e");
  EXPECT_EQ(markdown_text("L2D-Pop (QC), Zoë .81"), "L2D-Pop (QC), Zoë .81");
}

// CommonMark 0.30, sections 6.1 and 4.5: a run of backticks ends only at a run of the same length.
TEST(MarkdownText, CodeEndsWhereItShould) {
  EXPECT_EQ(markdown_code("ls"), "`ls`");
  EXPECT_EQ(markdown_code("a`b``c"), "```a`b``c```");
  EXPECT_EQ(markdown_code("`"), "`` ` ``");
  EXPECT_EQ(markdown_code("one\ntwo"), "`one two`");
  EXPECT_EQ(markdown_code_block("one\ntwo\x1b"), "```\none\ntwo\\x1b\n```");
  EXPECT_EQ(markdown_code_block("```\n# not a title"), "````\n```\n# not a title\n````");
}

TEST(MarkdownText, ALinkEndsWhereItShould) {
  EXPECT_EQ(markdown_link("[a]", "b c)(d"), "[\\[a\\]](b%20c%29%28d)");
  EXPECT_EQ(markdown_link("a", "https://example.org/x?y=1&z#t"),
            "[a](https://example.org/x?y=1&z#t)");
}

}  // namespace
}  // namespace ifd::experiments
