#include "experiments/claims/published.h"

#include <gtest/gtest.h>

#include "experiments/claims/named_cells.h"

namespace ifd::experiments {
namespace {

Cell cell_of(const MethodName& method, const GroupName& group = kOod) {
  return area(DataName("blood"), kVariable, group, method);
}

// Spot checks against the paper's pages.
TEST(Published, NumbersAreThePapers) {
  EXPECT_EQ(published(cell_of(kIfdPeak)), (PublishedValue{.80, .01}));
  EXPECT_EQ(published(cell_of(kPopQi)), (PublishedValue{.74, .01}));
  EXPECT_EQ(published_table1(DataName("ham"), "variable", kOod, kIfdPeak, kAurdac),
            (PublishedValue{.69, .09}));
  EXPECT_EQ(published_table1(DataName("organ"), "stable", kId, kMultiExpert, kAurdac),
            (PublishedValue{.76, .02}));
  EXPECT_EQ(published_table1(DataName("imagenet16h"), "noise=125", kOod, kPopQc, kAursac),
            (PublishedValue{.61, .02}));
  EXPECT_FALSE(published_table1(DataName("ham"), "variable", kOod, kMultiExpert, kAursac));
  EXPECT_FALSE(published(cell_of(kIfdPeak, kSeen)));
  EXPECT_FALSE(published(cell_of(kPlugIn)));
  Cell logit = cell_of(kIfdPeak);
  logit.scale = kLogit;
  EXPECT_FALSE(published(logit));
  EXPECT_EQ(published_ablation(DataName("blood"), kIfdPeakMean, kAursac),
            (PublishedValue{.669, .027}));
  EXPECT_FALSE(published_ablation(DataName("blood"), kModel, kAurdac));
  EXPECT_EQ(published_prior_threshold(30), 320);
  EXPECT_FALSE(published_prior_threshold(20));
}

}  // namespace
}  // namespace ifd::experiments
