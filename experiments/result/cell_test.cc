#include "experiments/result/cell.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <type_traits>
#include <vector>

namespace ifd::experiments {
namespace {

using testing::ElementsAre;

// The law that the types are for: no text and no other column goes into a column by accident.
static_assert(!std::is_convertible_v<MethodName, GroupName>);
static_assert(!std::is_assignable_v<GroupName&, MethodName>);
static_assert(!std::is_convertible_v<const char*, GroupName>);
static_assert(!std::is_convertible_v<std::string, GroupName>);

TEST(Cell, LabelsComeInTheOrderOfTheFiles) {
  std::vector<std::string> columns;
  const Cell cell;
  each_label(cell, [&](const char* column, const auto&) { columns.emplace_back(column); });
  EXPECT_THAT(columns, ElementsAre("experiment", "data", "experts", "group", "method", "setting",
                                   "scale", "measure"));
}

TEST(Cell, TextLeavesEmptyColumnsOut) {
  EXPECT_EQ(to_text({}), "");
  EXPECT_EQ(to_text({.experiment = ExperimentName("table1"), .measure = MeasureName("aursac")}),
            "table1 aursac");
  EXPECT_EQ(to_text({.data = DataName("blood"), .x = 2.5}), "blood x=2.5");
}

// results.json lists cells in this order: column by column, as texts.
TEST(Cell, OrderIsThatOfTheTexts) {
  const Cell id{.group = GroupName("id"), .method = MethodName("b")};
  const Cell ood{.group = GroupName("ood"), .method = MethodName("a")};
  EXPECT_LT(id, ood);
  EXPECT_LT(Cell{}, id);
  EXPECT_LT((Cell{.x = 1}), (Cell{.x = 2}));
}

}  // namespace
}  // namespace ifd::experiments
