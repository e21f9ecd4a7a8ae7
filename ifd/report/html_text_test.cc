#include "ifd/report/html_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "ifd/random/keyed_random.h"

namespace ifd {
namespace {

TEST(HtmlText, EscapesWhatMarkupWouldRead) {
  EXPECT_EQ(escape_html("<b>&\"'"), "&lt;b&gt;&amp;&quot;&#39;");
  EXPECT_EQ(escape_html("Müller 𝜏 中"), "Müller 𝜏 中");
}

// XML 1.0, production 2: control characters, surrogates and broken UTF-8 are no characters.
TEST(HtmlText, ReplacesWhatXmlForbids) {
  EXPECT_EQ(escape_html(std::string("a\0b\x1b\n", 5)), "a\uFFFDb\uFFFD\n");
  EXPECT_EQ(escape_html("\xC0\x80"), "\uFFFD\uFFFD");                 // overlong
  EXPECT_EQ(escape_html("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");       // surrogate
  EXPECT_EQ(escape_html("end \xE2\x82"), "end \uFFFD\uFFFD");         // cut short
  EXPECT_EQ(escape_html("\xF4\x90\x80\x80").substr(0, 3), "\uFFFD");  // beyond U+10FFFF
}

// "CVE-2021-42574": a name cannot change how the text around it reads.
TEST(HtmlText, ReplacesWhatTurnsTheReadingOrderAround) {
  for (const char* text : {"\u061c", "\u200e", "\u200f", "\u202a", "\u202b", "\u202c", "\u202d",
                           "\u202e", "\u2066", "\u2067", "\u2068", "\u2069", "\u0085", "\u009b"}) {
    const std::string escaped = escape_html(text);
    EXPECT_EQ(escaped.find(text), std::string::npos);
    EXPECT_EQ(escaped.substr(0, 3), "\uFFFD");
  }
  EXPECT_EQ(escape_html("\u05d0\u0627\u2026"), "\u05d0\u0627\u2026");
}

TEST(HtmlText, FixedHasNoNegativeZeroAndNoLocale) {
  EXPECT_EQ(fixed(0.8124, 3), "0.812");
  EXPECT_EQ(fixed(-0.05, 3), "\u22120.050");
  EXPECT_EQ(fixed(-0.0001, 3), "0.000");
  EXPECT_EQ(fixed(1.5e20, 2), "1.5e+20");
  EXPECT_EQ(fixed(std::nan(""), 3), "\u2013");
  EXPECT_EQ(fixed(-std::numeric_limits<double>::infinity(), 3), "\u2013");
  EXPECT_EQ(percent(0.8124, 1), "81.2%");
  EXPECT_EQ(percent(1e308, 1), "\u2013");
}

TEST(HtmlText, LeadingNumberReadsWhatFixedWrites) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const double value = std::round(Key(seed).normal() * 1e5) / 1e3;
    EXPECT_DOUBLE_EQ(leading_number(fixed(value, 3)), value);
    EXPECT_DOUBLE_EQ(leading_number(fixed(value, 3) + " ± 0.010"), value);
  }
  EXPECT_TRUE(std::isnan(leading_number("\u2013")));
  EXPECT_TRUE(std::isnan(leading_number("plug-in")));
  EXPECT_TRUE(std::isnan(leading_number("inf")));
  EXPECT_TRUE(std::isnan(leading_number("")));
}

}  // namespace
}  // namespace ifd
