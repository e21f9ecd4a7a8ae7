// The same content in other clothes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "tests/command_fixture.h"

namespace ifd {
namespace {

using nlohmann::json;
using testing::HasSubstr;

std::string with_crlf(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '\n' ? std::string("\r\n") : std::string(1, c);
  return out;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    out += c == ',' ? "\",\"" : c == '\n' ? "\"\n\"" : std::string(1, c);
  }
  return out.substr(0, out.size() - 1);
}

std::string with(std::string text, char from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, 1, to);
  }
  return text;
}

std::string utf16(const std::string& text) {
  std::string out = "\xFF\xFE";
  for (const char c : text) out += {c, '\0'};
  return out;
}

// As a spreadsheet writes it where commas are decimal.
std::string with_semicolons(const std::string& text) {
  return "sep=;\n" + with(with(text, ',', ";"), '.', ",");
}

std::string capitals(std::string text) {
  for (std::size_t i = 0; text[i] != '\n'; ++i) {
    // The first letters, but not of the classes.
    if (text[i] != 'd' && text.compare(i, 3, "cat") != 0 && (i == 0 || text[i - 1] == ',')) {
      text[i] = static_cast<char>(std::toupper(text[i]));
    }
  }
  return text;
}

TEST_F(Command, TextInOtherClothesSaysTheSame) {
  const std::string words = kEvaluate + std::string("--json");
  const std::string plain = output(words);
  const std::string routes = output(kRoute + std::string("--budget 0.6"));
  const std::vector<std::pair<std::string, std::function<std::string(const std::string&)>>>
      clothes = {{"CRLF", with_crlf},
                 {"quotes", quoted},
                 {"byte order mark", [](const std::string& t) { return "\xEF\xBB\xBF" + t; }},
                 {"UTF-16", utf16},
                 {"semicolons and decimal commas", with_semicolons},
                 {"tabs", [](const std::string& t) { return with(t, ',', "\t"); }},
                 {"blanks", [](const std::string& t) { return with(t, ',', " , "); }},
                 {"capitals in the header", capitals},
                 {"no newline at the end",
                  [](const std::string& t) { return t.substr(0, t.size() - 1); }}};
  for (const auto& [name, dress] : clothes) {
    SCOPED_TRACE(name);
    folder_.put("p.csv", dress(kPredictions));
    folder_.put("c.csv", dress(kContext));
    folder_.put("a.csv", dress(kAnswers));
    EXPECT_EQ(output(words), plain);
    EXPECT_EQ(output(kRoute + std::string("--budget 0.6")), routes);
  }
  put_example(folder_);
  ASSERT_EQ(run_shell(folder_.path(), "gzip p.csv c.csv a.csv").code, 0);
  EXPECT_EQ(output("evaluate --predictions p.csv.gz --context c.csv.gz --answers a.csv.gz "
                   "--bootstrap 0 --json"),
            plain);
}

TEST_F(Command, WhatIsTakenForGrantedIsSaid) {
  folder_.put("p.csv", with_semicolons(kPredictions));
  folder_.put("c.csv", with(kContext, '1', "\xE9"));
  EXPECT_EQ(run(kRoute + std::string("--threshold 0")).err,
            "note: p.csv: separated by ';'\n"
            "note: p.csv: the numbers have decimal commas\n"
            "note: c.csv: is not UTF-8; taken for Windows-1252 (Latin-1)\n"
            "3 of 5 cases go to an expert (threshold 0): ann 3\n");
  EXPECT_EQ(run(kRoute + std::string("--threshold 0 -q")).err, "");
}

// Percentages, and class columns in another order, are the same predictions.
TEST_F(Command, OtherUnitsAndOrdersSayTheSame) {
  const std::string routes = output(kRoute + std::string("--budget 0.6"));
  folder_.put("p.csv",
              "case,label,cat,dog\na,cat,75,25\nb,dog,56.25,43.75\nc,dog,25,75\nd,cat,50,50\n"
              "e,cat,56.25,43.75\n");
  EXPECT_EQ(output(kRoute + std::string("--budget 0.6 --percent")), routes);
  folder_.put("p.csv",
              "case,label,cat,dog\na,cat,75%,25%\nb,dog,56.25 %,43.75 %\nc,dog,25%,75\n"
              "d,cat,50%,50%\ne,cat,56.25%,43.75%\n");
  EXPECT_EQ(output(kRoute + std::string("--budget 0.6 --percent")), routes);
  put_example(folder_);
  const std::string calibrated =
      kRoute + std::string("--budget 0.6 --calibrate temperature --context-predictions x.csv");
  folder_.put("x.csv",
              "case,label,cat,dog\nx1,cat,.9,.1\nx2,cat,.6,.4\nx3,dog,.3,.7\nx4,dog,.8,.2\n");
  const std::string in_order = output(calibrated);
  folder_.put("x.csv",
              "case,label,dog,cat\nx1,cat,.1,.9\nx2,cat,.4,.6\nx3,dog,.7,.3\nx4,dog,.2,.8\n");
  EXPECT_EQ(output(calibrated), in_order);
}

TEST_F(Command, NamesMayBeAnyText) {
  const auto renamed = [](std::string text) {
    const std::vector<std::pair<std::string, std::string>> names = {
        {"cat", "\"Katze, große\""}, {"dog", "犬"}, {"ann", "\"Zoë \"\"Z\"\"\""}, {"bob", "Боб"}};
    for (const auto& [from, to] : names) {
      for (std::size_t at = text.find(from); at != std::string::npos;
           at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
      }
    }
    return text;
  };
  const std::string routes = output(kRoute + std::string("--threshold -1"));
  const json plain = output_json(kEvaluate + std::string("--json"))["policies"][0];
  folder_.put("p.csv", renamed(kPredictions));
  folder_.put("c.csv", renamed(kContext));
  folder_.put("a.csv", renamed(kAnswers));
  EXPECT_EQ(output(kRoute + std::string("--threshold -1")), renamed(routes));
  const json policy = output_json(kEvaluate + std::string("--json"))["policies"][0];
  EXPECT_EQ(policy["aursac"], plain["aursac"]);
  EXPECT_EQ(policy["experts"][0]["expert"], "Zoë \"Z\"");
  EXPECT_THAT(output("profile --context c.csv --predictions p.csv"), HasSubstr("Katze, große"));
}

}  // namespace
}  // namespace ifd
