#include "ifd/data/context_truths.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "ifd/random/keyed_random.h"

namespace ifd {
namespace {

// For every answer, all answers on its case are counted anew, its own left out for kOthers.
std::optional<ClassId> by_brute_force(const std::vector<ContextAnswer>& answers, std::size_t of,
                                      TruthKind kind) {
  std::map<ClassId, std::size_t> votes;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (answers[i].case_number != answers[of].case_number || answers[i].answer.is_outside()) {
      continue;
    }
    if (i != of || kind == TruthKind::kMajority) ++votes[answers[i].answer.as_class()];
  }
  std::optional<ClassId> best;
  std::size_t most = 0;
  for (const auto& [id, count] : votes) {
    if (count == most) best = {};
    if (count > most) best = id, most = count;
  }
  return best;
}

TEST(ContextTruths, AreWhatMostOfTheOthersOrOfAllAnswered) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key(seed);
    const std::size_t cases = 1 + key.with("cases").below(6);
    std::vector<ContextAnswer> answers;
    for (std::size_t i = 0; i < key.with("answers").below(30); ++i) {
      const std::size_t draw = key.with("answer").below(4, i);
      answers.push_back({i,
                         key.with("case").below(cases, i),
                         i,
                         draw == 3 ? Answer::outside() : Answer(class_id(draw)),
                         {}});
    }
    for (const TruthKind kind : {TruthKind::kOthers, TruthKind::kMajority}) {
      std::vector<ContextAnswer> settled = answers;
      const ComputedTruths found = compute_truths(settled, cases, 3, kind);
      std::size_t with_truth = 0;
      std::map<std::size_t, bool> cases_with;
      for (std::size_t i = 0; i < answers.size(); ++i) {
        EXPECT_EQ(settled[i].truth, by_brute_force(answers, i, kind)) << i;
        if (!settled[i].truth) continue;
        ++with_truth;
        cases_with[settled[i].case_number] = true;
      }
      EXPECT_EQ(found.answers, with_truth);
      EXPECT_EQ(found.cases, cases_with.size());
      EXPECT_EQ(found.answers + found.ties + found.alone, answers.size());
    }
  }
}

// Case 0: two cats and a dog. The cats' others are split, the dog's say cat. Case 1: one answer.
TEST(ContextTruths, TellHowManyHaveOne) {
  const auto answer = [](std::size_t case_number, int id) {
    return ContextAnswer{0, case_number, 0, Answer(static_cast<ClassId>(id)), {}};
  };
  std::vector<ContextAnswer> answers = {answer(0, 0), answer(0, 0), answer(0, 1), answer(1, 1)};
  EXPECT_EQ(compute_truths(answers, 2, 2, TruthKind::kOthers).summary(TruthKind::kOthers),
            "truths computed (--truth others), what most of the others answered: 1 answers on 1 "
            "cases have one; 2 skipped for a tie; 1 skipped because nobody else answered");
  EXPECT_EQ(compute_truths(answers, 2, 2, TruthKind::kMajority).summary(TruthKind::kMajority),
            "truths computed (--truth majority), what most of the experts answered: 4 answers on 2 "
            "cases have one");
}

}  // namespace
}  // namespace ifd
