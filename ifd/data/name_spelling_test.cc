#include "ifd/data/name_spelling.h"

#include <gtest/gtest.h>

namespace ifd {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

TEST(NameSpelling, BlanksAroundANameAreNoPartOfIt) {
  EXPECT_EQ(trimmed(" \t ann lee\xC2\xA0 "), "ann lee");
  EXPECT_EQ(trimmed("\xC2\xA0"), "");
  EXPECT_EQ(trimmed(" "), "");
  EXPECT_EQ(trimmed(""), "");
  // The last byte of another character is no blank.
  EXPECT_EQ(trimmed("\xC3\xA0"), "\xC3\xA0");
}

TEST(NameSpelling, LetterCaseIsThatOfASCII) {
  EXPECT_EQ(lower_case("Case @[`{Z"), "case @[`{z");
  EXPECT_EQ(lower_case("\xC3\x89"), "\xC3\x89");
}

// Ana and Ann are two people: letters are never taken for each other.
TEST(NameSpelling, NamesAreNearWhereOnlyCaseBlanksAndPunctuationDiffer) {
  const std::vector<std::string> names = {"bob",     "ana",     "ann",   "Bob", "ann-lee",
                                          "Ann Lee", "ann_lee", "b o b", "bob2"};
  EXPECT_EQ(
      near_equal_names(names),
      (Pairs{{"bob", "Bob"}, {"ann-lee", "Ann Lee"}, {"ann-lee", "ann_lee"}, {"bob", "b o b"}}));
  EXPECT_TRUE(near_equal_names(std::vector<std::string>{"bob", "bob"}).empty());
}

TEST(NameSpelling, TheNoteShowsAFewPairs) {
  EXPECT_EQ(near_equal_experts_note(std::vector<std::string>{"bob", "ann"}), "");
  EXPECT_EQ(near_equal_experts_note(std::vector<std::string>{"bob", "Bob"}),
            "'bob' and 'Bob' are taken for different experts; are they?");
  EXPECT_EQ(near_equal_experts_note(std::vector<std::string>{"b", "B", "-b", "b-", ".b"}),
            "'b' and 'B', 'b' and '-b', 'b' and 'b-' and 1 more pairs are taken for different "
            "experts; are they?");
}

}  // namespace
}  // namespace ifd
