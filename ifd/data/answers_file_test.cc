#include "ifd/data/answers_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "ifd/random/keyed_random.h"
#include "tests/gzip.h"
#include "tests/refusal.h"
#include "tests/scratch_directory.h"

namespace ifd {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAreArray;

const ClassNames kAnimals({"cat", "dog"});
constexpr ClassId kCat{0};
constexpr ClassId kDog{1};

Predictions predictions(std::vector<std::string> cases, std::vector<ClassId> labels = {}) {
  std::vector<float> probabilities(2 * cases.size(), 0.5F);
  return Predictions(
      {kAnimals, std::move(cases), std::move(probabilities), std::move(labels), {}, 0});
}

std::vector<ExpertContext> contexts(const std::string& text, const Predictions* labelled = nullptr,
                                    const AnswersFormat& format = {}) {
  return contexts_from_bytes(text, "c.csv", kAnimals, labelled, {}, format);
}

AnswersFile answers(const std::string& text, const Predictions& p,
                    const AnswersFormat& format = {}) {
  return answers_from_bytes(text, "a.csv", p, {}, format);
}

// What the reader says of the file beside what it holds.
std::vector<std::string> notes_on_contexts(const std::string& text,
                                           const AnswersFormat& format = {}) {
  std::vector<std::string> notes;
  contexts_from_bytes(text, "c.csv", kAnimals, nullptr,
                      {{}, [&](const std::string& note) { notes.push_back(note); }}, format);
  return notes;
}

std::vector<std::string> notes_on_answers(const std::string& text, const Predictions& p,
                                          const AnswersFormat& format = {}) {
  std::vector<std::string> notes;
  answers_from_bytes(text, "a.csv", p,
                     {{}, [&](const std::string& note) { notes.push_back(note); }}, format);
  return notes;
}

AnswersFormat with_truth(TruthKind kind) {
  AnswersFormat format;
  format.truth = kind;
  return format;
}

AnswersFormat with_blanks(BlankAnswers blanks) {
  AnswersFormat format;
  format.blanks = blanks;
  return format;
}

TEST(AnswersFile, ContextsKeepTheOrderOfTheFile) {
  const auto read = contexts(
      "when,expert,case,truth,answer\n1,Eva,x,cat,dog\n2,Bo,x,cat,cat\n3,Eva,y,dog,cow\n4,Eva,z,"
      "dog,bird\n");
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
       "c.csv:3: no truth for case 'y'; expected a column 'truth' or a label of the case, or "
       "--truth others"},
      {"expert,case,answer,truth\nEva,y,cat,\n",
       "c.csv:2: no truth for case 'y'; expected one in column 'truth' or as a label of the case"},
      {"expert,case,answer,truth\nEva,y,cat,9\n",
       "c.csv:2: truth '9' is not a class; expected cat, dog"},
      {"expert,case,answer,truth\nEva,x,cat,dog\n",
       "c.csv:2: truth 'dog' for case 'x', but the case's label is 'cat'; expected the same, or "
       "--truth row"},
      {"expert,case,answer,truth\nEva,y,cat,dog\nBo,y,cat,cat\n",
       "c.csv:3: truth 'cat' for case 'y', but line 2 says 'dog'; expected the same, or --truth "
       "row"},
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
  return Predictions({kAnimals, {}, {0.5F, 0.5F, 0.5F, 0.5F}, std::move(labels), {}, 0});
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
  EXPECT_EQ(refusal([&] { contexts(conflict, &own); }), "c" + message + ", or --truth row");
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
       "a.csv: none of the 2 answers is on a case of the predictions: such as '1' here and 'x' in "
       "the predictions; expected the same names"},
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

// Blank answers were not given in a context, and are wrong in an evaluation, unless it is said
// otherwise.
TEST(AnswersFile, BlankAnswersAreSkippedInContextsAndWrongInEvaluations) {
  const std::string text =
      "expert,case,answer,truth\nEva,x,cat,cat\nEva,y,NA,dog\nBo,x,,cat\nBo,y,dog,dog\nCy,x,n/a,"
      "cat\n";
  const auto skipped = contexts(text);
  ASSERT_EQ(skipped.size(), 2u);
  EXPECT_THAT(skipped[0].rows, ElementsAre(ContextRow{"x", kCat, Answer(kCat)}));
  EXPECT_EQ(skipped[1].expert, "Bo");
  EXPECT_THAT(skipped[1].rows, ElementsAre(ContextRow{"y", kDog, Answer(kDog)}));
  const auto wrong = contexts(text, nullptr, with_blanks(BlankAnswers::kWrong));
  ASSERT_EQ(wrong.size(), 3u);
  EXPECT_THAT(wrong[0].rows, ElementsAre(ContextRow{"x", kCat, Answer(kCat)},
                                         ContextRow{"y", kDog, Answer::outside()}));
  EXPECT_EQ(count_outside(wrong), 3u);

  const Predictions p = predictions({"x", "y"});
  const AnswersFile evaluated = answers(text, p);
  EXPECT_TRUE(evaluated.table.at(case_id(1), expert_id(0)).is_outside());
  EXPECT_TRUE(evaluated.table.at(case_id(0), expert_id(2)).is_outside());
  EXPECT_TRUE(evaluated.table.at(case_id(1), expert_id(2)).is_missing());
  EXPECT_EQ(evaluated.outside, 3u);
  const AnswersFile given = answers(text, p, with_blanks(BlankAnswers::kSkip));
  EXPECT_THAT(given.table.expert_names(), ElementsAre("Eva", "Bo"));
  EXPECT_TRUE(given.table.at(case_id(1), expert_id(0)).is_missing());
  EXPECT_EQ(given.outside, 0u);
  EXPECT_THAT(given.truths, ElementsAre(kCat, kDog));
}

TEST(AnswersFile, SaysHowManyAreBlankAndWhatIsOutside) {
  const std::string text =
      "expert,case,answer,truth\nEva,x,cat,cat\nEva,y,NA,dog\nBo,x,cow,cat\nBo,y,cow,dog\nCy,x,?,"
      "cat\nBo,z,hen,dog\n";
  EXPECT_THAT(
      notes_on_contexts(text),
      ElementsAre("c.csv: 2 of 6 answers are blank and skipped; --blank wrong counts them as wrong",
                  "c.csv: 3 of 6 answers are outside the classes and count as wrong: 'cow' (2), "
                  "'hen' (1)",
                  "c.csv: left out, for lack of an answer that counts: Cy"));
  EXPECT_THAT(
      notes_on_answers(text, predictions({"x", "y", "z"})),
      ElementsAre(
          "a.csv: 2 of 6 answers are blank and count as wrong; --missing off-duty takes them for "
          "not given",
          "a.csv: 3 of 6 answers are outside the classes and count as wrong: 'cow' (2), 'hen' "
          "(1)"));
  EXPECT_THAT(notes_on_contexts("expert,case,answer,truth\nEva,x,cat,cat\nEva,y,-,cat\n",
                                with_blanks(BlankAnswers::kWrong)),
              ElementsAre("c.csv: 1 of 2 answers are blank and count as wrong"));
  EXPECT_THAT(notes_on_contexts("expert,case,answer,truth\nEva,x,cat,cat\n"), ElementsAre());
  EXPECT_EQ(refusal([&] { contexts("expert,case,answer,truth\nEva,x,NA,cat\n"); }),
            "c.csv: none of the 1 answers counts (1 blank, 0 without a truth); expected at least "
            "one");
  EXPECT_EQ(refusal([&] {
              answers("expert,case,answer\nEva,x,NA\n", predictions({"x"}),
                      with_blanks(BlankAnswers::kSkip));
            }),
            "a.csv: all 1 answers are blank; expected at least one answer");
}

// A truth that is blank is none, and a class is a class whatever its name.
TEST(AnswersFile, BlankTruthsAreNone) {
  const Predictions labelled = predictions({"x"}, {kDog});
  EXPECT_EQ(contexts("expert,case,answer,truth\nEva,x,cat,NA\n", &labelled)[0].rows[0].truth, kDog);
  const ClassNames named({"NA", "?"});
  const auto read = contexts_from_bytes("expert,case,answer,truth\nEva,x,NA,?\n", "c.csv", named);
  EXPECT_THAT(read[0].rows, ElementsAre(ContextRow{"x", ClassId{1}, Answer(ClassId{0})}));
}

// One column per expert says the same as one row per answer, blanks included, for every table and
// whatever becomes of blanks.
TEST(AnswersFile, OneColumnPerExpertSaysTheSameAsOneRowPerAnswer) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key(seed);
    const std::size_t n = 1 + key.with("cases").below(6),
                      experts = 1 + key.with("experts").below(4);
    const char* const truth_column = key.with("name").below(2) == 0 ? "truth" : "label";
    std::vector<std::string> cases;
    std::string rows = "expert,case,answer,truth\n", columns = "case,";
    columns += truth_column;
    for (std::size_t j = 0; j < experts; ++j) columns += ",e" + std::to_string(j);
    columns += '\n';
    for (std::size_t i = 0; i < n; ++i) cases.push_back("c" + std::to_string(i));
    std::vector<std::string> lines(n);
    for (std::size_t j = 0; j < experts; ++j) {
      for (std::size_t i = 0; i < n; ++i) {
        const std::string truth = key.with("truth").below(2, i) == 0 ? "cat" : "dog";
        // Case 0 is answered by all, so that everybody has an answer.
        const std::size_t draw = key.with("answer").with(i).below(i == 0 ? 2 : 4, j);
        const std::string answer = draw == 0 ? "cat" : draw == 1 ? "dog" : draw == 2 ? "" : "NA";
        if (j == 0) lines[i] = cases[i] + ',' + truth;
        lines[i] += ',' + answer;
        rows += fmt::format("e{},{},{},{}\n", j, cases[i], answer, truth);
      }
    }
    for (const std::string& line : lines) columns += line + '\n';
    for (const AnswersFormat& format :
         {AnswersFormat{}, with_blanks(BlankAnswers::kSkip), with_blanks(BlankAnswers::kWrong)}) {
      EXPECT_THAT(contexts(columns, nullptr, format),
                  UnorderedElementsAreArray(contexts(rows, nullptr, format)));
      const AnswersFile wide = answers(columns, predictions(cases), format);
      const AnswersFile tall = answers(rows, predictions(cases), format);
      EXPECT_EQ(wide.table.expert_names(), tall.table.expert_names());
      EXPECT_EQ(wide.outside, tall.outside);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < experts; ++j) {
          EXPECT_EQ(wide.table.at(case_id(i), expert_id(j)),
                    tall.table.at(case_id(i), expert_id(j)));
        }
      }
    }
  }
}

TEST(AnswersFile, SaysWhoHasAColumn) {
  const std::string text = "case,ana,truth,bo,cy\nx,cat,cat,NA,\ny,dog,dog,dog,\n";
  EXPECT_THAT(notes_on_contexts(text),
              ElementsAre("c.csv: one column per expert: ana, bo, cy",
                          "c.csv: 3 of 6 answers are blank and skipped; --blank wrong counts them "
                          "as wrong",
                          "c.csv: left out, for lack of an answer that counts: cy"));
  EXPECT_THAT(notes_on_answers(text, predictions({"x", "y"})),
              ElementsAre("a.csv: one column per expert: ana, bo, cy",
                          "a.csv: 3 of 6 answers are blank and count as wrong; --missing off-duty "
                          "takes them for not given"));
  EXPECT_EQ(answers(text, predictions({"x", "y"})).outside, 3u);
}

TEST(AnswersFile, SaysWhatIsWrongWithColumnsPerExpert) {
  const std::string end =
      "; without a column 'expert' every column is an expert's answers: remove what is none";
  const std::vector<std::pair<std::string, std::string>> table{
      {"case,truth,ana,date\nx,cat,dog,NA\ny,cat,dog,2024-05-01\n",
       "c.csv:3: '2024-05-01' in column 'date' is not a class; expected cat, dog" + end},
      {"case,truth,ana\nx,cat,1\n",
       "c.csv:2: '1' in column 'ana' is not a class; expected cat, dog; class numbers? --labels "
       "numbers" +
           end},
      {"case,truth,label,ana\nx,cat,cat,dog\n",
       "c.csv:1: a column 'truth' and a column 'label'; expected one of them beside the experts'"},
      {"case,truth,,ana\nx,cat,cat,dog\n", "c.csv:1: column 3 has no name; expected an expert's"},
      {"case,truth,ana\nx,cat,dog\nx,cat,dog\n",
       "c.csv:3: expert 'ana' answers case 'x' a second time, after line 2; expected one answer"},
      {"case,truth,ana\nx,cat,dog\nx,dog,\n",
       "c.csv:3: truth 'dog' for case 'x', but line 2 says 'cat'; expected the same, or --truth "
       "row"},
      {"case,ana\nx,cat\n",
       "c.csv:2: no truth for case 'x'; expected a column 'truth' or a label of the case, or "
       "--truth others"},
      {"case,truth\nx,cat\n", "c.csv:1: no column 'expert'; found case, truth"},
      {"case,truth,ana\n", "c.csv: no rows; expected at least one answer"},
      {"id,truth,ana\nx,cat,dog\n", "c.csv:1: no column 'expert'; found id, truth, ana"},
  };
  for (const auto& [text, message] : table) {
    EXPECT_EQ(refusal([&] { contexts(text); }), message) << text;
  }
}

// Every row counts with its own truth; the label of the case is for a row without one.
TEST(AnswersFile, RowsMayHaveTheirOwnTruths) {
  const std::string text = "expert,case,answer,truth\nEva,x,cat,cat\nBo,x,cat,dog\nCy,x,cat,\n";
  const Predictions labelled = predictions({"x"}, {kDog});
  const auto read = contexts(text, &labelled, with_truth(TruthKind::kRow));
  ASSERT_EQ(read.size(), 3u);
  EXPECT_EQ(read[0].rows[0].truth, kCat);
  EXPECT_EQ(read[1].rows[0].truth, kDog);
  EXPECT_EQ(read[2].rows[0].truth, kDog);
  EXPECT_EQ(refusal([&] { contexts(text, nullptr, with_truth(TruthKind::kRow)); }),
            "c.csv:4: no truth for case 'x'; expected one in column 'truth' or as a label of the "
            "case");
  // The truths of evaluated cases are given ones.
  EXPECT_EQ(refusal([&] { answers(text, predictions({"x"}), with_truth(TruthKind::kRow)); }),
            "a.csv:3: truth 'dog' for case 'x', but line 2 says 'cat'; expected the same");
}

// x: cat, cat, dog. Ana and Bo see a tie of the others, Cy a cat. y: dog, dog, and an answer
// outside the classes, which is no vote, but is one to be judged. z: nobody else. What the file or
// the labels say is not looked at.
TEST(AnswersFile, TruthsMayBeComputedFromTheAnswers) {
  const Predictions labelled = predictions({"x", "y"}, {kDog, kCat});
  const std::string rows =
      "expert,case,answer,truth\nAna,x,cat,dog\nBo,x,cat,what\nCy,x,dog,cat\nAna,y,dog,\nBo,y,"
      "dog,\nCy,y,cow,\nAna,z,cat,\n";
  const auto others = contexts(rows, &labelled, with_truth(TruthKind::kOthers));
  ASSERT_EQ(others.size(), 3u);
  EXPECT_THAT(others[0].rows, ElementsAre(ContextRow{"y", kDog, Answer(kDog)}));
  EXPECT_THAT(others[1].rows, ElementsAre(ContextRow{"y", kDog, Answer(kDog)}));
  EXPECT_THAT(others[2].rows, ElementsAre(ContextRow{"x", kCat, Answer(kDog)},
                                          ContextRow{"y", kDog, Answer::outside()}));
  const auto majority = contexts(rows, &labelled, with_truth(TruthKind::kMajority));
  EXPECT_THAT(majority[0].rows,
              ElementsAre(ContextRow{"x", kCat, Answer(kCat)}, ContextRow{"y", kDog, Answer(kDog)},
                          ContextRow{"z", kCat, Answer(kCat)}));
  EXPECT_THAT(notes_on_contexts(rows, with_truth(TruthKind::kOthers)),
              testing::Contains(
                  "c.csv: truths computed (--truth others), what most of the others answered: 4 "
                  "answers on 2 cases have one; 2 skipped for a tie; 1 skipped because nobody else "
                  "answered; the truths in the file are not used"));
  const std::string columns = "case,Ana,Bo,Cy\nx,cat,cat,dog\ny,dog,dog,NA\n";
  const auto wide = contexts(columns, nullptr, with_truth(TruthKind::kOthers));
  ASSERT_EQ(wide.size(), 3u);
  EXPECT_THAT(wide[2].rows, ElementsAre(ContextRow{"x", kCat, Answer(kDog)}));
}

TEST(AnswersFile, LabelsMayBeClassNumbers) {
  const std::string text = "expert,case,answer,truth\nEva,x,0,1\nEva,y,1.0,1\nEva,z,2,0\n";
  AnswersFormat format;
  format.labels = LabelKind::kNumbers;
  const auto read = contexts(text, nullptr, format);
  EXPECT_THAT(read[0].rows,
              ElementsAre(ContextRow{"x", kDog, Answer(kCat)}, ContextRow{"y", kDog, Answer(kDog)},
                          ContextRow{"z", kCat, Answer::outside()}));
  EXPECT_EQ(contexts("case,truth,Eva\nx,1,0\n", nullptr, format)[0].rows[0], read[0].rows[0]);
  EXPECT_EQ(
      refusal([&] { contexts(text); }),
      "c.csv:2: truth '1' is not a class; expected cat, dog; class numbers? --labels numbers");
  EXPECT_EQ(refusal([&] { contexts("expert,case,answer,truth\nE,x,0,cow\n", nullptr, format); }),
            "c.csv:2: truth 'cow' is not a class; expected a class number, 0..1");
  EXPECT_THAT(notes_on_answers("expert,case,answer\nEva,x,0\nEva,y,1\n", predictions({"x", "y"})),
              ElementsAre("a.csv: 2 of 2 answers are outside the classes and count as wrong: '0' "
                          "(1), '1' (1); class numbers? --labels numbers"));
}

// Names that differ by a slip are shown: of cases the likely cause, of experts that they are two.
TEST(AnswersFile, SaysWhichNamesDifferByLittle) {
  const AnswersFile file =
      answers("expert,case,answer\nEva,7,cat\nEva,008,cat\n", predictions({"7", "8"}));
  EXPECT_EQ(file.unused, 1u);
  EXPECT_EQ(file.unused_hint, "'008' and '8' differ by leading zeros");
  EXPECT_EQ(answers("expert,case,answer\nEva,7,cat\n", predictions({"7"})).unused_hint, "");
  EXPECT_THAT(notes_on_contexts("expert,case,answer,truth\nbob,x,cat,cat\nBob,x,cat,cat\n"),
              ElementsAre(testing::StartsWith("c.csv: ")));
}

TEST(AnswersFile, AContextMayBeEmptyWhereThatIsSaid) {
  AnswersFormat format;
  format.may_be_empty = true;
  EXPECT_TRUE(contexts("expert,case,answer,truth\n", nullptr, format).empty());
  EXPECT_TRUE(contexts("expert,case,answer,truth\nEva,x,NA,cat\n", nullptr, format).empty());
}

// The word for what is outside must not be a class.
TEST(AnswersFile, AnswersOutsideTheClassesStaySoInFiles) {
  const ScratchDirectory scratch;
  const ClassNames classes({"(outside)", "((outside))"});
  const std::vector<ExpertContext> written = {
      {"Eva", {{"x", ClassId{0}, Answer::outside()}, {"y", ClassId{1}, Answer(ClassId{0})}}}};
  write_contexts(scratch / "c.csv", written, classes);
  EXPECT_EQ(read_contexts(scratch / "c.csv", classes), written);
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
    write_contexts(scratch / "c.csv", written, kAnimals);
    const auto contexts_read = read_contexts(scratch / "c.csv", kAnimals);
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

// A compressed file is held against its own size: what its text may not become, the same text as a
// plain file may.
TEST(AnswersFile, WhatIsCompressedMayNotGrowTwice) {
  std::string text = "case,truth";
  for (int j = 0; j < 100; ++j) text += fmt::format(",e{}", j);
  text += '\n';
  for (int i = 0; i < 500; ++i) {
    text += fmt::format("c{},cat", i);
    for (int j = 0; j < 100; ++j) text += ",cat";
    text += '\n';
  }
  const ScratchDirectory folder;
  const ReadOptions options(ReadLimits{.max_expansion = 500, .always_allowed = 0});
  const auto plain = folder.put("c.csv", text), packed = folder.put("c.csv.gz", gzip(text));
  EXPECT_EQ(read_contexts(plain, kAnimals, nullptr, options).size(), 100u);
  EXPECT_THAT(refusal([&] { read_contexts(packed, kAnimals, nullptr, options); }),
              testing::HasSubstr("bytes or more in memory"));
  std::vector<std::string> cases;
  for (int i = 0; i < 500; ++i) cases.push_back(fmt::format("c{}", i));
  const Predictions decided = predictions(cases);
  EXPECT_EQ(read_answers(plain, decided, options).table.experts(), 100u);
  EXPECT_THAT(refusal([&] { read_answers(packed, decided, options); }),
              testing::HasSubstr("bytes or more in memory"));
  EXPECT_THAT(refusal([&] { read_contexts_beside(packed, decided, options); }),
              testing::HasSubstr("bytes or more in memory"));
}

// Two small files make a large table where everybody answers a case of their own.
TEST(AnswersFile, ATableIsNotMuchLargerThanItsFile) {
  std::string text = "expert,case,answer,truth\n";
  std::vector<std::string> cases;
  for (int i = 0; i < 400; ++i) {
    text += fmt::format("e{},c{},cat,cat\n", i, i);
    cases.push_back(fmt::format("c{}", i));
  }
  const auto said = [&](std::uint64_t most) {
    return refusal([&] {
      answers_from_bytes(text, "a.csv", predictions(cases),
                         ReadLimits{.max_expansion = 0, .always_allowed = most});
    });
  };
  EXPECT_EQ(said(1'000'000), "");
  EXPECT_THAT(said(420'000),
              testing::HasSubstr("bytes or more in memory; expected at most 420000"));
}

}  // namespace
}  // namespace ifd
