#include "ifd/data/near_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ifd {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Levenshtein's distance, by hand.
TEST(NearNames, LettersApart) {
  EXPECT_EQ(letters_apart("kitten", "sitting"), 3U);
  EXPECT_EQ(letters_apart("", "abc"), 3U);
  EXPECT_EQ(letters_apart("route", "route"), 0U);
}

TEST(NearNames, NearestFirstThenEarlier) {
  const std::vector<std::string> names = {"case-19", "scan", "case-17", "case17", "case-170"};
  EXPECT_THAT(near_names("case-17", names, 3), ElementsAre("case-17", "case-19", "case17"));
  EXPECT_THAT(near_names("patient", names, 3), IsEmpty());
}

// A slip is two letters, or a quarter of a long word.
TEST(NearNames, ASlipIsShort) {
  const std::vector<std::string> names = {"abcdefgh"};
  EXPECT_THAT(near_names("abcdefXY", names, 1), ElementsAre("abcdefgh"));
  EXPECT_THAT(near_names("abcdeXYZ", names, 1), IsEmpty());
}

}  // namespace
}  // namespace ifd
