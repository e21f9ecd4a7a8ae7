#include "ifd/data/unmatched_cases.h"

#include <gtest/gtest.h>

namespace ifd {
namespace {

Predictions cases_named(std::vector<std::string> names) {
  std::vector<float> probabilities(2 * names.size(), .5F);
  return Predictions(
      {ClassNames({"a", "b"}), std::move(names), std::move(probabilities), {}, {}, 0});
}

std::string hint(const std::vector<std::string>& unmatched, std::vector<std::string> names) {
  return unmatched_cases_hint(unmatched, cases_named(std::move(names)));
}

TEST(UnmatchedCases, TellTheLikelyCauseWithAnExample) {
  EXPECT_EQ(hint({"x", "007"}, {"6", "7"}), "'007' and '7' differ by leading zeros");
  EXPECT_EQ(hint({"000"}, {"0"}), "'000' and '0' differ by leading zeros");
  EXPECT_EQ(hint({"IMG1"}, {"img1"}), "'IMG1' and 'img1' differ by letter case");
  EXPECT_EQ(hint({"7.0"}, {"7"}), "'7.0' and '7' differ by a fraction .0");
  EXPECT_EQ(hint({"a 1"}, {"a1"}), "'a 1' and 'a1' differ by blanks inside");
  EXPECT_EQ(hint({"scan1"}, {"scan1.nii.gz"}),
            "'scan1' and 'scan1.nii.gz' differ by a file's ending");
  EXPECT_EQ(hint({"test/1.png"}, {"1.png"}),
            "'test/1.png' and '1.png' differ by a folder in front");
  EXPECT_EQ(hint({"test\\1.png"}, {"1"}),
            "'test\\1.png' and '1' differ by a folder and a file's ending");
}

TEST(UnmatchedCases, ShowBothSidesWhereNoCauseIsSeen) {
  EXPECT_EQ(hint({"x1"}, {"a"}), "such as 'x1' here and 'a' in the predictions");
  EXPECT_EQ(hint({"1.5"}, {"1"}), "such as '1.5' here and '1' in the predictions");
}

TEST(UnmatchedCases, ACaseIsLookedForAmongThoseOfAFile) {
  EXPECT_EQ(unmatched_case_hint("7", std::vector<std::string>{"1", "007"}),
            "'7' and '007' differ by leading zeros");
  EXPECT_EQ(unmatched_case_hint("7", std::vector<std::string>{"x"}), "there are cases such as 'x'");
  EXPECT_EQ(unmatched_case_hint("7", {}), "there are no cases");
}

}  // namespace
}  // namespace ifd
