#include "ifd/report/html_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "ifd/error.h"

namespace ifd {
namespace {

using testing::HasSubstr;
using testing::Not;

Table scores() {
  return {"Scores",
          {{"Method"},
           {"AURSAC", true, "higher is better", Column::Best::kHighest},
           {"Seconds", true, "", Column::Best::kLowest}},
          {{"plug-in", "0.861 ± 0.005", "0.2"},
           {"peak", "0.874 ± 0.006", "41"},
           {"expected", "0.874 ± 0.009", "40"},
           {"random", "–", "–"}}};
}

TEST(HtmlReport, MarksTheBestOfEachColumnIncludingTies) {
  HtmlReport report("r", "");
  report.table(scores());
  const std::string html = report.html();
  for (const char* best : {"0.874 ± 0.006", "0.874 ± 0.009", "0.2"}) {
    EXPECT_THAT(html, HasSubstr(std::string("<strong title=\"best\">") + best + "</strong>"));
  }
  for (const char* other : {"0.861 ± 0.005", "41", "40", "–"}) {
    EXPECT_THAT(html, HasSubstr(std::string("<td class=\"number\">") + other + "</td>"));
  }
}

// One row that competes is no winner; a reference beside it does not make it one.
TEST(HtmlReport, MarksNothingWhereNobodyCompetes) {
  HtmlReport report("r", "");
  Table table = scores();
  table.rows.resize(2);
  table.unranked_rows = {1};
  report.table(table);
  EXPECT_THAT(report.html(), Not(HasSubstr("title=\"best\"")));
}

// A range stands in an element of its own, which a phone puts on a second line; the words of the
// cell stay as they were. Brackets in a name are no range.
TEST(HtmlReport, SetsTheRangeOfANumberApart) {
  HtmlReport report("r", "");
  report.table({"t",
                {{"name (of it)"}, {"value", true, "", Column::Best::kHighest}},
                {{"a (b)", "0.81 (0.79–0.83)"}, {"c", "0.79 (<0.8)"}, {"d", "0.2 (e) f"}}});
  const std::string html = report.html();
  EXPECT_THAT(html, HasSubstr("<th scope=\"row\">a (b)</th><td class=\"number\"><strong "
                              "title=\"best\">0.81</strong> <span class=\"range\">(0.79–0.83)"
                              "</span></td>"));
  EXPECT_THAT(html, HasSubstr("0.79 <span class=\"range\">(&lt;0.8)</span>"));
  EXPECT_THAT(html, HasSubstr("<td class=\"number\">0.2 (e) f</td>"));
}

TEST(HtmlReport, TextIsNeverMarkup) {
  HtmlReport report("<b>&\"'", "<script>alert(1)</script>");
  report.section("<img src=x>");
  report.paragraph("<script>1</script>");
  report.paragraph({strong("</strong>"), inline_code("<i>"), link("<a>", "#x\" onclick=\"1")});
  report.code("</code><script>");
  const std::string html = report.html();
  EXPECT_EQ(html.find("<script>"), html.rfind("<script>"));  // our own, once
  EXPECT_THAT(html, HasSubstr("<title>&lt;b&gt;&amp;&quot;&#39;</title>"));
  EXPECT_THAT(html, Not(HasSubstr("<img")));
  EXPECT_THAT(html, Not(HasSubstr("\" onclick")));
}

TEST(HtmlReport, LinksOnlyToPlacesAPageMayName) {
  HtmlReport report("r", "");
  EXPECT_THROW(report.paragraph({link("x", "javascript:alert(1)")}), Error);
  EXPECT_THROW(report.paragraph({link("x", "data:text/html,x")}), Error);
  report.paragraph({link("x", "#budget")});
}

TEST(HtmlReport, SectionsHaveDistinctIds) {
  HtmlReport report("r", "");
  report.section("Budget curve");
  report.section("Budget curve");
  report.section("中", "");
  const std::string html = report.html();
  for (const char* id : {"budget-curve", "budget-curve-2", "section"}) {
    EXPECT_THAT(html, HasSubstr(std::string("<h2 id=\"") + id + "\">"));
    EXPECT_THAT(html, HasSubstr(std::string("href=\"#") + id + "\""));
  }
}

TEST(HtmlReport, LoadsNothing) {
  HtmlReport report("r", "");
  report.table(scores());
  report.chart(LineChart{"t", "x", "y", {{"a", {0, 1}, {0, 1}, {}, {}}}, {}, {}});
  const std::string html = report.html();
  for (const char* loader : {" src=", "<link", "@import", "url(", "@font-face", "fetch("}) {
    EXPECT_THAT(html, Not(HasSubstr(loader)));
  }
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
}

TEST(HtmlReport, AFoldedTableIsTheSameTableBehindItsCaption) {
  const Table table{"Few <look>", {{"name"}, {"value", true}}, {{"a", "1"}, {"b", "2"}}};
  HtmlReport open("t", "l"), folded("t", "l");
  open.table(table);
  folded.folded_table(table);
  const auto part = [](const std::string& html) {
    const std::size_t from = html.find("<table class=\"sortable\">");
    return html.substr(from, html.find("</table>") - from);
  };
  EXPECT_EQ(part(open.html()), part(folded.html()));
  EXPECT_NE(folded.html().find("<summary>Few &lt;look&gt;</summary>"), std::string::npos);
}

TEST(HtmlReport, RefusesARowOfTheWrongLength) {
  HtmlReport report("r", "");
  Table table = scores();
  table.rows[2].pop_back();
  EXPECT_THROW(report.table(table), Error);
}

}  // namespace
}  // namespace ifd
