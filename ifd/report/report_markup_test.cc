// Whatever is put into a report, what comes out is well-formed and its coordinates are numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ifd/random/keyed_random.h"
#include "ifd/report/html_report.h"

namespace ifd {
namespace {

// Reads markup by the strict rules of XML (balanced tags, quoted and distinct attributes, known
// entities), except that HTML's <script> holds raw text. Returns what is wrong, or nothing.
class StrictReader {
 public:
  explicit StrictReader(std::string_view text) : text_(text) {}

  std::string problem() {
    if (text_.starts_with("<!DOCTYPE html>")) at_ = std::string_view("<!DOCTYPE html>").size();
    while (at_ < text_.size() && problem_.empty()) {
      if (text_[at_] == '<') {
        read_tag();
      } else {
        const std::size_t end = std::min(text_.find('<', at_), text_.size());
        check_text(text_.substr(at_, end - at_));
        at_ = end;
      }
    }
    if (problem_.empty() && !open_.empty()) fail("never closed: " + open_.back());
    return problem_;
  }

 private:
  void fail(const std::string& what) {
    problem_ = what + " near: " + std::string(text_.substr(at_, 80));
  }

  void check_text(std::string_view text) {
    static const std::set<std::string_view> kEntities = {"amp", "lt", "gt", "quot", "#39"};
    if (text.find('<') != text.npos) return fail("'<' in a text");
    for (std::size_t i = 0; (i = text.find('&', i)) != text.npos; ++i) {
      const std::size_t end = text.find(';', i);
      if (end == text.npos || !kEntities.contains(text.substr(i + 1, end - i - 1))) {
        return fail("unknown entity");
      }
    }
  }

  std::string_view read_name() {
    const std::size_t start = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) ||
                                  text_[at_] == '-' || text_[at_] == ':')) {
      ++at_;
    }
    return text_.substr(start, at_ - start);
  }

  void read_tag() {
    ++at_;
    const bool closing = text_[at_] == '/';
    if (closing) ++at_;
    const std::string name(read_name());
    if (name.empty()) return fail("a tag without a name");
    if (closing) {
      if (open_.empty() || open_.back() != name) return fail("unexpected </" + name);
      open_.pop_back();
      if (text_[at_] != '>') return fail("a closing tag with attributes");
      ++at_;
      return;
    }
    std::set<std::string_view> attributes;
    while (true) {
      const std::size_t before = at_;
      while (at_ < text_.size() && text_[at_] == ' ') ++at_;
      if (text_.substr(at_, 2) == "/>") {
        at_ += 2;
        return;
      }
      if (text_.substr(at_, 1) == ">") break;
      if (at_ == before) return fail("no space before an attribute");
      const std::string_view attribute = read_name();
      if (attribute.empty() || text_.substr(at_, 2) != "=\"") return fail("attribute not quoted");
      if (!attributes.insert(attribute).second) return fail("attribute twice");
      const std::size_t end = text_.find('"', at_ + 2);
      if (end == text_.npos) return fail("attribute without end");
      const std::string_view value = text_.substr(at_ + 2, end - at_ - 2);
      check_text(value);
      check_coordinates(attribute, value);
      if (!problem_.empty()) return;
      at_ = end + 1;
    }
    ++at_;
    open_.push_back(name);
    if (name == "script") at_ = text_.find("</script>", at_);
  }

  // Geometry is written in plain decimals of at most four digits before the point.
  void check_coordinates(std::string_view attribute, std::string_view value) {
    static const std::set<std::string_view> kNumbers = {
        "x",        "y",          "width",       "height", "viewBox", "data-left",
        "data-top", "data-width", "data-height", "data-x", "data-y",  "d"};
    if (!kNumbers.contains(attribute)) return;
    static const std::regex kPath("([MLhvlaz]|-?[0-9]{1,4}(\\.[0-9]+)?| )*");
    // Piecewise, because std::regex recurses once per character.
    for (std::size_t i = 0; i < value.size();) {
      const std::size_t end = std::min(value.find(' ', i), value.size());
      if (!std::regex_match(std::string(value.substr(i, end - i)), kPath)) {
        return fail("not a coordinate: " + std::string(value.substr(i, end - i)));
      }
      i = end + 1;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::string> open_;
  std::string problem_;
};

TEST(StrictReader, FindsWhatIsWrong) {
  for (const char* good : {"<a b=\"1\">x &amp; y<c/></a>", "<a><b>t</b></a>", "<a></a>\n"}) {
    EXPECT_EQ(StrictReader(good).problem(), "") << good;
  }
  for (const char* bad : {"<a>", "<a></b>", "<a b=1></a>", "<a b=\"1\" b=\"2\"/>", "<a>&</a>",
                          "<a>&nbsp;</a>", "<a b=\"<\"/>", "<a x=\"nan\"/>", "<p d=\"M0 inf\"/>",
                          "<a y=\"1e+20\"/>", "</a>", "<a b=\"1\"c=\"2\"/>"}) {
    EXPECT_NE(StrictReader(bad).problem(), "") << bad;
  }
}

const std::vector<std::string> kNames = {"",
                                         "<b>&\"'",
                                         "]]>",
                                         "-->",
                                         "</script>",
                                         "Zoë 中文 𝜏",
                                         std::string("a\0b\xff", 4),
                                         std::string(300, 'w')};

double awkward(const Key& key, std::uint64_t draw) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::vector<double> values = {
      0,      -0.0,   1,      -1,        0.5,        1e300,        -1e300,           1e308,
      -1e308, 1e-310, 1e-300, kInfinity, -kInfinity, std::nan(""), key.normal(draw), 0.5 + 1e-15};
  return values[key.below(values.size(), draw)];
}

std::vector<double> awkward_values(const Key& key, std::size_t size) {
  std::vector<double> values;
  for (std::size_t i = 0; i < size; ++i) values.push_back(awkward(key, i));
  return values;
}

LineChart awkward_lines(const Key& key) {
  const auto name = [&](std::uint64_t draw) { return kNames[key.below(kNames.size(), draw)]; };
  LineChart chart;
  chart.title = name(0);
  chart.x_label = name(1);
  chart.y_label = name(2);
  chart.note = name(3);
  chart.x_scale = key.below(2, 4) == 0 ? Scale::kLinear : Scale::kLogarithmic;
  chart.x_unit = key.below(2, 5) == 0 ? Unit::kNumber : Unit::kPercent;
  chart.y_unit = key.below(2, 6) == 0 ? Unit::kNumber : Unit::kPercent;
  if (key.below(3, 7) == 0) chart.y_range = Range{0.2, 0.2};
  const std::size_t count = key.below(5, 8);
  for (std::size_t i = 0; i < count; ++i) {
    const Key own = key.with("series").with(i);
    const std::size_t size = own.below(6);
    std::vector<double> x = awkward_values(own.with("x"), size);
    std::sort(x.begin(), x.end(), [](double a, double b) {
      return std::isnan(b) ? !std::isnan(a) : a < b;  // NaN last
    });
    Series series{name(10 + i), x, awkward_values(own.with("y"), size), {}, {}};
    if (own.below(2, 1) == 0) {
      series.low = awkward_values(own.with("low"), size);
      series.high = awkward_values(own.with("high"), size);
    }
    series.emphasis = static_cast<Emphasis>(own.below(3, 2));
    series.form = static_cast<SeriesForm>(own.below(3, 3));
    if (own.below(2, 4) == 0) series.notes.assign(size, name(20 + i));
    chart.series.push_back(series);
  }
  return chart;
}

BarChart awkward_bars(const Key& key) {
  BarChart chart;
  chart.title = chart.value_label = chart.reference_label = kNames[key.below(kNames.size())];
  chart.mark = static_cast<BarChart::Mark>(key.below(2, 1));
  if (key.below(2, 2) == 0) chart.reference = awkward(key, 3);
  const std::size_t count = key.below(5, 4);
  for (std::size_t i = 0; i < count; ++i) {
    const Key own = key.with("bar").with(i);
    Bar bar{kNames[own.below(kNames.size())], awkward(own, 1)};
    if (own.below(2, 2) == 0) bar.interval = Range{awkward(own, 3), awkward(own, 4)};
    chart.bars.push_back(bar);
  }
  return chart;
}

ScatterMap awkward_map(const Key& key) {
  ScatterMap map;
  map.title = map.x_label = map.highlighted_label = kNames[key.below(kNames.size())];
  map.groups = kNames;
  map.columns = key.below(6, 1);
  const std::size_t count = key.below(4, 2);
  for (std::size_t i = 0; i < count; ++i) {
    const Key own = key.with("panel").with(i);
    MapPanel panel{kNames[own.below(kNames.size())], kNames[own.below(kNames.size(), 1)], {}};
    for (std::size_t j = 0; j < own.below(20, 2); ++j) {
      const Key point = own.with("point").with(j);
      panel.points.push_back({awkward(point, 0), awkward(point, 1), point.below(kNames.size(), 2),
                              static_cast<MapPoint::State>(point.below(3, 3))});
    }
    map.panels.push_back(panel);
  }
  return map;
}

TEST(ReportMarkup, IsWellFormedForEveryInput) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key(seed);
    const LineChart lines = awkward_lines(key.with("lines"));
    const BarChart bars = awkward_bars(key.with("bars"));
    const ScatterMap map = awkward_map(key.with("map"));
    ASSERT_EQ(StrictReader(to_standalone_svg(lines)).problem(), "");
    ASSERT_EQ(StrictReader(to_standalone_svg(bars)).problem(), "");
    ASSERT_EQ(StrictReader(to_standalone_svg(map)).problem(), "");

    const auto write = [&] {
      HtmlReport report(kNames[key.below(kNames.size())], kNames[key.below(kNames.size(), 1)]);
      for (const std::string& name : kNames) {
        report.section(name, name);
        report.paragraph(name);
        report.paragraph({strong(name), emphasis(name), inline_code(name), link(name, "#" + name)});
        report.list({{plain(name)}, {}});
        report.code(name);
        report.key_figures({{name, name, name}});
        report.table({name, {{name, true, name, Column::Best::kHighest}, {name}}, {{name, name}}});
      }
      report.chart(lines);
      report.chart(bars);
      report.chart(map);
      return report.html();
    };
    const std::string html = write();
    ASSERT_EQ(StrictReader(html).problem(), "");
    ASSERT_EQ(html, write());
  }
}

}  // namespace
}  // namespace ifd
