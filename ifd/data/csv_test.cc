#include "ifd/data/csv.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "ifd/random/keyed_random.h"
#include "tests/refusal.h"

namespace ifd {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows read_all(const std::string& bytes, std::vector<std::size_t>* lines = nullptr) {
  CsvReader csv(bytes, "x.csv");
  Rows rows{csv.columns()};
  while (csv.next()) {
    rows.emplace_back();
    for (std::size_t i = 0; i < csv.columns().size(); ++i) rows.back().emplace_back(csv.field(i));
    if (lines != nullptr) lines->push_back(csv.line());
  }
  return rows;
}

std::string csv_refused(const std::string& bytes) {
  return refusal([&] { read_all(bytes); });
}

// The examples of RFC 4180, section 2.
TEST(Csv, ReadsTheExamplesOfTheStandard) {
  EXPECT_EQ(read_all("field_name,b,c\r\naaa,bbb,ccc\r\nzzz,yyy,xxx"),
            (Rows{{"field_name", "b", "c"}, {"aaa", "bbb", "ccc"}, {"zzz", "yyy", "xxx"}}));
  EXPECT_EQ(read_all("x,y,z\r\n\"aaa\",\"b\r\nbb\",\"ccc\"\r\nzzz,yyy,xxx\r\n"),
            (Rows{{"x", "y", "z"}, {"aaa", "b\r\nbb", "ccc"}, {"zzz", "yyy", "xxx"}}));
  EXPECT_EQ(read_all("x,y,z\n\"aaa\",\"b\"\"bb\",\"ccc\"\n"),
            (Rows{{"x", "y", "z"}, {"aaa", "b\"bb", "ccc"}}));
}

TEST(Csv, AcceptsWhatSpreadsheetsWrite) {
  std::vector<std::size_t> lines;
  EXPECT_EQ(read_all("\xEF\xBB\xBF\n\"a\",b\r\n\r\n\n1,\n\"\",\"x\ny\"\n,5\" disk\n", &lines),
            (Rows{{"a", "b"}, {"1", ""}, {"", "x\ny"}, {"", "5\" disk"}}));
  EXPECT_EQ(lines, (std::vector<std::size_t>{5, 6, 8}));
  EXPECT_EQ(read_all("a\n\"x\"\r"), (Rows{{"a"}, {"x"}}));
  EXPECT_EQ(read_all(",,\n"), (Rows{{"", "", ""}}));
}

// Whatever the fields are, writing and reading gives them back, but for blanks around them.
TEST(Csv, RoundTripsEveryField) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key(seed);
    const std::vector<std::string> pieces{"a",  ",", "\"",       "\n",         "\r\n", " ",
                                          "\t", "'", "\xC3\xA9", "0123456789", "\"\"", ";"};
    const std::size_t columns = 2 + key.with("columns").below(5);
    const char* const newline = key.with("newline").below(2) == 0 ? "\n" : "\r\n";
    Rows rows(1 + key.with("rows").below(10));
    std::string bytes;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (std::size_t c = 0; c < columns; ++c) {
        const Key cell = key.with(r).with(c);
        std::string field = r == 0 ? "column" + std::to_string(c) : "";
        for (std::size_t i = cell.with("length").below(6); i > 0; --i) {
          field += pieces[cell.below(pieces.size(), i)];
        }
        if (r == 0) std::erase(field, '\r');
        if (c > 0) bytes += ',';
        bytes += csv_field(field);
        rows[r].push_back(field);
      }
      if (r + 1 < rows.size() || key.with("end").below(2) == 0) bytes += newline;
    }
    for (auto& row : rows) {
      for (std::string& field : row) field = std::string(trimmed(field));
    }
    EXPECT_EQ(read_all(bytes), rows);
  }
}

struct Heard {
  std::vector<std::string> notes;
  ReadOptions options() {
    return {{}, [this](const std::string& note) { notes.push_back(note); }};
  }
};

TEST(Csv, ColumnsAreFoundInAnyLetterCaseWithoutBlanksAroundThem) {
  const CsvReader csv(" Case\t,\"LABEL \",cat \n", "x.csv");
  EXPECT_EQ(csv.columns(), (std::vector<std::string>{"Case", "LABEL", "cat"}));
  EXPECT_EQ(csv.required_column("case"), 0u);
  EXPECT_EQ(csv.column("label"), 1u);
  EXPECT_EQ(csv.column("truth"), std::nullopt);
  // The exact name goes first.
  EXPECT_EQ(CsvReader("Case,case,CASE\n", "x.csv").column("case"), 1u);
  EXPECT_EQ(refusal([] { CsvReader("\nCase,b,CASE\n", "x.csv").column("case"); }),
            "x.csv:2: columns 'Case' and 'CASE' may both be 'case'; expected one");
}

TEST(Csv, SemicolonsAndTabsAreReadAndSaid) {
  Heard heard;
  CsvReader csv("a;b\r\n\"x;1\";\"2\"\r\n;y,z\n", "x.csv", heard.options());
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.field(0), "x;1");
  EXPECT_EQ(csv.field(1), "2");
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.field(0), "");
  EXPECT_EQ(csv.field(1), "y,z");
  EXPECT_FALSE(csv.next());
  EXPECT_EQ(heard.notes, std::vector<std::string>{"x.csv: separated by ';'"});

  EXPECT_EQ(read_all("a\tb\n1\t\"2\t3\"\n"), (Rows{{"a", "b"}, {"1", "2\t3"}}));
  std::vector<std::size_t> lines;
  EXPECT_EQ(read_all("sep=;\na;b\n1;2\n", &lines), (Rows{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(lines, std::vector<std::size_t>{3});
  EXPECT_EQ(csv_refused("a;b\n1;2;3\n"), "x.csv:2: 3 field(s); expected 2");
  EXPECT_EQ(csv_refused("a;b\n\"1\"x;2\n"),
            "x.csv:2: text after a closing quote; expected a semicolon or a new line");
}

TEST(Csv, DecimalCommasAreReadWhereTheSeparatorIsAnother) {
  Heard heard;
  CsvReader csv("a;b\n1;0,5\n-2,25e3; ,125 \n0.5;1\n", "x.csv", heard.options());
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.number(0), 1);
  EXPECT_EQ(csv.number(1), 0.5);
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.float_number(0), -2250.0F);
  EXPECT_EQ(csv.number(1), 0.125);
  EXPECT_EQ(heard.notes, (std::vector<std::string>{"x.csv: separated by ';'",
                                                   "x.csv: the numbers have decimal commas"}));
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(refusal([&] { csv.number(0); }),
            "x.csv:4: '0.5' in column 'a' has a decimal point, but line 2 has a decimal comma; "
            "expected one of them in all of the file");
  CsvReader points("a\tb\n0.5\t0,5\n1.000,5\t1,2,3\n", "x.csv");
  ASSERT_TRUE(points.next());
  EXPECT_EQ(points.number(0), 0.5);
  EXPECT_EQ(refusal([&] { points.number(1); }),
            "x.csv:2: '0,5' in column 'b' has a decimal comma, but line 2 has a decimal point; "
            "expected one of them in all of the file");
  CsvReader thousands("a;b\n1.000,5;1,2,3\n", "x.csv");
  ASSERT_TRUE(thousands.next());
  EXPECT_EQ(refusal([&] { thousands.number(0); }),
            "x.csv:2: '1.000,5' is not a number; expected one in column 'a'");
}

TEST(Csv, OtherEncodingsAreReadAndSaid) {
  Heard heard;
  CsvReader csv("case,J\xFCrgen\n1,2\n", "x.csv", heard.options());
  EXPECT_EQ(csv.columns()[1], "J\xC3\xBCrgen");
  EXPECT_EQ(heard.notes,
            std::vector<std::string>{"x.csv: is not UTF-8; taken for Windows-1252 (Latin-1)"});
  EXPECT_EQ(read_all(std::string("\xFF\xFE"
                                 "a\0;\0b\0\n\0",
                                 10)),
            (Rows{{"a", "b"}}));
}

// The characters that OWASP lists for CSV injection; anywhere else in the text they are harmless.
TEST(Csv, TextThatASpreadsheetWouldRunGetsAnApostropheOnRequest) {
  for (const std::string text : {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "=\"a\",1"}) {
    EXPECT_EQ(csv_field(text, CsvText::kSpreadsheetSafe), csv_field("'" + text));
    EXPECT_EQ(csv_field(text, CsvText::kExact), csv_field(text));
  }
  for (const std::string text : {"", "ann", "a=1", "'=1", "1-2", " =1"}) {
    EXPECT_EQ(csv_field(text, CsvText::kSpreadsheetSafe), csv_field(text));
  }
}

TEST(Csv, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(csv_refused(""), "x.csv: is empty; expected a header line");
  EXPECT_EQ(csv_refused("\n\r\n"), "x.csv: is empty; expected a header line");
  EXPECT_EQ(csv_refused("a,b\n1,2\n\n3\n"), "x.csv:4: 1 field(s); expected 2");
  EXPECT_EQ(csv_refused("a,b\n\"1\n2\",2\n3,x,5\n"), "x.csv:4: 3 field(s); expected 2");
  EXPECT_EQ(csv_refused("a,b\n1,2\n3,\"4\n\n"),
            "x.csv:3: a quote that is never closed; expected a second one");
  EXPECT_EQ(csv_refused("a,b\n\"x\ny\"z,2\n"),
            "x.csv:3: text after a closing quote; expected a comma or a new line");
  EXPECT_EQ(csv_refused("a,b,a\n"), "x.csv:1: two columns are named 'a'; expected distinct names");
  EXPECT_EQ(
      csv_refused("a,b\n1,2\n1,\xFF\x01\n"),
      "x.csv:3: byte 0xff is not UTF-8, and there are control characters; expected UTF-8 text");
  EXPECT_EQ(csv_refused(std::string("a,b\n1,\0\n", 8)), "x.csv:2: a NUL byte; expected text");
  EXPECT_EQ(csv_refused("PK\x03\x04..."), "x.csv: is a zip archive; expected CSV text");
  EXPECT_EQ(csv_refused("\xFF\xFE"
                        "a"),
            "x.csv:1: half a character of UTF-16; is the file cut short?");
  EXPECT_EQ(csv_refused("a,b\r1,2\r"),
            "x.csv:1: a lone carriage return; expected lines that end in LF or CRLF");
  EXPECT_EQ(refusal([] { CsvReader("a;b\n", "x.csv").required_column("case"); }),
            "x.csv:1: no column 'case'; found a, b");
}

TEST(Csv, NumbersAreRoundedToTheNearest) {
  const auto number = [](const std::string& text) {
    CsvReader csv(fmt::format("a,b\n{},\n", csv_field(text)), "x.csv");
    EXPECT_TRUE(csv.next());
    return csv.number(0);
  };
  const auto float_number = [](const std::string& text) {
    CsvReader csv(fmt::format("a,b\n{},\n", csv_field(text)), "x.csv");
    EXPECT_TRUE(csv.next());
    return csv.float_number(0);
  };
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(number("0.1"), 0.1);
  EXPECT_EQ(number(" -2.5e3\t"), -2500);
  EXPECT_EQ(number("+7"), 7);
  EXPECT_EQ(number("1e999"), infinity);
  EXPECT_EQ(number("-1e99999999999999999999"), -infinity);
  EXPECT_EQ(number(std::string("1").append(400, '0')), infinity);
  EXPECT_EQ(number("1e-999"), 0);
  EXPECT_EQ(number(std::string("0.").append(400, '0') + "1"), 0);
  EXPECT_EQ(number(std::string("0.").append(400, '0') + "1e9000"), infinity);
  EXPECT_EQ(number("1e-99999999999999999999"), 0);
  EXPECT_EQ(number("-inf"), -infinity);
  EXPECT_TRUE(std::isnan(number("nan")));
  EXPECT_EQ(float_number("1e-50"), 0.0F);
  EXPECT_EQ(float_number("1e-45"), std::numeric_limits<float>::denorm_min());
  EXPECT_EQ(float_number("-1e39"), -std::numeric_limits<float>::infinity());
  // Just above half-way between 1 and the next float: through double it would round down.
  EXPECT_EQ(float_number("1.00000005960464477540"), std::nextafter(1.0F, 2.0F));

  for (const std::string bad : {"", " ", "x", "1x", "1 2", "0,", "--1", "+-1", "1e", "0x10", "."}) {
    EXPECT_EQ(refusal([&] { number(bad); }),
              fmt::format("x.csv:2: '{}' is not a number; expected one in column 'a'", bad));
  }
}

// What looks like a number of another kind is named, with the remedy.
TEST(Csv, PercentSignsAndDecimalCommasAreRecognised) {
  CsvReader csv("a,b\n60%,\"-0,5\"\n60 %,40\n%,x%\n", "x.csv");
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(refusal([&] { csv.number(0); }),
            "x.csv:2: '60%' is not a number; expected one in column 'a'; a percentage? --percent "
            "reads those of predictions, others divide by 100");
  EXPECT_EQ(refusal([&] { csv.number(1); }),
            "x.csv:2: '-0,5' is not a number; expected one in column 'b'; a decimal comma? write a "
            "point, or separate the fields by semicolons");
  EXPECT_EQ(csv.percentage(0), 0.6);
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.percentage(0), 0.6);
  EXPECT_EQ(csv.percentage(1), 0.4);
  ASSERT_TRUE(csv.next());
  EXPECT_THROW(csv.percentage(0), Error);
  EXPECT_THROW(csv.percentage(1), Error);
  EXPECT_EQ(csv_refused("case,a,b\nx,-0,6,0,4\n"),
            "x.csv:2: 5 field(s); expected 3; decimal commas? write points, or separate the fields "
            "by semicolons");
  EXPECT_EQ(csv_refused("case,a,b\nx,1,0,4\n"),
            "x.csv:2: 4 field(s); expected 3; decimal commas? write points, or separate the fields "
            "by semicolons");
  EXPECT_EQ(csv_refused("case,a,b\nx,0.6,0.4,\n"), "x.csv:2: 4 field(s); expected 3");
  EXPECT_EQ(csv_refused("case,a,b\nx,0,6,0,4,1\n"), "x.csv:2: 6 field(s); expected 3");
}

// A decimal of `shape`: the shortest text of a float or double, digits at random, or the digits of
// a number half-way between two floats, cut anywhere, where rounding twice would go wrong.
std::string random_decimal(const Key& key, std::size_t shape) {
  std::array<char, 64> text;
  const auto shown = [&](auto value, auto... format) {
    return std::string(text.data(),
                       std::to_chars(text.data(), text.data() + text.size(), value, format...).ptr);
  };
  const double size = std::ldexp(1.0, -static_cast<int>(key.below(50, 1)));
  if (shape == 0) return shown(static_cast<float>(key.uniform() * size));
  if (shape == 1) return shown(key.uniform() * size - size / 2);
  if (shape == 2) {
    const double half_way = (static_cast<double>((1 << 23) + key.below(1 << 23)) + 0.5) * 0x1p-24;
    const std::string digits = shown(half_way * size * 4, std::chars_format::fixed);
    return digits.substr(0, 3 + key.below(digits.size(), 2));
  }
  std::string digits = key.below(2, 3) == 0 ? "-" : "";
  digits += static_cast<char>('0' + key.below(10, 4));
  digits += '.';
  for (std::size_t i = 0; i <= key.below(18, 5); ++i) {
    digits += static_cast<char>('0' + key.below(10, 100 + i));
  }
  if (key.below(2, 6) == 0)
    digits += fmt::format("e{:+03}", static_cast<int>(key.below(59, 7)) - 29);
  return digits;
}

// The oracle is std::from_chars, which rounds correctly.
TEST(Csv, NumbersAreRoundedCorrectly) {
  std::vector<std::string> decimals;
  std::string bytes = "x\n";
  for (std::size_t i = 0; i < 400'000; ++i) {
    decimals.push_back(random_decimal(Key(i), i % 4));
    bytes += decimals.back() + '\n';
  }
  CsvReader csv(bytes, "x.csv");
  for (const std::string& decimal : decimals) {
    ASSERT_TRUE(csv.next());
    float single = 0;
    double twice = 0;
    std::from_chars(decimal.data(), decimal.data() + decimal.size(), single);
    std::from_chars(decimal.data(), decimal.data() + decimal.size(), twice);
    ASSERT_EQ(std::bit_cast<std::uint32_t>(csv.float_number(0)),
              std::bit_cast<std::uint32_t>(single))
        << decimal;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(csv.number(0)), std::bit_cast<std::uint64_t>(twice))
        << decimal;
  }
}

TEST(Csv, NeverReservesMoreThanTheBytes) {
  CsvReader wide(std::string(1000, ',') + std::string(5000, '\n'), "x.csv");
  EXPECT_LE(wide.most_rows_left(), 5u);
  CsvReader csv("a,b\n1,2\n3,4", "x.csv");
  EXPECT_GE(csv.most_rows_left(), 2u);
}

// A comma is a field, in the header and in rows that have too many.
TEST(CsvReader, FieldsStayWithinTheLimit) {
  const ReadLimits limits{.max_expansion = 0, .always_allowed = 100'000};
  const auto said = [&](const std::string& text) {
    return refusal([&] {
      CsvReader csv(text, "x.csv", limits);
      while (csv.next()) continue;
    });
  };
  const std::string commas(10'000, ',');
  EXPECT_EQ(said("a,b\n1,2\n"), "");
  EXPECT_THAT(said(commas + "\n"), testing::HasSubstr("bytes or more in memory"));
  EXPECT_THAT(said("a,b\n" + commas + "\n"), testing::HasSubstr("bytes or more in memory"));
}

}  // namespace
}  // namespace ifd
