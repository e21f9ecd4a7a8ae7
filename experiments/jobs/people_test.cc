#include "experiments/jobs/people.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "experiments/jobs/workshop.h"
#include "experiments/result/labels.h"
#include "tests/scratch_directory.h"

namespace ifd::experiments {
namespace {

AnnotationSet twenty_people() {
  AnnotationSet set{ClassNames({"dog", "cat"}), {}};
  for (int i = 0; i < 20; ++i) {
    const std::string name = "p" + std::to_string(i);
    set.rows.push_back({name, "a", ClassId{0}, 80, ClassId{0}});
    set.rows.push_back({name, "b", ClassId{1}, i % 2 == 0 ? 80 : 95, ClassId{0}});
  }
  return set;
}

// Everybody is on duty in exactly one cohort, and among the others in all the rest.
TEST(People, CohortsShareNobody) {
  const AnnotationSet set = twenty_people();
  std::multiset<std::string> on_duty;
  for (std::size_t cohort = 0; cohort < kPeopleCohorts; ++cohort) {
    const LeftOut who = left_out(set, cohort, 7);
    EXPECT_EQ(who.on_duty.size() + who.others.size(), 20u);
    std::set<std::string> all(who.others.begin(), who.others.end());
    all.insert(who.on_duty.begin(), who.on_duty.end());
    EXPECT_EQ(all.size(), 20u);
    EXPECT_GE(who.on_duty.size(), 3u);
    on_duty.insert(who.on_duty.begin(), who.on_duty.end());
  }
  EXPECT_EQ(on_duty.size(), 20u);
  EXPECT_EQ(std::set<std::string>(on_duty.begin(), on_duty.end()).size(), 20u);
}

// An answer stands where it was given, at its noise level, and is missing everywhere else.
TEST(People, AnswersAreThoseGivenAtTheLevel) {
  const Predictions pictures({ClassNames({"dog", "cat"}),
                              {"b", "a"},
                              {.5F, .5F, .5F, .5F},
                              {ClassId{1}, ClassId{0}},
                              {},
                              0});
  const AnswerTable answers = answers_as_given(twenty_people(), {"p3", "p4"}, pictures, 80);
  EXPECT_TRUE(answers.at(case_id(0), expert_id(0)).is_missing());  // p3 saw b at noise 95
  EXPECT_TRUE(answers.at(case_id(0), expert_id(1)).is(ClassId{0}));
  EXPECT_TRUE(answers.at(case_id(1), expert_id(0)).is(ClassId{0}));
  EXPECT_TRUE(answers.at(case_id(1), expert_id(1)).is(ClassId{0}));
}

// 60 people answer a third of 90 pictures each, at every level; half of them are good at class 0
// and half at class 1.
RealAnnotators sixty_people() {
  const ClassNames classes({"dog", "cat", "bear"});
  RealAnnotators people{AnnotationSet{classes, {}}};
  Predictions::Parts parts{classes, {}, {}, {}, {}, 3};
  for (std::size_t i = 0; i < 90; ++i) {
    parts.cases.push_back("picture " + std::to_string(i));
    parts.labels.push_back(class_id(i % 3));
    const Key key = Key(5).with(i);
    const float p[] = {.5F, .3F, .2F};
    const std::size_t turn = key.below(3);
    for (std::size_t k = 0; k < 3; ++k) parts.probabilities.push_back(p[(k + turn) % 3]);
    for (std::size_t k = 0; k < 3; ++k) parts.features.push_back(static_cast<float>(key.normal(k)));
    for (std::size_t j = 0; j < 60; ++j) {
      const Key answer = key.with(j);
      if (answer.uniform(0) > .33) continue;
      const bool right = answer.uniform(1) < (i % 3 == j % 2 ? .95 : .45);
      for (const int noise : kNoiseLevels) {
        people.annotations.rows.push_back({"p" + std::to_string(j), parts.cases.back(),
                                           class_id(i % 3), noise,
                                           class_id(right ? i % 3 : (i + 1) % 3)});
      }
    }
  }
  for (std::size_t level = 0; level < std::size(kNoiseLevels); ++level) {
    people.predictions.emplace_back(parts);
  }
  people.hash = "sixty";
  return people;
}

// Every method decides at every level, whoever is missing: nobody is better than the oracle, and
// asking is better than not to. The same answers at every level are the same numbers.
TEST(People, EverybodyTakesPartWithTheAnswersThereAre) {
  const ScratchDirectory scratch;
  Workshop workshop(scratch.path(), "test");
  const RealAnnotators people = sixty_people();
  Effort effort;
  effort.cohorts = 1;
  effort.epochs = 2;
  std::map<Cell, ResultRow> found;
  for (const Job& job : people_jobs(people, effort)) {
    for (const ResultRow& row : job.run(workshop).rows) found[row] = row;
  }
  for (const MethodName& method :
       {kIfdPeak, kIfdExpected, kIfdResidual, kPopQi, kPopQc, kPlugIn, kPlugInStaffPrior,
        kPlugInCombined, kStaffPriorCombined, kPeakRule, kConfidence, kConformal, kOracle}) {
    for (const int noise : kNoiseLevels) {
      Cell cell{.experiment = kPeopleAsTheyAre,
                .data = kImageNet16HData,
                .experts = kEverydayPeople,
                .group = kEverybody,
                .method = method,
                .setting = at_noise(noise),
                .scale = kProbability,
                .measure = kAursac};
      SCOPED_TRACE(to_text(cell));
      const ResultRow& area = found.at(cell);
      EXPECT_FALSE(area.replicates.empty());
      cell.setting = at_noise(80);
      EXPECT_EQ(area.value, found.at(cell).value);
      if (method != kPlugInCombined && method != kStaffPriorCombined) {
        cell.method = kOracle;
        EXPECT_LE(area.value, found.at(cell).value);
      }
      cell.method = method;
      cell.measure = kModelAlone;
      EXPECT_GT(area.value, found.at(cell).value);
    }
  }
  // A temperature changes no answer of the model, and who is asked first.
  Cell cell{.experiment = kPeopleAsTheyAre,
            .data = kImageNet16HData,
            .experts = kEverydayPeople,
            .group = kEverybody,
            .scale = kProbability};
  for (const MethodName& method :
       {kPlugIn, kPlugInStaffPrior, kPlugInCombined, kStaffPriorCombined}) {
    const auto at = [&](GivenClassifier given, const MeasureName& measure) {
      cell.method = method;
      cell.setting = at_noise(95, given);
      cell.measure = measure;
      return found.at(cell).value;
    };
    EXPECT_EQ(at(GivenClassifier::kTemperature, kModelAlone),
              at(GivenClassifier::kRaw, kModelAlone));
    EXPECT_NE(at(GivenClassifier::kTemperature, kAursac), at(GivenClassifier::kRaw, kAursac));
    EXPECT_NE(at(GivenClassifier::kBias, kAursac), at(GivenClassifier::kRaw, kAursac));
  }
}

}  // namespace
}  // namespace ifd::experiments
