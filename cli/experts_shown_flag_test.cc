#include "cli/experts_shown_flag.h"

#include <gtest/gtest.h>

namespace ifd::cli {
namespace {

TEST(ExpertsShown, AreAllWhereTheyAreFewOrAskedFor) {
  EXPECT_EQ(rows_for(0, ExpertsShown::kMost), 0u);
  EXPECT_EQ(rows_for(kMostExperts, ExpertsShown::kMost), kMostExperts);
  EXPECT_EQ(rows_for(kMostExperts + 1, ExpertsShown::kMost), kMostExperts);
  EXPECT_EQ(rows_for(kMostExperts + 1, ExpertsShown::kAll), kMostExperts + 1);
}

TEST(ExpertsShown, AreAskedForByAFlag) {
  CLI::App command;
  ExpertsShown shown = ExpertsShown::kMost;
  add_all_experts_flag(command, shown);
  command.parse("");
  EXPECT_EQ(shown, ExpertsShown::kMost);
  command.parse("--all-experts");
  EXPECT_EQ(shown, ExpertsShown::kAll);
}

}  // namespace
}  // namespace ifd::cli
