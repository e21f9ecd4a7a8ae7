// Names from strangers' files, and what of them reaches a terminal or a spreadsheet.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ifd/data/csv.h"
#include "ifd/data/predictions_file.h"
#include "ifd/policy/policy_file.h"
#include "tests/command_fixture.h"
#include "tests/pseudo_terminal.h"

namespace ifd {
namespace {

using testing::HasSubstr;
using testing::Not;

// Each moves the cursor, sets a title, begins a line, or turns the reading order around.
const std::vector<std::string> kHostile = {
    "\x1b[2J\x1b[31m",     "\x1b]0;title\x07",       "one\ntwo\r",
    "tab\tand\x08\x7f",    "\u009b2J\u0085",         "\u202etxt.exe\u202c",
    "\u2066a\u2069\u2067", "\u200e\u200f\u061c",     "\u2028line\u2029",
    "\u200bzero\ufeff",    "'=cmd|' /C calc'!A0\x1b"};

std::string in_quotes(const std::string& name) { return "\"" + name + "\""; }

// Every name of the example with something hostile behind it.
std::string renamed(std::string text, const std::string& hostile) {
  for (const std::string name : {"cat", "dog", "ann", "bob", "x1", "x2", "x3", "x4"}) {
    const std::string to = in_quotes(name + hostile);
    for (std::size_t at = text.find(name); at != std::string::npos;
         at = text.find(name, at + to.size())) {
      text.replace(at, name.size(), to);
    }
  }
  return text;
}

std::string annotations_of(const std::string& hostile) {
  std::string text =
      "participant_id,image_name,image_category,noise_level,participant_classification\n";
  for (int person = 0; person < 4; ++person) {
    for (int image = 0; image < 6; ++image) {
      text += in_quotes(std::to_string(person) + hostile) + "," +
              in_quotes(std::to_string(image) + hostile) + ",cat,80," +
              (image < 2 * person ? "cat" : "dog") + "\n";
    }
  }
  return text;
}

class HostileNames : public Command {
 protected:
  void put(const std::string& hostile) {
    folder_.put("p.csv", renamed(kPredictions, hostile));
    folder_.put("c.csv", renamed(kContext, hostile));
    folder_.put("a.csv", renamed(kAnswers, hostile) + in_quotes("cleo" + hostile) + ",a,\n");
    folder_.put("people.csv", annotations_of(hostile));
    folder_.put("capacity.csv", "expert,capacity\n" + in_quotes("nobody" + hostile) + ",1\n");
    PolicyFile policy = PolicyFile::read(IFD_SOURCE_DIR "/tests/golden/policy_v1_plain.ifd");
    policy.metadata_json =
        nlohmann::json{{"name" + hostile, "value" + hostile}, {"list", {hostile}}}.dump();
    policy.write(folder_ / "policy.ifd");
  }
  void expect_harmless(Words words) const {
    words.insert(words.begin(), IFD_COMMAND);
    const std::string shown = shown_on_terminal(folder_.path(), words);
    EXPECT_NE(shown, "");
    EXPECT_EQ(first_that_acts(shown), "") << shown;
  }
};

TEST_F(HostileNames, DoNotActOnTheTerminal) {
  if (!has_pseudo_terminals()) GTEST_SKIP() << kNoPseudoTerminals;
  for (const std::string& hostile : kHostile) {
    SCOPED_TRACE(testing::PrintToString(hostile));
    put(hostile);
    const std::string input = "--predictions p.csv --context c.csv ";
    for (const std::string& words : std::vector<std::string>{
             "profile " + input,
             "profile --context c.csv --classes a,b",
             "route --budget 0.5 -o routes.csv " + input,
             "route --budget 0.5 -o routes.csv --capacity capacity.csv " + input,
             "route --budget 0.5 -o routes.csv --off-duty nobody " + input,
             "evaluate --answers a.csv --missing off-duty --bootstrap 10 " + input,
             "evaluate --answers a.csv --bootstrap 0 " + input,
             "plan threshold --budget 0.5 " + input,
             "plan staff-prior " + input,
             "plan onboarding --draws 5 --next 3 " + input,
             "profile --staff-prior --newcomer zoe --truth dawid-skene " + input,
             "policy show policy.ifd",
             "experts fingerprint --annotations people.csv",
         }) {
      SCOPED_TRACE(words);
      expect_harmless(split_words(words));
    }
  }
}

// What is for machines is seen by people too, where they send it nowhere else.
TEST_F(HostileNames, DoNotActOnTheTerminalInMachineFormatsEither) {
  if (!has_pseudo_terminals()) GTEST_SKIP() << kNoPseudoTerminals;
  for (const std::string& hostile : kHostile) {
    SCOPED_TRACE(testing::PrintToString(hostile));
    put(hostile);
    const std::string input = "--predictions p.csv --context c.csv ";
    for (const std::string& words : std::vector<std::string>{
             "route --budget 0.5 " + input,
             "route --budget 0.5 --format jsonl " + input,
             "route --budget 0.5 --explain " + input,
             "route --budget 0.5 -o routes.csv --summary - " + input,
             "combine --answers a.csv " + input,
             "combine --answers a.csv --format jsonl " + input,
             "evaluate --answers a.csv --bootstrap 0 --csv " + input,
             "evaluate --answers a.csv --missing off-duty --bootstrap 0 --json " + input,
             "profile --json " + input,
             "explain --case a --json " + input,
             "check --json p.csv c.csv",
             "plan threshold --budget 0.5 --json " + input,
             "watch --context c.csv --answers c.csv --json",
             "policy show --json policy.ifd",
             "experts fingerprint --json --annotations people.csv",
         }) {
      SCOPED_TRACE(words);
      expect_harmless(split_words(words));
    }
  }
}

// A file or a pipe gets the bytes, and a reader of JSON the names, as they are.
TEST_F(HostileNames, StayTheSameForMachines) {
  for (const std::string& hostile : kHostile) {
    SCOPED_TRACE(testing::PrintToString(hostile));
    if (hostile.find('\r') != std::string::npos) continue;  // may not stand in a header
    put(hostile);
    const std::string words = "route --threshold -1 --predictions p.csv --context c.csv --format ";
    const std::string csv = output(words + "csv");
    output(words + "csv -o routes.csv");
    EXPECT_EQ(csv, folder_.get("routes.csv"));
    CsvReader cells(csv, "routes.csv");
    const Words lines = split_lines(output(words + "jsonl"));
    std::size_t rows = 0;
    while (cells.next()) {
      ASSERT_LT(rows, lines.size());
      const nlohmann::json row = nlohmann::json::parse(lines[rows++]);
      EXPECT_EQ(row["prediction"].get<std::string>(), cells.field(3));
      EXPECT_THAT(row["prediction"].get<std::string>(), testing::EndsWith(hostile));
    }
    EXPECT_EQ(rows, 5U);
  }
}

TEST_F(HostileNames, OfFilesAndWordsDoNotActEither) {
  if (!has_pseudo_terminals()) GTEST_SKIP() << kNoPseudoTerminals;
  for (const std::string& hostile : kHostile) {
    SCOPED_TRACE(testing::PrintToString(hostile));
    expect_harmless({"policy", "show", "missing" + hostile});
    expect_harmless({"profile", "--context", "c.csv", "--classes", "cat" + hostile});
    expect_harmless({"route", "--" + hostile});
    expect_harmless({"data", "list", "--directory", "folder" + hostile});
    expect_harmless({"data", "rings", "--cases", "9", "-o", "rings" + hostile + ".csv"});
    expect_harmless({"evaluate", "--predictions", "p.csv", "--context", "c.csv", "--answers",
                     "a.csv", "--bootstrap", "0", "--report", "report" + hostile});
  }
  expect_harmless({"demo", "-o", "demo" + kHostile[0]});
}

// Machine formats carry the names as they are; only --csv-safe changes them, and only where a
// spreadsheet would run them.
TEST_F(HostileNames, OfFormulasStayTextInASpreadsheetOnRequest) {
  for (const std::string hostile : {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"}) {
    SCOPED_TRACE(hostile);
    const auto formulas = [&](std::string text) {
      for (const char* name : {"cat", "dog", "ann", "bob"}) {
        const std::string to = in_quotes(hostile + name);
        for (std::size_t at = text.find(name); at != std::string::npos;
             at = text.find(name, at + to.size())) {
          text.replace(at, 3, to);
        }
      }
      return text;
    };
    // A carriage return may not stand in a header.
    const bool in_header = hostile.find('\r') == std::string::npos;
    folder_.put("p.csv", in_header ? formulas(kPredictions) : kPredictions);
    std::string context = formulas(kContext);
    if (!in_header) {
      context = "expert,case,answer,truth\n" + in_quotes(hostile + "ann") + ",x1,cat,cat\n" +
                in_quotes(hostile + "ann") + ",x2,dog,dog\n";
    }
    folder_.put("c.csv", context);
    const std::string exact = output(kRoute + std::string("--threshold -1"));
    const std::string safe = output(kRoute + std::string("--threshold -1 --csv-safe"));
    EXPECT_THAT(exact, Not(HasSubstr("'" + hostile)));
    // A tab around a name is a blank and goes.
    EXPECT_THAT(exact, HasSubstr((hostile[0] == '\t' ? hostile.substr(1) : hostile) + "ann"));
    CsvReader cells(safe, "safe.csv");
    CsvReader before(exact, "exact.csv");
    while (cells.next() && before.next()) {
      for (const std::size_t text : {0, 1, 2, 3}) {
        EXPECT_NE(cells.field(text).find_first_of("=+-@\t\r"), 0u);
      }
      EXPECT_EQ(cells.field(4), before.field(4));
    }
  }
}

TEST_F(HostileNames, OfPoliciesStayTextInASpreadsheetOnRequest) {
  const std::string policy = IFD_SOURCE_DIR "/tests/golden/policy_v1_plain.ifd";
  std::filesystem::copy_file(policy, folder_ / "=policy.ifd");
  const std::string words =
      kEvaluate + std::string("--policy plug-in,=policy.ifd --curve curve.csv --csv ");
  EXPECT_THAT(output(words), HasSubstr("\n=policy.ifd,"));
  EXPECT_THAT(folder_.get("curve.csv"), HasSubstr("\n=policy.ifd,"));
  EXPECT_THAT(output(words + "--csv-safe"), HasSubstr("\n'=policy.ifd,"));
  EXPECT_THAT(folder_.get("curve.csv"), HasSubstr("\n'=policy.ifd,"));
  EXPECT_EQ(run(kEvaluate + std::string("--csv-safe")).code, 2);
  EXPECT_EQ(run(kRoute + std::string("--budget 0.5 --csv-safe --format jsonl")).code, 2);
}

}  // namespace
}  // namespace ifd
