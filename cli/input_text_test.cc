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

TEST_F(Command, TextInOtherClothesSaysTheSame) {
  const std::string words = kEvaluate + std::string("--json");
  const std::string plain = output(words);
  const std::string routes = output(kRoute + std::string("--budget 0.6"));
  const std::vector<std::pair<std::string, std::function<std::string(const std::string&)>>>
      clothes = {{"CRLF", with_crlf},
                 {"quotes", quoted},
                 {"byte order mark", [](const std::string& t) { return "\xEF\xBB\xBF" + t; }},
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
