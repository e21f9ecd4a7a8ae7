#include "ifd/profile/prior_table.h"

#include <gtest/gtest.h>

#include "ifd/error.h"
#include "tests/refusal.h"

namespace ifd {
namespace {

const ClassNames kClasses({"cat", "dog", "bird"});

PriorTable table(const std::string& text) {
  return PriorTable::from_bytes(text, "prior.csv", kClasses);
}

// The row that says more counts; what no row names is uniform. By hand: mean * strength.
TEST(PriorTable, TheMoreSpecificRowCounts) {
  const PriorTable priors = table(
      "expert,class,mean,strength\n"
      "*,*,0.5,4\n"
      "*,dog,0.25,4\n"
      "ann,*,0.75,8\n"
      "ann,cat,0.5,20\n");
  const auto ann = priors.of("ann", 3);
  EXPECT_EQ(ann[0], (BetaPrior{10, 10}));
  EXPECT_EQ(ann[1], (BetaPrior{6, 2}));
  EXPECT_EQ(ann[2], (BetaPrior{6, 2}));
  const auto bob = priors.of("bob", 3);
  EXPECT_EQ(bob[0], (BetaPrior{2, 2}));
  EXPECT_EQ(bob[1], (BetaPrior{1, 3}));
  EXPECT_EQ(priors.experts(), std::vector<std::string>{"ann"});
  EXPECT_EQ(PriorTable().of("ann", 2), std::vector<BetaPrior>(2));
}

// Eq. prior-param: a = 1, c = .5, s = 12 gives Beta(6, 1).
TEST(PriorTable, SelfAssessmentColumns) {
  const auto ann =
      table("expert,class,accuracy,confidence,strength\nann,cat,1,0.5,12\n").of("ann", 3);
  EXPECT_EQ(ann[0], (BetaPrior{6, 1}));
  EXPECT_EQ(ann[1], BetaPrior{});
}

TEST(PriorTable, BadRowsSayWhereWhatAndWhatWasAllowed) {
  EXPECT_EQ(refusal([] { table("expert,class,mean,strength\nann,cow,0.5,4\n"); }),
            "prior.csv:2: 'cow' is not a class; expected cat, dog, bird or *");
  EXPECT_EQ(refusal([] { table("expert,class,mean,strength\nann,cat,1.5,4\n"); }),
            "prior.csv:2: 1.5 is not a prior mean; expected more than 0, less than 1");
  EXPECT_EQ(refusal([] { table("expert,class,accuracy,confidence,strength\nann,cat,1,1,1\n"); }),
            "prior.csv:2: 1 is not a strength; expected 2 to 1000000000");
  EXPECT_EQ(refusal([] { table("expert,class,mean,strength\nann,cat,0.5,4\nann,cat,0.5,4\n"); }),
            "prior.csv:3: expert 'ann' and class 'cat' are there twice; expected once");
  EXPECT_EQ(
      refusal([] { table("expert,class,strength\nann,cat,4\n"); }),
      "prior.csv: expected the columns 'mean' and 'strength', or 'accuracy', 'confidence' and "
      "'strength'");
}

}  // namespace
}  // namespace ifd
