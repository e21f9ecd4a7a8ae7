#include "train/context_pool.h"

#include <gtest/gtest.h>

#include <string>

#include "ifd/experts/cohort.h"
#include "tests/refusal.h"
#include "tests/synthetic_problem.h"

namespace ifd::train {
namespace {

constexpr std::size_t kPoolClasses = 3, kPoolCases = 40;

// Ann has answered about a third of the cases and bob about half; the row of a case is its feature.
struct SparseAnswers {
  SyntheticProblem problem;
  torch::Tensor phi = torch::arange(static_cast<std::int64_t>(kPoolCases)).view({-1, 1}) + .0;

  explicit SparseAnswers(std::uint64_t seed)
      : problem(synthetic_problem(kPoolClasses, kPoolCases, seed)) {
    for (std::size_t i = 0; i < kPoolCases; ++i) {
      for (std::size_t j = 0; j < 2; ++j) {
        const Key key = Key(seed).with("missing").with(i).with(j);
        if (key.uniform() < (j == 0 ? .67 : .5)) {
          problem.answers.set(case_id(i), expert_id(j), Answer::missing());
        }
      }
    }
  }
  bool has(std::size_t row, std::size_t expert) const {
    return !problem.answers.at(case_id(row), expert_id(expert)).is_missing();
  }
};

// What is drawn for an expert was given by that expert, is at most half of it, and is not learnt
// from in the same batch; all else that was given is, and what is missing never.
TEST(ContextPool, AnAnswerIsDrawnOrLearntFromAndNeverBoth) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const SparseAnswers of(seed);
    const auto& [training, validation, contexts, answers] = of.problem;
    const auto naming = Relabelling::random(kPoolClasses, Key(seed));
    const auto pool = pool_of_cases(training, answers, of.phi);
    const auto drawn = pool->draw(6, Key(seed).with("batch"), naming);
    const PopulationContext& context = drawn.context;
    ASSERT_EQ(drawn.counted.sizes(), at::IntArrayRef({kPoolCases, 2}));
    for (std::size_t j = 0; j < 2; ++j) {
      const auto expert = static_cast<std::int64_t>(j);
      std::vector<bool> in_context(kPoolCases, false);
      std::size_t given = 0, taken = 0;
      for (std::size_t i = 0; i < kPoolCases; ++i) given += of.has(i, j) ? 1 : 0;
      for (std::int64_t p = 0; p < context.answers.size(1); ++p) {
        if (!context.given[expert][p].item<bool>()) continue;
        const auto row = static_cast<std::size_t>(context.features[expert][p][0].item<float>());
        ASSERT_TRUE(of.has(row, j));
        EXPECT_FALSE(in_context[row]) << "drawn twice";
        in_context[row] = true;
        ++taken;
        EXPECT_EQ(class_id(context.truths[expert][p].item<std::int64_t>()),
                  naming(training.label(row)));
        EXPECT_EQ(Answer(class_id(context.answers[expert][p].item<std::int64_t>())),
                  naming(answers.at(case_id(row), expert_id(j))));
      }
      EXPECT_EQ(taken, std::min<std::size_t>(6, given / 2));
      for (std::size_t i = 0; i < kPoolCases; ++i) {
        EXPECT_EQ(drawn.counted[static_cast<std::int64_t>(i)][expert].item<bool>(),
                  of.has(i, j) && !in_context[i]);
      }
    }
  }
}

// What a policy reads later is each expert's whole context.
TEST(ContextPool, WholeContextsAreEverybodysOwn) {
  const SparseAnswers of(3);
  std::vector<std::size_t> rows(kPoolCases);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
  const auto contexts = contexts_from_answers(of.problem.answers, of.problem.training, rows);
  const auto whole =
      pool_of_contexts(of.problem.training, contexts, of.problem.answers, of.phi)->whole();
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_EQ(whole.given[static_cast<std::int64_t>(j)].sum().item<std::int64_t>(),
              static_cast<std::int64_t>(contexts[j].rows.size()));
  }
}

TEST(ContextPool, NothingIsLeftOutWhereNoAnswerIsMissing) {
  const SyntheticProblem problem = synthetic_problem(kPoolClasses, kPoolCases, 1);
  const auto phi = torch::zeros({kPoolCases, 1});
  const auto drawn = pool_of_cases(problem.training, problem.answers, phi)
                         ->draw(6, Key(1), Relabelling::identity(kPoolClasses));
  EXPECT_FALSE(drawn.counted.defined() || drawn.context.given.defined());
  EXPECT_EQ(drawn.context.features.sizes(), at::IntArrayRef({6, 1}));
  EXPECT_EQ(given_answers(problem.answers), 2 * kPoolCases);
}

TEST(ContextPool, AnExpertWithoutAnyAnswerIsRefused) {
  SparseAnswers of(2);
  for (std::size_t i = 0; i < kPoolCases; ++i) {
    of.problem.answers.set(case_id(i), expert_id(1), Answer::missing());
  }
  EXPECT_EQ(refusal([&] { pool_of_cases(of.problem.training, of.problem.answers, of.phi); }),
            "expert 'bob' has no answer on a training case; expected some");
}

}  // namespace
}  // namespace ifd::train
