#include "experiments/jobs/scorer_pair.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "tests/invented_sleep.h"

namespace ifd::experiments {
namespace {

using testing::Each;
using testing::ElementsAre;

TEST(ScorerPairs, AreEveryTwoOfThem) {
  const SleepScorers scorers = invented_sleep();
  const auto all = scorer_pairs(scorers, 100);
  ASSERT_EQ(all.size(), 10u);
  EXPECT_EQ(all.front().second, 1u);
  EXPECT_EQ(all.back().first, 3u);
  EXPECT_EQ(scorer_pairs(scorers, 2).size(), 2u);
}

// By hand: of three, two agree or nobody does.
TEST(PairOnDuty, TheOtherThreeAreTheTruth) {
  const SleepScorers scorers = invented_sleep();
  const PairOnDuty pair = pair_on_duty(scorers, {1, 3});
  EXPECT_EQ(pair.name, "scorer2+scorer4");
  std::size_t with_truth = 0;
  const CaseIndex test(pair.test.cases), past(pair.past.cases);
  for (std::size_t row = 0; row < scorers.epochs.size(); ++row) {
    const auto said = [&](std::size_t j) { return scorers.answers.at(case_id(row), expert_id(j)); };
    std::optional<Answer> truth;
    if (said(0) == said(2) || said(0) == said(4)) truth = said(0);
    if (said(2) == said(4)) truth = said(2);
    const bool is_past = scorers.recordings[row] < scorers.first_of_test();
    const std::string name = scorers.epochs.case_name(row);
    EXPECT_FALSE((is_past ? test : past).find(name));
    const auto found = (is_past ? past : test).find(name);
    ASSERT_EQ(found.has_value(), truth.has_value()) << name;
    if (!truth) continue;
    ++with_truth;
    const ScoredEpochs& epochs = is_past ? pair.past : pair.test;
    EXPECT_TRUE(truth->is(epochs.cases.label(*found)));
    EXPECT_EQ(epochs.answers.at(case_id(*found), expert_id(1)), said(3));
    EXPECT_EQ(epochs.recordings[*found], scorers.recordings[row]);
  }
  EXPECT_LT(with_truth, scorers.epochs.size());  // some epochs have no majority
}

TEST(PairContext, HasSoManyOfEachClassOrEverything) {
  const PairOnDuty pair = pair_on_duty(invented_sleep(), {0, 1});
  const PairContext few = pair_context(pair, 4, Key(1));
  ASSERT_EQ(few.contexts.size(), 2u);
  std::vector<int> of_class(5, 0);
  for (const ContextRow& row : few.contexts[0].rows) ++of_class[index(row.truth)];
  EXPECT_THAT(of_class, Each(4));
  EXPECT_EQ(few.cases.size(), 20u);
  EXPECT_EQ(pair_context(pair, std::nullopt, Key(1)).cases.size(), pair.past.cases.size());
}

// Whoever is on duty has no context in the lesson, and no later recording is in it.
TEST(PanelLesson, KnowsNeitherThePairNorTheTestRecordings) {
  const SleepScorers scorers = invented_sleep();
  const PanelLesson lesson = panel_lesson(scorers, {0, 2}, Key(3));
  EXPECT_THAT(lesson.training_answers.expert_names(), ElementsAre("scorer2", "scorer4", "scorer5"));
  ASSERT_EQ(lesson.contexts.size(), 3u);
  EXPECT_EQ(lesson.contexts[1].expert, "scorer4");
  const auto recordings_of = [&](const Predictions& cases) {
    const CaseIndex rows(scorers.epochs);
    std::set<std::size_t> found;
    for (const std::string& name : cases.case_names()) {
      found.insert(scorers.recordings[*rows.find(name)]);
    }
    return found;
  };
  EXPECT_THAT(recordings_of(lesson.training), ElementsAre(0, 1));
  EXPECT_THAT(recordings_of(lesson.validation), ElementsAre(2));
}

// By hand: the class that most of the other four name, for each of the panel. 3 against 2 is a tie
// for those of the three.
TEST(PanelLesson, ATruthIsTheOtherFoursForEachOfThePanel) {
  SleepScorers scorers = invented_sleep();
  const auto set = [&](std::size_t row, std::array<std::size_t, 5> stages) {
    for (std::size_t j = 0; j < 5; ++j) {
      scorers.answers.set(case_id(row), expert_id(j), class_id(stages[j]));
    }
  };
  set(0, {1, 1, 1, 1, 4});
  set(1, {2, 2, 2, 4, 4});
  set(2, {3, 3, 3, 1, 4});
  const PanelLesson lesson = panel_lesson(scorers, {0, 1}, Key(3));
  const CaseIndex rows(lesson.training);
  const auto truth = [&](std::size_t row) { return rows.find(scorers.epochs.case_name(row)); };
  ASSERT_TRUE(truth(0));
  EXPECT_EQ(lesson.training.label(*truth(0)), class_id(1));
  EXPECT_FALSE(truth(1));
  ASSERT_TRUE(truth(2));
  EXPECT_EQ(lesson.training.label(*truth(2)), class_id(3));
}

// One answer that is missing would leave each of the panel a context of cases of their own.
TEST(PanelLesson, EachOfThePanelScoredEveryEpoch) {
  SleepScorers scorers = invented_sleep();
  for (const std::size_t row : {0U, 250U, 450U}) {
    for (std::size_t j = 0; j < 5; ++j)
      scorers.answers.set(case_id(row), expert_id(j), class_id(1));
  }
  const auto has = [&](std::size_t row) {
    const PanelLesson lesson = panel_lesson(scorers, {0, 1}, Key(3));
    const std::string name = scorers.epochs.case_name(row);
    return CaseIndex(lesson.training).find(name) || CaseIndex(lesson.validation).find(name);
  };
  for (const std::size_t row : {0U, 250U, 450U}) EXPECT_TRUE(has(row));
  scorers.answers.set(case_id(0), expert_id(0), Answer::missing());    // on duty
  scorers.answers.set(case_id(250), expert_id(4), Answer::missing());  // of the panel
  scorers.answers.set(case_id(450), expert_id(2), Answer::missing());
  EXPECT_TRUE(has(0));
  EXPECT_FALSE(has(250));
  EXPECT_FALSE(has(450));
}

}  // namespace
}  // namespace ifd::experiments
