#include "ifd/router/watch_chart.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ifd {
namespace {

// A line crosses the one of the alarm at the answer with which something is found, and not before;
// it ends with the expert's p. Who came later is there, who has no new answers is not.
TEST(WatchChart, CrossesTheLineWhereSomethingIsFound) {
  const ClassId cat{0}, dog{1};
  const std::vector<AnswerCount> known = {{cat, Answer(cat), 40}, {dog, Answer(dog), 40}};
  Watch watch(2, std::vector<OldAnswers>{{"ann", known}, {"bob", known}, {"idle", known}});
  for (int i = 0; i < 900; ++i) {
    const ClassId truth = i % 2 == 0 ? cat : dog;
    watch.observe("ann", {.truth = truth, .answer = Answer(i < 300 ? truth : cat)});
    watch.observe("bob", {.truth = truth, .answer = Answer(truth)});
    if (i < 7) watch.observe("zoe", {.truth = truth, .answer = Answer(truth)});
  }
  const LineChart chart = watch_chart(watch);
  ASSERT_EQ(chart.series.size(), 4u);
  const auto& [ann, bob, zoe, line] =
      std::tie(chart.series[0], chart.series[1], chart.series[2], chart.series[3]);
  EXPECT_EQ(ann.name, "ann");
  EXPECT_EQ(zoe.name, "zoe");
  EXPECT_EQ(zoe.x.back(), 7);
  const double alarm = line.y.front();
  EXPECT_DOUBLE_EQ(alarm, -std::log10(.05));
  const auto findings = watch.findings("ann");
  ASSERT_FALSE(findings.empty());
  EXPECT_GT(findings.front().found_at, 300u);
  for (std::size_t i = 0; i < ann.x.size(); ++i) {
    EXPECT_EQ(ann.y[i] >= alarm, ann.x[i] >= static_cast<double>(findings.front().found_at))
        << ann.x[i];
  }
  EXPECT_LT(bob.y.back(), alarm);
  EXPECT_LT(watch.standing(0).p, 1e-6);
  EXPECT_EQ(ann.y.back(), kMostEvidenceDrawn);
  EXPECT_EQ(zoe.y.back(), 0 - std::log10(watch.standing(3).p));
  EXPECT_EQ(ann.x.back(), 900);
}

}  // namespace
}  // namespace ifd
