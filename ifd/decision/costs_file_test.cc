#include "ifd/decision/costs_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/refusal.h"

namespace ifd {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const ClassNames kFileClasses({"mel", "nevus", "other"});
const std::vector<std::string> kFileExperts = {"ann", "bob"};

CostTable costs(const std::string& text) { return costs_from_bytes(text, "c.csv", kFileClasses); }
FeeTable fees(const std::string& text) { return fees_from_bytes(text, "f.csv", kFileExperts); }

TEST(CostsFile, HasARowForEveryMistake) {
  const CostTable read = costs(
      "truth,label,cost\nmel,nevus,50\nmel,other,40\nnevus,mel,1\nnevus,other,0\nother,mel,2\n"
      "other,nevus,3\nmel,mel,0\n");
  EXPECT_THAT(read.costs, ElementsAre(0, 50, 40, 1, 0, 0, 2, 3, 0));
  EXPECT_EQ(read.unit, "");
}

// Truth and label, then truth, then label, then neither; a right answer never costs anything.
TEST(CostsFile, TheRowThatSaysMoreCounts) {
  const CostTable read =
      costs("truth,label,cost [EUR]\n*,*,1\n*,other,2\nmel,*,50\nmel,other,40\n");
  EXPECT_THAT(read.costs, ElementsAre(0, 50, 40, 1, 0, 2, 1, 1, 0));
  EXPECT_EQ(read.unit, "EUR");
}

TEST(CostsFile, ReadsWhatPeopleHave) {
  const CostTable read = costs("label;Truth;Cost[kr]\n*;*;0,5\n*;mel;2\n");
  EXPECT_THAT(read.costs, ElementsAre(0, 2, 2, .5, 0, .5, .5, .5, 0));
  EXPECT_EQ(read.unit, "kr");
  EXPECT_THAT(costs_from_bytes("truth,label,cost\n*,*,1\n0,1,5\n", "c.csv", kFileClasses,
                               LabelKind::kNumbers)
                  .costs,
              ElementsAre(0, 5, 1, 1, 0, 1, 1, 1, 0));
}

TEST(CostsFile, RefusesWhatMakesNoSense) {
  const auto said = [](const std::string& rows) {
    return refusal([&] { costs("truth,label,cost\n" + rows); });
  };
  EXPECT_THAT(said("mel,*,1\nnevus,*,1\nother,mel,1\n"),
              HasSubstr("c.csv: no cost of 'other' taken for 'nevus'"));
  EXPECT_THAT(said("*,*,1\nmel,nevus,-1\n"), HasSubstr("c.csv:3: cost '-1'"));
  EXPECT_THAT(said("*,*,nan\n"), HasSubstr("c.csv:2: cost 'nan'"));
  EXPECT_THAT(said("*,*,inf\n"), HasSubstr("c.csv:2: cost 'inf'"));
  EXPECT_THAT(said("*,*,1e13\n"), HasSubstr("c.csv:2: cost '1e13'"));
  EXPECT_THAT(said("*,*,\n"), HasSubstr("c.csv:2"));
  EXPECT_THAT(said("*,*,1\nmel,mel,2\n"), HasSubstr("c.csv:3: the right answer 'mel' costs 2"));
  EXPECT_THAT(said("*,*,1\n*,*,1\n"), HasSubstr("c.csv:3: '*' taken for '*' is there twice"));
  EXPECT_THAT(said("melanoma,*,1\n"), HasSubstr("c.csv:2: 'melanoma' is not a class"));
  EXPECT_THAT(refusal([] { costs("truth,label\n"); }), HasSubstr("'cost'"));
  EXPECT_THAT(refusal([] { costs("truth,label,cost []\n"); }), HasSubstr("unit of 0 bytes"));
}

TEST(FeesFile, IsByExpertOrForEverybody) {
  const FeeTable read = fees("expert,fee [EUR]\nann,4.5\n*,1\n");
  EXPECT_EQ(read.fees, (Fees{{"ann", 4.5}, {"*", 1}}));
  EXPECT_EQ(read.unit, "EUR");
}

TEST(FeesFile, RefusesWhatMakesNoSense) {
  const auto said = [](const std::string& rows) {
    return refusal([&] { fees("expert,fee\n" + rows); });
  };
  EXPECT_THAT(said("zoe,1\n"),
              HasSubstr("f.csv:2: 'zoe' is not an expert; expected one of ann, bob or *"));
  EXPECT_THAT(said("ann,1\nann,2\n"), HasSubstr("f.csv:3: expert 'ann' is there twice"));
  EXPECT_THAT(said("ann,-1\n"), HasSubstr("f.csv:2: fee '-1'; expected a number in 0.."));
}

TEST(CostsFile, TwoUnitsDoNotGoTogether) {
  const CostTable in_euros = costs("truth,label,cost [EUR]\n*,*,1\n");
  EXPECT_EQ(put_together(kFileClasses, in_euros, fees("expert,fee\n*,1\n")).unit(), "EUR");
  EXPECT_EQ(
      put_together(kFileClasses, costs("truth,label,cost\n*,*,1\n"), fees("expert,fee [h]\n*,1\n"))
          .unit(),
      "h");
  EXPECT_THAT(refusal([&] { put_together(kFileClasses, in_euros, fees("expert,fee [h]\n*,1\n")); }),
              HasSubstr("costs in 'EUR' and fees in 'h'; expected one unit"));
}

}  // namespace
}  // namespace ifd
