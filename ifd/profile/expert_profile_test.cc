#include "ifd/profile/expert_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ifd/error.h"

namespace ifd {
namespace {

using testing::ElementsAre;

ExpertContext context(std::vector<std::pair<int, int>> truth_and_answer) {
  ExpertContext made{"e", {}};
  for (const auto& [truth, answer] : truth_and_answer) {
    made.rows.push_back({"c", ClassId{truth}, answer < 0 ? Answer::outside() : ClassId{answer}});
  }
  return made;
}

// n_y counts the truth's class, t_y the right answers in it (paper, Section 4.1), by hand.
TEST(ExpertProfile, CountsByTrueClass) {
  ExpertProfile profile(3);
  profile.observe(context({{0, 0}, {0, 1}, {1, 1}, {1, 1}, {2, 0}, {2, -1}}));
  EXPECT_EQ(profile.at(ClassId{0}).answers(), 2u);
  EXPECT_EQ(profile.at(ClassId{0}).correct(), 1u);
  EXPECT_EQ(profile.at(ClassId{1}).correct(), 2u);
  EXPECT_EQ(profile.at(ClassId{2}).answers(), 2u);
  EXPECT_EQ(profile.at(ClassId{2}).correct(), 0u);
  EXPECT_EQ(profile.outside(), 1u);
  EXPECT_THAT(profile.means(), ElementsAre(2 / 4.0, 3 / 4.0, 1 / 4.0));
  EXPECT_THAT(profile.best_classes(), ElementsAre(ClassId{1}));
  EXPECT_DOUBLE_EQ(profile.average_mean(), .5);
}

// As of a router, which gives its profiles by value.
TEST(ExpertProfile, ThatIsAboutToGoGivesCopies) {
  const auto made = [] {
    ExpertProfile profile(2);
    profile.observe(context({{0, 0}}));
    return profile;
  };
  const auto means = made().means(), variances = made().variances();
  const auto best = made().best_classes();
  const auto& first = made().at(ClassId{0});
  EXPECT_THAT(means, ElementsAre(2 / 3.0, 1 / 2.0));
  EXPECT_THAT(variances, ElementsAre(testing::DoubleEq(1 / 18.0), testing::DoubleEq(1 / 12.0)));
  EXPECT_THAT(best, ElementsAre(ClassId{0}));
  EXPECT_EQ(first.correct(), 1u);
}

// Among equal means the surer class is better; equal in both, the classes share the place.
TEST(ExpertProfile, BestClassesShareMeanAndVariance) {
  EXPECT_THAT(ExpertProfile(3).best_classes(), ElementsAre(ClassId{0}, ClassId{1}, ClassId{2}));
  ExpertProfile surer(3);
  surer.observe(context({{1, 1}, {1, 0}, {2, 2}, {2, 0}}));  // means .5 .5 .5, fewer doubts in 1, 2
  EXPECT_THAT(surer.best_classes(), ElementsAre(ClassId{1}, ClassId{2}));
}

TEST(ExpertProfile, OneByOneEqualsAllAtOnceEqualsMerged) {
  const auto first = context({{0, 0}, {1, 0}, {2, 2}});
  const auto second = context({{0, 1}, {2, 2}, {1, -1}});
  ExpertProfile one_by_one(3), merged(3), other(3);
  for (const auto* part : {&second, &first}) {
    for (const ContextRow& row : part->rows)
      one_by_one.observe({.truth = row.truth, .answer = row.answer});
  }
  merged.observe(first);
  other.observe(second);
  merged.merge(other);
  EXPECT_EQ(one_by_one, merged);
  EXPECT_THAT(one_by_one.means(), testing::ElementsAreArray(merged.means()));
  EXPECT_EQ(one_by_one.outside(), merged.outside());
  EXPECT_THROW(merged.merge(ExpertProfile(4)), Error);
}

}  // namespace
}  // namespace ifd
