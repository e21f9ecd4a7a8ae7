#include "ifd/data/dawid_skene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ifd/random/keyed_random.h"
#include "tests/refusal.h"

namespace ifd {
namespace {

struct Crowd {
  std::vector<ContextAnswer> answers;
  std::vector<std::size_t> truth;  // by case
  std::size_t cases;
  std::size_t classes;
};

// Expert j is right with probability skill[j], else says any other class, or now and then none.
Crowd crowd(const Key& key, const std::vector<double>& skill, std::size_t cases,
            std::size_t classes, double answered) {
  Crowd made{{}, {}, cases, classes};
  for (std::size_t c = 0; c < cases; ++c) {
    // The first class is twice as frequent as the others.
    const std::size_t drawn = key.with("truth").below(classes + 1, c);
    made.truth.push_back(drawn == classes ? 0 : drawn);
    for (std::size_t j = 0; j < skill.size(); ++j) {
      const Key here = key.with("answer").with(c).with(j);
      if (here.uniform(0) >= answered) continue;
      Answer answer = class_id(made.truth[c]);
      if (here.uniform(1) >= skill[j]) {
        const std::size_t wrong = (made.truth[c] + 1 + here.below(classes - 1, 2)) % classes;
        answer = here.uniform(3) < .05 ? Answer::outside() : Answer(class_id(wrong));
      }
      made.answers.push_back({j, c, made.answers.size(), answer, {}});
    }
  }
  return made;
}

std::vector<double> skills(const Key& key) {
  std::vector<double> skill(2 + key.with("experts").below(5));
  for (std::size_t j = 0; j < skill.size(); ++j) skill[j] = .3 + .65 * key.with("skill").uniform(j);
  return skill;
}

// Each iteration of EM climbs (Dempster, Laird and Rubin 1977), up to the rounding of its terms.
TEST(DawidSkene, TheLikelihoodNeverFalls) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key(seed);
    const Crowd made =
        crowd(key, skills(key), 5 + key.with("cases").below(100), 2 + key.with("classes").below(5),
              .3 + .7 * key.with("share").uniform());
    const DawidSkeneFit fit = fit_dawid_skene(made.answers, made.cases, made.classes);
    ASSERT_EQ(fit.truths.size(), made.answers.size());
    for (std::size_t i = 1; i < fit.log_likelihood.size(); ++i) {
      EXPECT_GE(fit.log_likelihood[i], fit.log_likelihood[i - 1] - 1e-3) << i;
    }
  }
}

// The order of the rows, the names of classes, experts and cases have no way in, to the last bit.
TEST(DawidSkene, OrderAndNamesChangeNothing) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key = Key(seed).with("names");
    const Crowd made = crowd(key, skills(key), 40, 4, .7);
    const auto shuffled = [&](std::size_t size, const char* what) {
      std::vector<std::size_t> order(size);
      std::iota(order.begin(), order.end(), 0);
      std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return key.with(what).bits(a) < key.with(what).bits(b);
      });
      return order;
    };
    const auto rows = shuffled(made.answers.size(), "rows");
    const auto classes = shuffled(made.classes, "classes");
    const auto cases = shuffled(made.cases, "cases");
    std::vector<ContextAnswer> renamed;
    for (const std::size_t row : rows) {
      ContextAnswer one = made.answers[row];
      one.expert_number = 100 - 7 * one.expert_number;
      one.case_number = cases[one.case_number];
      if (!one.answer.is_outside()) one.answer = class_id(classes[index(one.answer.as_class())]);
      renamed.push_back(one);
    }
    const DawidSkeneFit first = fit_dawid_skene(made.answers, made.cases, made.classes);
    const DawidSkeneFit second = fit_dawid_skene(renamed, made.cases, made.classes);
    EXPECT_EQ(first.log_likelihood, second.log_likelihood);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto before = first.truths[rows[i]];
      ASSERT_EQ(before.has_value(), second.truths[i].has_value());
      if (before) {
        EXPECT_EQ(class_id(classes[index(*before)]), *second.truths[i]);
      }
    }
  }
}

// How far the accuracies that these truths give are from those that were drawn, over the experts.
// A table may be small where a pass over it is long.
TEST(DawidSkene, TheStepsOfAnIterationAreLimited) {
  const Crowd made = crowd(Key(1), {.9, .8}, 30, 4, 1);
  ASSERT_EQ(made.answers.size(), 60u);
  const auto said = [&](std::size_t most) {
    return refusal(
        [&] { fit_dawid_skene(made.answers, made.cases, made.classes, {.most_steps = most}); });
  };
  EXPECT_EQ(said(240), "");
  EXPECT_EQ(said(239),
            "--truth dawid-skene: 60 answers x 4 classes are too many to estimate; expected at "
            "most 239 in all, or --truth others or majority");
}

double error_of(std::vector<ContextAnswer> answers, const Crowd& made,
                const std::vector<double>& skill, TruthKind kind) {
  compute_truths(answers, made.cases, made.classes, kind);
  double error = 0;
  for (std::size_t j = 0; j < skill.size(); ++j) {
    double right = 0, all = 0;
    for (const ContextAnswer& one : answers) {
      if (one.expert_number != j || !one.truth) continue;
      all += 1;
      right += one.answer.is(*one.truth) ? 1 : 0;
    }
    error += std::abs((all > 0 ? right / all : .5) - skill[j]);
  }
  return error / static_cast<double>(skill.size());
}

// Two who know and three who guess: most of them are wrong together often enough, but not alike.
TEST(DawidSkene, KnowsWhoIsReliableBetterThanTheMajority) {
  const std::vector<double> skill = {.95, .9, .45, .4, .4};
  double likeliest = 0, majority = 0, others = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Crowd made = crowd(Key(seed).with("skills"), skill, 300, 4, 1);
    likeliest += error_of(made.answers, made, skill, TruthKind::kDawidSkene);
    majority += error_of(made.answers, made, skill, TruthKind::kMajority);
    others += error_of(made.answers, made, skill, TruthKind::kOthers);
  }
  EXPECT_LT(likeliest, .7 * majority);
  EXPECT_LT(likeliest, .7 * others);
}

TEST(DawidSkene, SaysWhereItWasStopped) {
  const Crowd made = crowd(Key(1), {.9, .6, .5}, 200, 3, 1);
  DawidSkeneOptions options;
  options.most_iterations = 2;
  const DawidSkeneFit fit = fit_dawid_skene(made.answers, made.cases, made.classes, options);
  EXPECT_EQ(fit.iterations, 2U);
  EXPECT_FALSE(fit.settled);
  EXPECT_TRUE(fit_dawid_skene(made.answers, made.cases, made.classes).settled);
  ComputedTruths stopped{600, 200, 0, 0, 2, false};
  EXPECT_EQ(
      stopped.summary(TruthKind::kDawidSkene),
      "truths computed (--truth dawid-skene), the likeliest by what the others answered, each "
      "as reliable as all answers make them, if experts err independently of each other: 600 "
      "answers on 200 cases have one; stopped after 2 iterations before it settled, so other "
      "truths may be likelier");
}

TEST(DawidSkene, RefusesATableThatIsTooLarge) {
  const Crowd made = crowd(Key(1), {.9, .6, .5}, 20, 3, 1);
  DawidSkeneOptions options;
  options.most_cells = 9;
  EXPECT_NE(refusal([&] {
              fit_dawid_skene(made.answers, made.cases, made.classes, options);
            }).find("x 3 classes are too many to estimate; expected at most 9 in all"),
            std::string::npos);
}

}  // namespace
}  // namespace ifd
