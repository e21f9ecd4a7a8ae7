#include "ifd/data/answer_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "ifd/random/keyed_random.h"
#include "tests/refusal.h"

namespace ifd {
namespace {

using testing::ElementsAre;

const ClassNames kPets({"cat", "dog"});

std::vector<std::string> walked(const std::string& text, AnswerRows::Purpose purpose) {
  AnswerRows rows(text, "a.csv", kPets, nullptr, purpose, {}, {});
  std::vector<std::string> seen;
  while (rows.next()) {
    const AnswerRow& row = rows.row();
    seen.push_back(std::to_string(row.line) + " " + std::string(row.expert) + " " +
                   std::string(row.case_name) + " " +
                   (row.answer.is_missing()   ? "blank"
                    : row.answer.is_outside() ? "outside"
                                              : kPets.name(row.answer.as_class())));
  }
  return seen;
}

// Line by line and, within a line, column by column; blank cells where they count, which is in
// evaluations.
TEST(AnswerRows, AreThoseOfTheFileInItsOrder) {
  constexpr auto kContext = AnswerRows::Purpose::kContext;
  constexpr auto kEvaluation = AnswerRows::Purpose::kEvaluation;
  EXPECT_THAT(walked("expert,case,answer\nbo,x,dog\nana,x,NA\nbo,y,cow\n", kContext),
              ElementsAre("2 bo x dog", "3 ana x blank", "4 bo y outside"));
  const std::string columns = "bo,case,ana\ndog,x,NA\n,y,\ncat,z,cat\n";
  EXPECT_THAT(walked(columns, kContext), ElementsAre("2 bo x dog", "4 bo z cat", "4 ana z cat"));
  EXPECT_THAT(walked(columns, kEvaluation),
              ElementsAre("2 bo x dog", "2 ana x blank", "3 bo y blank", "3 ana y blank",
                          "4 bo z cat", "4 ana z cat"));
}

// In a column per expert a case may have several rows, of which each expert answers in one at most.
// By brute force: the place of the first second answer, and where that expert answered before.
TEST(AnswerRows, SecondAnswersAreFoundInAnyRow) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key(seed);
    std::string text = "case,e0,e1,e2\n";
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> lines;
    std::string expected;
    for (std::size_t line = 2; line < 10; ++line) {
      const std::size_t of = key.with("case").below(3, line);
      text += "c" + std::to_string(of);
      for (std::size_t j = 0; j < 3; ++j) {
        const bool answers = key.with("answers").with(line).below(4, j) == 0;
        text += answers ? ",cat" : ",";
        if (!answers || !expected.empty()) continue;
        const auto [first, is_new] = lines.try_emplace({of, j}, line);
        if (is_new) continue;
        expected = "a.csv:" + std::to_string(line) + ": expert 'e" + std::to_string(j) +
                   "' answers case 'c" + std::to_string(of) + "' a second time, after line " +
                   std::to_string(first->second) + "; expected one answer";
      }
      text += "\n";
    }
    EXPECT_EQ(refusal([&] { walked(text, AnswerRows::Purpose::kContext); }), expected) << text;
  }
}

// Two bytes of a table are many in memory: what there is room for is the limit, whatever the
// layout.
TEST(AnswerRows, StayWithinTheLimit) {
  std::string wide = "case,e0,e1,e2,e3,e4\n", each = "expert,case,answer\n";
  for (int i = 0; i < 200; ++i) {
    wide += "c" + std::to_string(i) + ",cat,cat,,cat,cat\n";
    for (const char* expert : {"e0,", "e1,", "e3,", "e4,"}) {
      each += expert + ("c" + std::to_string(i)) + ",cat\n";
    }
  }
  for (const std::string& text : {wide, each}) {
    const auto said = [&](std::uint64_t most) {
      return refusal([&] {
        AnswerRows rows(text, "a.csv", kPets, nullptr, AnswerRows::Purpose::kContext, {},
                        ReadLimits{.max_expansion = 0, .always_allowed = most});
        while (rows.next()) continue;
      });
    };
    EXPECT_EQ(said(200'000), "");
    EXPECT_THAT(said(60'000), testing::EndsWith(" bytes or more in memory; expected at most 60000; "
                                                "--max-expansion allows more"));
  }
}

TEST(AnswerRows, CountWhatTheySaw) {
  AnswerRows rows("case,bo,ana,cy\nx,dog,NA,\ny,cat,cat,\n", "a.csv", kPets, nullptr,
                  AnswerRows::Purpose::kEvaluation, {}, {});
  while (rows.next()) continue;
  EXPECT_TRUE(rows.has_column_per_expert());
  EXPECT_THAT(rows.experts(), ElementsAre("bo", "ana", "cy"));
  EXPECT_EQ(rows.cases(), 2u);
  EXPECT_EQ(rows.answers(), 6u);
  EXPECT_EQ(rows.blanks(), 3u);
  EXPECT_EQ(rows.outside(), 0u);
}

}  // namespace
}  // namespace ifd
