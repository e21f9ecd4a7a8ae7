#include "ifd/data/answer_table.h"

#include <gtest/gtest.h>

namespace ifd {
namespace {

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
