#include "experiments/claims/rival_wins.h"

#include <gtest/gtest.h>

#include "tests/invented_results.h"

namespace ifd::experiments {
namespace {

Invention where_pop_loses() {
  Invention of;
  of.cohorts = 3;
  of.noise = 0;
  return of;
}

TEST(RivalWins, AreFoundWhereTheIntervalLiesAboveZero) {
  Invention of = where_pop_loses();
  const RivalWins none = rival_wins(Summary(invent(of).rows()), kPlugIn);
  EXPECT_GT(none.places, 20U);
  for (const RivalWin& win : none.wins) EXPECT_GT(win.difference.mean.interval->low, 0);

  of.level[kPopQc] = of.level[kPlugIn] + .03;
  const RivalWins some = rival_wins(Summary(invent(of).rows()), kPlugIn);
  EXPECT_EQ(some.places, none.places);
  ASSERT_GT(some.wins.size(), none.wins.size());
  EXPECT_EQ(some.wins.front().rival, kPopQc);
  EXPECT_FALSE(some.wins.front().where.empty());
  for (std::size_t i = 1; i < some.wins.size(); ++i) {
    EXPECT_GE(some.wins[i - 1].difference.mean.value, some.wins[i].difference.mean.value);
  }
}

// One cohort has no interval, and shows nothing.
TEST(RivalWins, NeedCohorts) {
  Invention of = where_pop_loses();
  of.cohorts = 1;
  of.level[kPopQc] = .99;
  EXPECT_TRUE(rival_wins(Summary(invent(of).rows()), kIfdPeak).wins.empty());
}

}  // namespace
}  // namespace ifd::experiments
