#include "ifd/evaluation/coverage.h"

#include <gtest/gtest.h>

#include "ifd/random/keyed_random.h"

namespace ifd {
namespace {

TEST(Coverage, CountsWhatSomebodyOnDutyAnswered) {
  AnswerTable answers({"ann", "bob"}, 4);
  answers.set(case_id(0), expert_id(0), Answer(class_id(0)));
  answers.set(case_id(1), expert_id(0), Answer::outside());
  answers.set(case_id(1), expert_id(1), Answer(class_id(1)));
  answers.set(case_id(2), expert_id(1), Answer(class_id(1)));
  Availability on_duty(2);
  const Coverage all = coverage(answers, on_duty);
  EXPECT_EQ(all.reachable_cases, 3u);
  EXPECT_EQ(all.of_experts, (std::vector<double>{.5, .5}));
  on_duty.set_on_duty(expert_id(0), false);
  const Coverage some = coverage(answers, on_duty);
  EXPECT_EQ(some.reachable_cases, 2u);
  EXPECT_EQ(some.of_experts, (std::vector<double>{0, .5}));
}

// Cases that nobody could take, thrown among the others, change nothing about the areas over the
// others, whatever the model does on them; nor do they leave empty groups behind.
TEST(Coverage, AreasOverReachableCasesAreThoseWithoutTheRest) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key(seed);
    Replay full, kept;
    std::vector<std::uint32_t> groups;
    for (std::size_t i = 0; i < 60; ++i) {
      const bool reachable = key.with("reachable").with(i).uniform() < .5 || i == 0;
      const CaseOutcome outcome{credit_if(key.with("model").with(i).uniform() < .5),
                                credit_if(key.with("expert").with(i).uniform() < .8)};
      const double margin = reachable ? key.with("margin").with(i).uniform() : kNeverDefer;
      full.margins.margin.push_back(margin);
      full.margins.expert.push_back(reachable ? expert_id(0) : kNobody);
      full.outcomes.push_back(outcome);
      groups.push_back(static_cast<std::uint32_t>(i));
      if (!reachable) continue;
      kept.margins.margin.push_back(margin);
      kept.margins.expert.push_back(expert_id(0));
      kept.outcomes.push_back(outcome);
    }
    BootstrapOptions options{20, .95, .1, .9};
    options.groups = groups;
    const auto areas = reachable_areas(full, key, options);
    ASSERT_TRUE(areas.has_value());
    EXPECT_EQ(areas->aursac, kept.curve().aursac(.1, .9));
    EXPECT_EQ(areas->aurdac, *kept.curve().aurdac(.1, .9));
    // A group for each case is the bootstrap over cases.
    options.groups = {};
    const CurveEstimates expected = bootstrap({kept.margins.margin, kept.outcomes}, key, options);
    EXPECT_EQ(areas->intervals->aursac.interval.low, expected.aursac.interval.low);
    EXPECT_EQ(areas->intervals->aursac.interval.high, expected.aursac.interval.high);
    EXPECT_FALSE(reachable_areas(kept, key, options).has_value());
  }
}

}  // namespace
}  // namespace ifd
