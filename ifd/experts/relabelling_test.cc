#include "ifd/experts/relabelling.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>

#include "ifd/error.h"

namespace ifd {
namespace {

constexpr std::size_t kFiveClasses = 5;

struct World {
  Predictions predictions;
  AnswerTable answers;
  std::vector<ExpertContext> contexts;
};

World random_world(std::uint64_t seed) {
  Predictions::Parts parts{ClassNames::numbered(kFiveClasses), {}, {}, {}, {}, 1};
  AnswerTable answers({"e", "f"}, 40);
  std::vector<double> logits;
  std::vector<ExpertContext> contexts{{"e", {}}, {"f", {}}};
  for (std::size_t row = 0; row < 40; ++row) {
    const Key key = Key(seed).with(row);
    parts.labels.push_back(class_id(key.below(kFiveClasses, 0)));
    parts.features.push_back(static_cast<float>(key.uniform(1)));
    for (std::size_t k = 0; k < kFiveClasses; ++k) logits.push_back(key.normal(k));
    for (std::size_t j = 0; j < 2; ++j) {
      const std::size_t code = key.with("answer").below(kFiveClasses + 2, j);
      const Answer answer = code == kFiveClasses       ? Answer::missing()
                            : code == kFiveClasses + 1 ? Answer::outside()
                                                       : Answer(class_id(code));
      answers.set(case_id(row), expert_id(j), answer);
      if (!answer.is_missing()) {
        contexts[j].rows.push_back({std::to_string(row), parts.labels.back(), answer});
      }
    }
  }
  parts.probabilities = Predictions::from_logits(logits, kFiveClasses);
  return {Predictions(std::move(parts)), std::move(answers), std::move(contexts)};
}

void expect_same(const World& a, const World& b) {
  EXPECT_EQ(a.predictions.parts().probabilities, b.predictions.parts().probabilities);
  EXPECT_EQ(a.predictions.parts().labels, b.predictions.parts().labels);
  EXPECT_EQ(a.predictions.parts().features, b.predictions.parts().features);
  EXPECT_EQ(a.predictions.case_names(), b.predictions.case_names());
  for (std::size_t row = 0; row < a.answers.cases(); ++row) {
    for (std::size_t j = 0; j < 2; ++j)
      EXPECT_EQ(a.answers.at(case_id(row), expert_id(j)), b.answers.at(case_id(row), expert_id(j)));
  }
  for (std::size_t j = 0; j < 2; ++j) {
    ASSERT_EQ(a.contexts[j].rows.size(), b.contexts[j].rows.size());
    for (std::size_t i = 0; i < a.contexts[j].rows.size(); ++i) {
      EXPECT_EQ(a.contexts[j].rows[i].truth, b.contexts[j].rows[i].truth);
      EXPECT_EQ(a.contexts[j].rows[i].answer, b.contexts[j].rows[i].answer);
    }
  }
}

World relabelled(const World& world, const Relabelling& pi) {
  return {relabelled(world.predictions, pi), relabelled(world.answers, pi),
          relabelled(std::span<const ExpertContext>(world.contexts), pi)};
}

TEST(Relabelling, InverseRestoresAndCompositionComposes) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const World world = random_world(seed);
    const auto pi = Relabelling::random(kFiveClasses, Key(seed).with("pi"));
    const auto sigma = Relabelling::random(kFiveClasses, Key(seed).with("sigma"));
    EXPECT_EQ(pi.after(pi.inverse()), Relabelling::identity(kFiveClasses));
    EXPECT_EQ(pi.inverse().after(pi), Relabelling::identity(kFiveClasses));
    expect_same(relabelled(relabelled(world, pi), pi.inverse()), world);
    expect_same(relabelled(relabelled(world, pi), sigma), relabelled(world, sigma.after(pi)));
    expect_same(relabelled(world, Relabelling::identity(kFiveClasses)), world);
  }
}

// Prop. (classifier equivariance): h(x; P^pi) = pi(h(x; P)). And an answer is right after a
// coherent relabelling exactly where it was right before.
TEST(Relabelling, CoherentRelabellingMovesTheClassifierAndKeepsWhoIsRight) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const World before = random_world(seed);
    const auto pi = Relabelling::random(kFiveClasses, Key(seed));
    const World after = relabelled(before, pi);
    for (std::size_t row = 0; row < 40; ++row) {
      const ClassId y = before.predictions.label(row);
      EXPECT_EQ(top_class(after.predictions.probabilities(row)),
                pi(top_class(before.predictions.probabilities(row))));
      EXPECT_EQ(after.predictions.probabilities(row)[index(pi(y))],
                before.predictions.probabilities(row)[index(y)]);
      for (std::size_t j = 0; j < 2; ++j) {
        EXPECT_EQ(after.answers.at(case_id(row), expert_id(j)).is(pi(y)),
                  before.answers.at(case_id(row), expert_id(j)).is(y));
      }
    }
  }
}

// (mu^pi)_y = mu_{pi^-1(y)}: right answers and cases of class y are those of pi^-1(y) before.
TEST(Relabelling, ContextCountsMoveWithTheClasses) {
  using Counts = std::map<ClassId, std::pair<int, int>>;
  const auto counts = [](const ExpertContext& context) {
    Counts result;
    for (const ContextRow& row : context.rows) {
      ++result[row.truth].first;
      result[row.truth].second += row.answer.is(row.truth);
    }
    return result;
  };
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const ExpertContext context = random_world(seed).contexts[0];
    const auto pi = Relabelling::random(kFiveClasses, Key(seed));
    Counts before = counts(context), after = counts(relabelled(context, pi));
    for (std::size_t y = 0; y < kFiveClasses; ++y) {
      EXPECT_EQ(after[class_id(y)], before[pi.inverse()(class_id(y))]);
    }
  }
}

// The toy's expert-only permutation: the class 0 specialist becomes a class 2 specialist.
TEST(Relabelling, MovesASimulatedExpertsSpecialty) {
  const Relabelling swap({ClassId{2}, ClassId{1}, ClassId{0}});
  EXPECT_EQ(relabelled(variable_specialist("e", 3, ClassId{0}), swap),
            variable_specialist("e", 3, ClassId{2}));
  const auto elsewhere = stable_curves().elsewhere;
  EXPECT_EQ(relabelled(anti_expert("e", 3, {ClassId{0}, ClassId{1}}, elsewhere), swap),
            anti_expert("e", 3, {ClassId{2}, ClassId{1}}, elsewhere));
}

TEST(Relabelling, RandomIsUniformOverPermutations) {
  std::map<std::array<std::size_t, 3>, int> count;
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    const auto pi = Relabelling::random(3, Key(seed).with("uniform"));
    ++count[{index(pi(ClassId{0})), index(pi(ClassId{1})), index(pi(ClassId{2}))}];
  }
  EXPECT_EQ(count.size(), 6u);
  for (const auto& [images, n] : count) EXPECT_NEAR(n, 1000, 5 * std::sqrt(1000 * 5.0 / 6));
}

TEST(Relabelling, RefusesWhatIsNoPermutation) {
  EXPECT_THROW(Relabelling({ClassId{0}, ClassId{0}}), Error);
  EXPECT_THROW(Relabelling({ClassId{0}, ClassId{2}}), Error);
  EXPECT_THROW(Relabelling({ClassId{0}, ClassId{-1}}), Error);
  const auto pi = Relabelling::identity(3);
  EXPECT_THROW(pi.after(Relabelling::identity(4)), Error);
  EXPECT_THROW(relabelled(random_world(1).predictions, pi), Error);
  EXPECT_THROW(relabelled(ExpertContext{"e", {{"case", ClassId{3}, ClassId{0}}}}, pi), Error);
}

}  // namespace
}  // namespace ifd
