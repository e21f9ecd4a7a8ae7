#include "ifd/data/answer_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
