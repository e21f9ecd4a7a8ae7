#include "ifd/data/answers_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "ifd/random/keyed_random.h"
#include "tests/refusal.h"
#include "tests/scratch_directory.h"

namespace ifd {
namespace {

using testing::ElementsAre;

const ClassNames kClasses({"cat", "dog"});
constexpr ClassId kCat{0};
constexpr ClassId kDog{1};

Predictions predictions(std::vector<std::string> cases, std::vector<ClassId> labels = {}) {
  std::vector<float> probabilities(2 * cases.size(), 0.5F);
  return Predictions(
      {kClasses, std::move(cases), std::move(probabilities), std::move(labels), {}, 0});
}

std::vector<ExpertContext> contexts(const std::string& text,
                                    const Predictions* labelled = nullptr) {
  return contexts_from_bytes(text, "c.csv", kClasses, labelled);
}

AnswersFile answers(const std::string& text, const Predictions& p) {
  return answers_from_bytes(text, "a.csv", p);
}

TEST(AnswersFile, ContextsKeepTheOrderOfTheFile) {
  const auto read = contexts(
      "when,expert,case,truth,answer\n1,Eva,x,cat,dog\n2,Bo,x,cat,cat\n3,Eva,y,dog,\n4,Eva,z,dog,"
      "bird\n");
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].expert, "Eva");
  ASSERT_EQ(read[0].rows.size(), 3u);
  EXPECT_EQ(read[0].rows[0].case_name, "x");
  EXPECT_EQ(read[0].rows[0].truth, kCat);
  EXPECT_TRUE(read[0].rows[0].answer.is(kDog));
  EXPECT_TRUE(read[0].rows[1].answer.is_outside());
  EXPECT_TRUE(read[0].rows[2].answer.is_outside());
  EXPECT_EQ(read[1].expert, "Bo");
  ASSERT_EQ(read[1].rows.size(), 1u);
  EXPECT_TRUE(read[1].rows[0].answer.is(kCat));
  EXPECT_EQ(count_outside(read), 2u);
}

// The truth of a case may come from its label or from any row on the case, before or after.
TEST(AnswersFile, TruthsComeFromColumnOrLabel) {
  const Predictions labelled = predictions({"x", "y"}, {kCat, kDog});
  for (const std::string text : {"expert,case,answer\nEva,y,cat\nEva,x,cat\n",
                                 "expert,case,answer,truth\nEva,y,cat,\nEva,x,cat,cat\n",
                                 "expert,case,answer,truth\nEva,y,cat,dog\nEva,x,cat,\n"}) {
    const auto read = contexts(text, &labelled);
    EXPECT_EQ(read[0].rows[0].truth, kDog);
    EXPECT_EQ(read[0].rows[1].truth, kCat);
  }
  const auto later = contexts("expert,case,answer,truth\nEva,y,cat,\nBo,y,cat,dog\n");
  EXPECT_EQ(later[0].rows[0].truth, kDog);
  EXPECT_EQ(later[1].rows[0].truth, kDog);
}

// Labels are matched by class name, not by number.
TEST(AnswersFile, LabelsMayNumberTheClassesOtherwise) {
  const Predictions labelled(
      {ClassNames({"dog", "cat"}), {"x"}, {0.5F, 0.5F}, {ClassId{0}}, {}, 0});
  EXPECT_EQ(contexts("expert,case,answer\nEva,x,cat\n", &labelled)[0].rows[0].truth, kDog);
  const Predictions other({ClassNames({"dog", "cow"}), {"x"}, {0.5F, 0.5F}, {ClassId{1}}, {}, 0});
  EXPECT_EQ(refusal([&] { contexts("expert,case,answer\nEva,x,cat\n", &other); }),
            "the label 'cow' of case 'x' is not a class; expected cat, dog");
}

TEST(AnswersFile, SaysWhatIsWrongWithContexts) {
  const Predictions labelled = predictions({"x"}, {kCat});
  const std::vector<std::pair<std::string, std::string>> table{
      {"expert,case,answer,truth\n", "c.csv: no rows; expected at least one answer"},
      {"expert,case\nEva,x\n", "c.csv:1: no column 'answer'; found expert, case"},
      {"expert,case,answer\nEva,x,cat\nEva,y,cat\n",
       "c.csv:3: no truth for case 'y'; expected a column 'truth' or a label of the case"},
      {"expert,case,answer,truth\nEva,y,cat,\n",
       "c.csv:2: no truth for case 'y'; expected one in column 'truth' or as a label of the case"},
      {"expert,case,answer,truth\nEva,y,cat,9\n",
       "c.csv:2: truth '9' is not a class; expected cat, dog"},
      {"expert,case,answer,truth\nEva,x,cat,dog\n",
       "c.csv:2: truth 'dog' for case 'x', but the case's label is 'cat'; expected the same"},
      {"expert,case,answer,truth\nEva,y,cat,dog\nBo,y,cat,cat\n",
       "c.csv:3: truth 'cat' for case 'y', but line 2 says 'dog'; expected the same"},
      {"expert,case,answer,truth\nEva,y,cat,dog\nBo,y,cat,dog\n\nEva,y,cat,dog\n",
       "c.csv:5: expert 'Eva' answers case 'y' a second time, after line 2; expected one answer"},
      {"expert,case,answer,truth\n,y,cat,dog\n", "c.csv:2: the expert has no name; expected one"},
      {"expert,case,answer,truth\nEva,,cat,dog\n", "c.csv:2: the case has no name; expected one"},
  };
  for (const auto& [text, message] : table) {
    EXPECT_EQ(refusal([&] { contexts(text, &labelled); }), message) << text;
  }
}

// Two cases without names: the rows 0 and 1.
Predictions numbered(std::vector<ClassId> labels = {}) {
  return Predictions({kClasses, {}, {0.5F, 0.5F, 0.5F, 0.5F}, std::move(labels), {}, 0});
}

std::vector<ExpertContext> beside(const std::string& text, const Predictions& decided) {
  return contexts_beside_from_bytes(text, "c.csv", decided);
}

// Names mean the same in both files, so a label is a truth, and must not be contradicted.
TEST(AnswersFile, ContextsBesideNamedCasesAreLookedUpThere) {
  const Predictions decided = predictions({"x", "1"}, {kCat, kDog});
  EXPECT_EQ(beside("expert,case,answer\nEva,1,cat\n", decided)[0].rows[0].truth, kDog);
  for (const std::string text :
       {"expert,case,answer,truth\nEva,1,cat,cat\n", "expert,case,answer\nEva,y,cat\n"}) {
    EXPECT_EQ(refusal([&] { beside(text, decided); }), refusal([&] { contexts(text, &decided); }));
  }
}

// Row 1 of the file that a context was made from is not row 1 of the cases to decide on: whatever
// the labels there, the context is what it says itself.
TEST(AnswersFile, ContextsBesideNumberedCasesAreNotLookedUpThere) {
  const std::string text = "expert,case,answer,truth\nEva,0,cat,cat\nEva,1,cat,dog\nBo,1,dog,\n";
  for (const std::vector<ClassId>& labels : std::vector<std::vector<ClassId>>{
           {}, {kCat, kCat}, {kCat, kDog}, {kDog, kCat}, {kDog, kDog}}) {
    const auto read = beside(text, numbered(labels));
    ASSERT_EQ(read.size(), 2u);
    EXPECT_EQ(read[0].rows[0].truth, kCat);
    EXPECT_EQ(read[0].rows[1].truth, kDog);
    EXPECT_EQ(read[1].rows[0].truth, kDog);
  }
  const Predictions decided = numbered({kCat, kDog});
  EXPECT_EQ(refusal([&] { beside("expert,case,answer\nEva,1,cat\n", decided); }),
            "c.csv:2: no truth for case '1'; expected a column 'truth', since the predictions only "
            "number their cases; or --context-predictions FILE, or an array 'cases' with names in "
            "the NPZ");
  EXPECT_EQ(refusal([&] { beside("expert,case,answer,truth\nEva,1,cat,\n", decided); }),
            "c.csv:2: no truth for case '1'; expected one in column 'truth', since the predictions "
            "only number their cases; or --context-predictions FILE, or an array 'cases' with "
            "names in the NPZ");
  EXPECT_EQ(refusal([&] { require_case_names(decided, "p.npz"); }),
            "p.npz: only numbers its cases, so which of them are the context's is not known; "
            "expected --context-predictions FILE, or an array 'cases' with names in the NPZ");
  EXPECT_EQ(refusal([&] { require_case_names(predictions({"0", "1"}), "p.npz"); }), "");
}

// Predictions that are said to be the context's own are, by row number too; so are those that the
// answers are on.
TEST(AnswersFile, NumbersAreNamesInTheFileTheyBelongTo) {
  const Predictions own = numbered({kCat, kDog});
  const auto read = contexts("expert,case,answer\nEva,1,cat\nEva,0,cat\n", &own);
  EXPECT_EQ(read[0].rows[0].truth, kDog);
  EXPECT_EQ(read[0].rows[1].truth, kCat);
  EXPECT_TRUE(
      answers("expert,case,answer\nEva,1,cat\n", own).table.at(case_id(1), expert_id(0)).is(kCat));
  const std::string conflict = "expert,case,answer,truth\nEva,1,cat,cat\n";
  const std::string message =
      ".csv:2: truth 'cat' for case '1', but the label of that row is 'dog'; expected the same, or "
      "names of the cases in an array 'cases' of the predictions";
  EXPECT_EQ(refusal([&] { contexts(conflict, &own); }), "c" + message);
  EXPECT_EQ(refusal([&] { answers(conflict, own); }), "a" + message);
}

TEST(AnswersFile, AnswersLineUpWithThePredictions) {
  const AnswersFile file =
      answers("expert,case,answer\nAnn,q,cat\nEva,y,dog\nBo,x,bird\nEva,z,cat\nBo,q,cat\n",
              predictions({"x", "y", "z"}));
  EXPECT_THAT(file.table.expert_names(), ElementsAre("Eva", "Bo"));
  EXPECT_EQ(file.table.cases(), 3u);
  EXPECT_TRUE(file.table.at(case_id(0), expert_id(0)).is_missing());
  EXPECT_TRUE(file.table.at(case_id(0), expert_id(1)).is_outside());
  EXPECT_TRUE(file.table.at(case_id(1), expert_id(0)).is(kDog));
  EXPECT_TRUE(file.table.at(case_id(2), expert_id(0)).is(kCat));
  EXPECT_TRUE(file.table.at(case_id(2), expert_id(1)).is_missing());
  EXPECT_EQ(file.unused, 2u);
  EXPECT_EQ(file.outside, 1u);
  EXPECT_TRUE(file.truths.empty());
}

TEST(AnswersFile, TruthsAreThereOnlyIfAllAreKnown) {
  const std::string x_only = "expert,case,answer,truth\nEva,x,dog,cat\nEva,y,dog,\n";
  const std::string both = "expert,case,answer,truth\nEva,x,dog,cat\nEva,y,dog,dog\n";
  EXPECT_THAT(answers(x_only, predictions({"x", "y"})).truths, ElementsAre());
  EXPECT_THAT(answers(both, predictions({"x", "y"})).truths, ElementsAre(kCat, kDog));
  EXPECT_THAT(answers(x_only, predictions({"y", "x"}, {kDog, kCat})).truths,
              ElementsAre(kDog, kCat));
}

TEST(AnswersFile, SaysWhatIsWrongWithAnswers) {
  const Predictions p = predictions({"x", "y"}, {kCat, kDog});
  const std::vector<std::pair<std::string, std::string>> table{
      {"expert,case,answer\n", "a.csv: no rows; expected at least one answer"},
      {"expert,case,answer\nEva,1,cat\nEva,2,cat\n",
       "a.csv: none of the 2 rows is on a case of the predictions; expected cases such as 'x'"},
      {"expert,case,answer,truth\nEva,x,cat,dog\n",
       "a.csv:2: truth 'dog' for case 'x', but the case's label is 'cat'; expected the same"},
      {"expert,case,answer\nEva,x,cat\nEva,x,dog\n",
       "a.csv:3: expert 'Eva' answers case 'x' a second time, after line 2; expected one answer"},
      {"expert,case,answer\nEva,q,cat\nEva,x,cat\nEva,q,dog\n",
       "a.csv:4: expert 'Eva' answers case 'q' a second time, after line 2; expected one answer"},
  };
  for (const auto& [text, message] : table) {
    EXPECT_EQ(refusal([&] { answers(text, p); }), message) << text;
  }
  EXPECT_EQ(refusal_kind([&] { answers(table[2].first, p); }), ErrorKind::kConflict);
}

TEST(AnswersFile, RoundTrips) {
  const ScratchDirectory scratch;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key(seed);
    const std::size_t n = 1 + key.with("n").below(20);
    const std::size_t experts = 1 + key.with("experts").below(5);
    std::vector<std::string> cases(n);
    std::vector<ClassId> labels(n);
    for (std::size_t i = 0; i < n; ++i) {
      cases[i] = "case, \"" + std::to_string(i);
      labels[i] = class_id(key.with("label").below(2, i));
    }
    const Predictions p = predictions(cases, labels);
    std::vector<std::string> names(experts);
    std::vector<ExpertContext> written(experts);
    for (std::size_t j = 0; j < experts; ++j) names[j] = "Dr \n" + std::to_string(j);
    AnswerTable table(names, n);
    std::size_t outside = 0;
    for (std::size_t j = 0; j < experts; ++j) {
      written[j].expert = names[j];
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t draw = key.with("answer").with(i).below(4, j);
        // Every expert needs a row, or reading would not know of the expert.
        if (draw == 3 && i > 0) continue;
        const Answer answer = draw < 2 ? Answer(class_id(draw)) : Answer::outside();
        outside += answer.is_outside() ? 1 : 0;
        table.set(case_id(i), expert_id(j), answer);
        written[j].rows.push_back({cases[i], labels[i], answer});
      }
    }
    write_answers(scratch / "a.csv", table, p);
    const AnswersFile read = read_answers(scratch / "a.csv", predictions(cases));
    EXPECT_EQ(read.table.expert_names(), names);
    EXPECT_EQ(read.outside, outside);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < experts; ++j)
        EXPECT_EQ(read.table.at(case_id(i), expert_id(j)), table.at(case_id(i), expert_id(j)));
    }
    write_contexts(scratch / "c.csv", written, kClasses);
    const auto contexts_read = read_contexts(scratch / "c.csv", kClasses);
    ASSERT_EQ(contexts_read.size(), experts);
    EXPECT_EQ(count_outside(contexts_read), outside);
    for (std::size_t j = 0; j < experts; ++j) {
      EXPECT_EQ(contexts_read[j].expert, names[j]);
      ASSERT_EQ(contexts_read[j].rows.size(), written[j].rows.size());
      for (std::size_t r = 0; r < written[j].rows.size(); ++r) {
        EXPECT_EQ(contexts_read[j].rows[r].case_name, written[j].rows[r].case_name);
        EXPECT_EQ(contexts_read[j].rows[r].truth, written[j].rows[r].truth);
        EXPECT_EQ(contexts_read[j].rows[r].answer, written[j].rows[r].answer);
      }
    }
  }
}

}  // namespace
}  // namespace ifd
