#include "ifd/data/answer_table.h"

#include <gtest/gtest.h>

#include "tests/refusal.h"

namespace ifd {
namespace {

// In 16 bits 65536 would be class 0, and -1 no answer at all.
TEST(Answer, IsNoClassThatDoesNotFit) {
  EXPECT_EQ(Answer(class_id(32767)).as_class(), class_id(32767));
  for (const std::int32_t id : {32768, 65535, 65536, INT32_MAX, -1, -2, INT32_MIN}) {
    EXPECT_EQ(refusal([&] { Answer{static_cast<ClassId>(id)}; }),
              std::to_string(id) + " is not a class; expected 0..32767");
  }
}

TEST(AnswerTable, ASubsetHasTheRowsThatWereAskedForInTheirOrder) {
  AnswerTable table({"ann", "bob"}, 3);
  table.set(case_id(0), expert_id(0), class_id(1));
  table.set(case_id(2), expert_id(0), class_id(2));
  table.set(case_id(2), expert_id(1), Answer::outside());
  const std::vector<std::size_t> rows = {2, 0, 2};
  const AnswerTable part = table.subset(rows);
  ASSERT_EQ(part.cases(), 3u);
  EXPECT_EQ(part.expert_names(), table.expert_names());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const ExpertId j : {expert_id(0), expert_id(1)}) {
      EXPECT_EQ(part.at(case_id(i), j), table.at(case_id(rows[i]), j));
    }
  }
  EXPECT_TRUE(part.at(case_id(1), expert_id(1)).is_missing());
  EXPECT_EQ(table.subset({}).cases(), 0u);
}

}  // namespace
}  // namespace ifd
