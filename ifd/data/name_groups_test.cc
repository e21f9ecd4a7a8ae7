#include "ifd/data/name_groups.h"

#include <gtest/gtest.h>

#include <vector>

namespace ifd {
namespace {

// `cases` names of each of `groups` beginnings.
std::vector<std::string> names_of(std::size_t groups, std::size_t cases, char separator) {
  std::vector<std::string> names;
  for (std::size_t g = 0; g < groups; ++g) {
    for (std::size_t i = 0; i < cases; ++i) {
      names.push_back("p" + std::to_string(g) + separator + std::to_string(i));
    }
  }
  return names;
}

TEST(NameGroups, FindsBeginningsThatSeveralCasesShare) {
  for (const char separator : {'-', '_', '/', ':'}) {
    SCOPED_TRACE(separator);
    const auto found = groups_in_names(names_of(20, 30, separator));
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->separator, separator);
    EXPECT_EQ(found->groups, 20u);
    EXPECT_EQ(found->example, "p0");
  }
}

// Parts of a beginning may hold the separator too, and recordings need not be equally long.
TEST(NameGroups, TakesTheLastSeparator) {
  std::vector<std::string> names;
  for (std::size_t g = 0; g < 9; ++g) {
    for (std::size_t i = 0; i <= 4 * g; ++i) {
      names.push_back("night-" + std::to_string(g) + "-" + std::to_string(i));
    }
  }
  const auto found = groups_in_names(names);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->groups, 9u);
  EXPECT_EQ(found->example, "night-0");
}

// 'patient000_scan0': a word may stand before the number, and need not be the same one.
TEST(NameGroups, TakesAWordBeforeTheNumber) {
  std::vector<std::string> names;
  for (std::size_t g = 0; g < 8; ++g) {
    for (std::size_t i = 0; i < 4; ++i) {
      names.push_back("patient00" + std::to_string(g) + (i < 2 ? "_scan" : "_xray") +
                      std::to_string(i));
    }
  }
  const auto found = groups_in_names(names);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->separator, '_');
  EXPECT_EQ(found->groups, 8u);
  EXPECT_EQ(found->example, "patient000");
  for (const char* other : {"patient008_scan", "patient008_1a", "patient008_s-", "patient008"}) {
    std::vector<std::string> mixed = names;
    mixed.emplace_back(other);
    EXPECT_FALSE(groups_in_names(mixed)) << other;
  }
}

TEST(NameGroups, SuggestsNothingWhereNamesOnlyCount) {
  EXPECT_FALSE(groups_in_names(names_of(1, 1000, '-')));  // case-1 ... case-1000
  EXPECT_FALSE(groups_in_names(names_of(2, 500, '-')));   // train-1 ..., test-1 ...
  EXPECT_FALSE(groups_in_names(names_of(500, 1, '-')));   // every beginning once
  EXPECT_FALSE(groups_in_names(names_of(400, 2, '-')));   // hardly fewer than cases
  EXPECT_FALSE(groups_in_names(names_of(20, 30, '.')));
  std::vector<std::string> mixed = names_of(20, 30, '-');
  mixed.emplace_back("one more");
  EXPECT_FALSE(groups_in_names(mixed));
  std::vector<std::string> one_large = names_of(1, 1000, '-');
  for (std::size_t i = 0; i < 50; ++i) one_large.push_back("x" + std::to_string(i) + "-1");
  EXPECT_FALSE(groups_in_names(one_large));
  EXPECT_FALSE(groups_in_names({}));
  EXPECT_FALSE(groups_in_names(std::vector<std::string>{"1", "2", "3"}));
  EXPECT_FALSE(groups_in_names(std::vector<std::string>(40, "")));
}

}  // namespace
}  // namespace ifd
