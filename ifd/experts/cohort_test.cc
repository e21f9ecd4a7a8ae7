#include "ifd/experts/cohort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "ifd/error.h"

namespace ifd {
namespace {

Predictions labelled(std::size_t cases, std::size_t classes) {
  Predictions::Parts parts{ClassNames::numbered(classes), {}, {}, {}, {}, 0};
  for (std::size_t i = 0; i < cases; ++i) {
    parts.cases.push_back("case " + std::to_string(i));
    parts.labels.push_back(class_id(i % classes));
  }
  parts.probabilities.assign(cases * classes, 1.0f / static_cast<float>(classes));
  return Predictions(std::move(parts));
}

TEST(Cohort, PartitionsTheClasses) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Cohort cohort = draw_cohort(7, 3, seed);
    EXPECT_EQ(cohort.id_specialties.size(), 3u);
    EXPECT_EQ(cohort.ood_specialties.size(), 4u);
    std::set<ClassId> all(cohort.id_specialties.begin(), cohort.id_specialties.end());
    all.insert(cohort.ood_specialties.begin(), cohort.ood_specialties.end());
    EXPECT_EQ(all.size(), 7u);
    EXPECT_EQ(cohort, draw_cohort(7, 3, seed));
  }
}

// Each class is a specialty in n_id / K of the cohorts, within five standard errors.
TEST(Cohort, EveryClassIsEquallyLikely) {
  std::vector<double> count(7, 0);
  for (std::uint64_t seed = 0; seed < 7000; ++seed) {
    for (const ClassId id : draw_cohort(7, 3, seed).id_specialties) ++count[index(id)];
  }
  for (const double c : count) EXPECT_NEAR(c, 3000, 5 * std::sqrt(7000 * 3 / 7.0 * 4 / 7.0));
}

TEST(Cohort, RefusesSizesThatAreNone) {
  EXPECT_THROW(draw_cohort(7, 0, 1), Error);
  EXPECT_THROW(draw_cohort(7, 8, 1), Error);
  EXPECT_TRUE(draw_cohort(7, 7, 1).ood_specialties.empty());
}

TEST(ContextRows, AreDrawnByNameAndEquallyFromEveryClass) {
  const Predictions cases = labelled(90, 3);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto rows = sample_context_rows(cases, 15, Key(seed));
    ASSERT_EQ(rows.size(), 45u);
    EXPECT_EQ(std::set<std::size_t>(rows.begin(), rows.end()).size(), 45u);
    std::vector<std::size_t> by_class(3, 0);
    for (const std::size_t row : rows) ++by_class[index(cases.label(row))];
    EXPECT_EQ(by_class, std::vector<std::size_t>(3, 15));

    std::vector<std::size_t> backwards(90);
    std::iota(backwards.rbegin(), backwards.rend(), 0);
    const Predictions reversed = cases.subset(backwards);
    const auto again = sample_context_rows(reversed, 15, Key(seed));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(reversed.case_name(again[i]), cases.case_name(rows[i]));
    }
    const std::set<std::size_t> larger(rows.begin(), rows.end());
    for (const std::size_t row : sample_context_rows(cases, 5, Key(seed))) {
      EXPECT_TRUE(larger.contains(row));
    }
  }
}

TEST(ContextRows, AClassWithTooFewCasesIsNamed) {
  try {
    sample_context_rows(labelled(44, 3), 15, Key(1));
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "class '2' has 14 case(s) for a context; expected at least 15");
  }
}

TEST(ContextRows, TheOthersAreTheRest) {
  const std::vector<std::size_t> rows = {4, 0, 4};
  EXPECT_EQ(other_rows(6, rows), (std::vector<std::size_t>{1, 2, 3, 5}));
  EXPECT_EQ(other_rows(2, {}), (std::vector<std::size_t>{0, 1}));
  EXPECT_THROW(other_rows(4, rows), Error);
}

TEST(Contexts, HoldTruthAndAnswerOfTheGivenRows) {
  const Predictions cases = labelled(6, 3);
  AnswerTable answers({"e", "f"}, 6);
  answers.set(case_id(4), expert_id(0), ClassId{2});
  answers.set(case_id(1), expert_id(0), Answer::outside());
  answers.set(case_id(4), expert_id(1), ClassId{1});
  const std::vector<std::size_t> rows{4, 1};
  const auto contexts = contexts_from_answers(answers, cases, rows);
  ASSERT_EQ(contexts.size(), 2u);
  EXPECT_EQ(contexts[0].expert, "e");
  ASSERT_EQ(contexts[0].rows.size(), 2u);
  EXPECT_EQ(contexts[0].rows[0].case_name, "case 4");
  EXPECT_EQ(contexts[0].rows[0].truth, ClassId{1});
  EXPECT_EQ(contexts[0].rows[0].answer, Answer(ClassId{2}));
  EXPECT_TRUE(contexts[0].rows[1].answer.is_outside());
  EXPECT_EQ(contexts[1].rows.size(), 1u);  // f gave no answer on case 1
  EXPECT_THROW(contexts_from_answers(AnswerTable({"e"}, 5), cases, rows), Error);
}

}  // namespace
}  // namespace ifd
