#include "ifd/experts/simulation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "ifd/error.h"
#include "ifd/random/keyed_random.h"

namespace ifd {
namespace {

constexpr std::size_t kFourClasses = 4;

// Cases as Gaussian clouds around the corners of a square.
Predictions clouds(std::uint64_t seed, const std::string& split, std::size_t cases) {
  Predictions::Parts parts{ClassNames({"a", "b", "c", "d"}), {}, {}, {}, {}, 2};
  for (std::size_t i = 0; i < cases; ++i) {
    const std::size_t k = i % kFourClasses;
    const Key key = Key(seed).with("clouds").with(split).with(i);
    parts.cases.push_back(std::to_string(i));
    parts.labels.push_back(class_id(k));
    parts.features.push_back(static_cast<float>(2.0 * static_cast<double>(k % 2) + key.normal(0)));
    parts.features.push_back(static_cast<float>(2.0 * static_cast<double>(k / 2) + key.normal(1)));
    parts.probabilities.insert(parts.probabilities.end(), kFourClasses, 0.25f);
  }
  return Predictions(std::move(parts));
}

std::vector<SimulatedExpert> one_of_each() {
  const std::array strengths{Strength{ClassId{1}, AccuracyCurve::from_targets(0.99, 0.9)},
                             Strength{ClassId{2}, AccuracyCurve::from_targets(0.9, 0.6)}};
  return {variable_specialist("variable", kFourClasses, ClassId{0}),
          stable_specialist("stable", kFourClasses, ClassId{1}),
          generalist("generalist", kFourClasses, AccuracyCurve::from_targets(0.9, 0.6)),
          multi_strength_specialist("multi", kFourClasses, strengths,
                                    AccuracyCurve::from_targets(0.6, 0.3)),
          anti_expert("anti", kFourClasses, {ClassId{3}, ClassId{0}}, stable_curves().elsewhere),
          independent_noise(variable_specialist("own", kFourClasses, ClassId{2}))};
}

std::vector<std::size_t> shuffled(std::size_t count, const Key& key) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return key.bits(a) < key.bits(b); });
  return order;
}

// The mean of independent Bernoulli(A_i) has variance sum A(1-A) / n^2.
TEST(Simulation, RealisedAccuracyIsTheMeanOfTheCurve) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto space = FeatureSpace::fit(clouds(seed, "train", 800));
    const Predictions test = clouds(seed, "test", 4000);
    const auto experts = one_of_each();
    const auto answers = simulate_answers(space, test, experts, {seed, "test"});
    const auto truth = true_accuracies(space, test, experts);
    const auto report = report_simulation(test, answers, truth);
    for (std::size_t j = 0; j < experts.size(); ++j) {
      std::array<double, kFourClasses> variance{};
      double total = 0;
      for (std::size_t row = 0; row < test.size(); ++row) {
        const double a = truth.at(case_id(row), expert_id(j), test.label(row));
        variance[index(test.label(row))] += a * (1 - a);
        total += a * (1 - a);
      }
      const auto& realised = report.experts[j];
      EXPECT_EQ(realised.name, experts[j].name);
      EXPECT_EQ(realised.overall.cases, 4000u);
      EXPECT_NEAR(*realised.overall.accuracy, *realised.overall.target,
                  5 * std::sqrt(total) / 4000);
      for (std::size_t k = 0; k < kFourClasses; ++k) {
        EXPECT_EQ(realised.by_class[k].cases, 1000u);
        EXPECT_NEAR(*realised.by_class[k].accuracy, *realised.by_class[k].target,
                    5 * std::sqrt(variance[k]) / 1000)
            << realised.name << " class " << k;
      }
    }
    EXPECT_NEAR(*report.experts[4].by_class[3].target, 0.05, 1e-6);
  }
}

// A(x | E, y) by the definition, one value at a time.
TEST(Simulation, TrueAccuraciesReadThePrototypicalityOfEveryClass) {
  const auto space = FeatureSpace::fit(clouds(1, "train", 100));
  const Predictions test = clouds(1, "test", 20);
  const auto experts = one_of_each();
  const auto truth = true_accuracies(space, test, experts);
  ASSERT_EQ(truth.values.size(), 20 * experts.size() * kFourClasses);
  for (std::size_t row = 0; row < test.size(); ++row) {
    for (std::size_t j = 0; j < experts.size(); ++j) {
      for (std::size_t k = 0; k < kFourClasses; ++k) {
        const double p = space.prototypicality(test.features(row), class_id(k));
        EXPECT_EQ(truth.at(case_id(row), expert_id(j), class_id(k)),
                  static_cast<float>(experts[j].curve_by_class[k].at(p)));
      }
    }
  }
}

// With a shared u, whoever is at least as accurate on a case is right wherever the other is.
TEST(Simulation, SharedSolvabilityOrdersTheExperts) {
  const auto space = FeatureSpace::fit(clouds(2, "train", 400));
  const Predictions test = clouds(2, "test", 2000);
  auto experts = one_of_each();
  const auto truth = true_accuracies(space, test, experts);
  const auto answers = simulate_answers(space, test, experts, {2, "test"});
  std::size_t broken_by_own_noise = 0;
  for (std::size_t row = 0; row < test.size(); ++row) {
    const ClassId y = test.label(row);
    for (std::size_t i = 0; i < experts.size(); ++i) {
      for (std::size_t j = 0; j < experts.size(); ++j) {
        const CaseId x = case_id(row);
        if (truth.at(x, expert_id(i), y) <= truth.at(x, expert_id(j), y)) continue;
        const bool broken = answers.at(case_id(row), expert_id(j)).is(y) &&
                            !answers.at(case_id(row), expert_id(i)).is(y);
        if (i == 5 || j == 5) {
          broken_by_own_noise += broken;
        } else {
          EXPECT_FALSE(broken) << row;
        }
      }
    }
  }
  EXPECT_GT(broken_by_own_noise, 100u);
}

TEST(Simulation, OrderOfCasesAndOfExpertsChangesNoDraw) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Predictions train = clouds(seed, "train", 200);
    const Predictions test = clouds(seed, "test", 300);
    const auto experts = one_of_each();
    const auto answers = simulate_answers(FeatureSpace::fit(train), test, experts, {seed, "test"});
    const auto rows = shuffled(300, Key(seed).with("rows"));
    const auto columns = shuffled(experts.size(), Key(seed).with("columns"));
    std::vector<SimulatedExpert> reordered;
    for (const std::size_t j : columns) reordered.push_back(experts[j]);
    const auto again = simulate_answers(FeatureSpace::fit(train.subset(shuffled(200, Key(seed)))),
                                        test.subset(rows), reordered, {seed, "test"});
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t j = 0; j < columns.size(); ++j) {
        EXPECT_EQ(again.at(case_id(i), expert_id(j)),
                  answers.at(case_id(rows[i]), expert_id(columns[j])));
      }
    }
  }
}

// The classes stored in another order, names and all: the same answers by name.
TEST(Simulation, OrderOfClassesChangesNoAnswer) {
  const std::array<std::size_t, kFourClasses> to{2, 0, 3, 1};
  const auto reorder = [&](const Predictions& cases) {
    Predictions::Parts parts = cases.parts();
    std::vector<std::string> names(kFourClasses);
    for (std::size_t k = 0; k < kFourClasses; ++k) names[to[k]] = cases.classes().name(class_id(k));
    parts.classes = ClassNames(names);
    for (ClassId& label : parts.labels) label = class_id(to[index(label)]);
    return Predictions(std::move(parts));
  };
  auto experts = one_of_each();
  auto renamed = experts;
  for (std::size_t j = 0; j < experts.size(); ++j) {
    for (std::size_t k = 0; k < kFourClasses; ++k) {
      renamed[j].curve_by_class[to[k]] = experts[j].curve_by_class[k];
    }
    for (FixedMistake& m : renamed[j].fixed_mistakes) {
      m = {class_id(to[index(m.truth)]), class_id(to[index(m.answer)])};
    }
  }
  const Predictions train = clouds(4, "train", 200), test = clouds(4, "test", 500);
  const auto answers = simulate_answers(FeatureSpace::fit(train), test, experts, {4, "test"});
  const auto again =
      simulate_answers(FeatureSpace::fit(reorder(train)), reorder(test), renamed, {4, "test"});
  for (std::size_t row = 0; row < test.size(); ++row) {
    for (std::size_t j = 0; j < experts.size(); ++j) {
      EXPECT_EQ(index(again.at(case_id(row), expert_id(j)).as_class()),
                to[index(answers.at(case_id(row), expert_id(j)).as_class())]);
    }
  }
}

// The same cases under another split name or seed: right and wrong are drawn anew. Two independent
// draws of a .5 expert agree on correctness half the time.
TEST(Simulation, SplitsAndSeedsShareNoDraw) {
  const Predictions cases = clouds(3, "train", 4000);
  const std::array experts{class_conditional("half", std::array{0.5, 0.5, 0.5, 0.5})};
  const auto train = simulate_answers(cases, experts, {1, "train"});
  for (const SimulationOptions& other : {SimulationOptions{1, "test"}, {2, "train"}}) {
    const auto answers = simulate_answers(cases, experts, other);
    double same = 0;
    for (std::size_t row = 0; row < cases.size(); ++row) {
      same += train.at(case_id(row), expert_id(0)).is(cases.label(row)) ==
              answers.at(case_id(row), expert_id(0)).is(cases.label(row));
    }
    EXPECT_NEAR(same / 4000, 0.5, 5 * 0.5 / std::sqrt(4000));
  }
}

// Wrong answers follow softmax(-distance) with the truth masked: compared cell by cell with the
// sum of the probabilities over the cases.
TEST(Simulation, WrongAnswersFollowTheErrorDistribution) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto space = FeatureSpace::fit(clouds(seed, "train", 400));
    const Predictions test = clouds(seed, "test", 8000);
    const std::array experts{class_conditional("wrong", std::array{1e-9, 1e-9, 1e-9, 1e-9})};
    const auto answers = simulate_answers(space, test, experts, {seed, "test"});
    std::map<std::pair<std::size_t, std::size_t>, std::array<double, 3>> cells;
    for (std::size_t row = 0; row < test.size(); ++row) {
      const std::size_t y = index(test.label(row));
      const auto d = space.distances(test.features(row));
      double sum = 0;
      for (std::size_t k = 0; k < kFourClasses; ++k) sum += k == y ? 0 : std::exp(-d[k]);
      for (std::size_t k = 0; k < kFourClasses; ++k) {
        const double p = k == y ? 0 : std::exp(-d[k]) / sum;
        auto& [observed, expected, variance] = cells[{y, k}];
        observed += answers.at(case_id(row), expert_id(0)).is(class_id(k));
        expected += p;
        variance += p * (1 - p);
      }
    }
    for (const auto& [cell, numbers] : cells) {
      EXPECT_NEAR(numbers[0], numbers[1], 5 * std::sqrt(numbers[2]))
          << cell.first << " answered " << cell.second;
    }
  }
}

TEST(Simulation, AnAntiExpertAlwaysMakesTheSameMistake) {
  const auto space = FeatureSpace::fit(clouds(6, "train", 200));
  const Predictions test = clouds(6, "test", 2000);
  const auto experts = one_of_each();
  const auto answers = simulate_answers(space, test, experts, {6, "test"});
  std::size_t right = 0;
  for (std::size_t row = 0; row < test.size(); ++row) {
    if (test.label(row) != ClassId{3}) continue;
    right += answers.at(case_id(row), expert_id(4)).is(ClassId{3});
    EXPECT_TRUE(answers.at(case_id(row), expert_id(4)).is(ClassId{3}) ||
                answers.at(case_id(row), expert_id(4)).is(ClassId{0}));
  }
  EXPECT_NEAR(static_cast<double>(right) / 500, 0.05, 5 * std::sqrt(0.05 * 0.95 / 500));
}

// The toy's specialist, .90 on class 0 and .50 elsewhere, without any features; mistakes uniform.
TEST(Simulation, ClassConditionalExpertsNeedNoFeatures) {
  Predictions::Parts parts{ClassNames::numbered(3), {}, {}, {}, {}, 0};
  for (std::size_t i = 0; i < 9000; ++i) {
    parts.labels.push_back(class_id(i % 3));
    parts.probabilities.insert(parts.probabilities.end(), {0.2f, 0.3f, 0.5f});
  }
  const Predictions cases(std::move(parts));
  const std::array experts{class_conditional("toy", std::array{0.9, 0.5, 0.5})};
  const auto answers = simulate_answers(cases, experts, {11, "test"});
  std::array<std::array<double, 3>, 3> counts{};
  for (std::size_t row = 0; row < cases.size(); ++row) {
    ++counts[row % 3][index(answers.at(case_id(row), expert_id(0)).as_class())];
  }
  for (std::size_t y = 0; y < 3; ++y) {
    for (std::size_t m = 0; m < 3; ++m) {
      const double right = y == 0 ? 0.9 : 0.5;
      const double p = m == y ? right : (1 - right) / 2;
      EXPECT_NEAR(counts[y][m] / 3000, p, 5 * std::sqrt(p * (1 - p) / 3000));
    }
  }
  EXPECT_NEAR(true_accuracies(cases, experts).at(CaseId{0}, ExpertId{0}, ClassId{0}), 0.9, 1e-6);
  const std::array curved{variable_specialist("curved", 3, ClassId{0})};
  EXPECT_THROW(simulate_answers(cases, curved, {}), Error);
  EXPECT_THROW(true_accuracies(cases, curved), Error);
}

// By hand, 8 cases of class 0: wrong on {0,1,2} and on {1,2,3}; both wrong on 2 cases, once with
// the same answer. phi = (8*2 - 9) / sqrt(3*5*3*5) = 7/15.
bool same(const AnswerTable& a, const AnswerTable& b) {
  if (a.cases() != b.cases() || a.expert_names() != b.expert_names()) return false;
  for (std::size_t row = 0; row < a.cases(); ++row) {
    for (std::size_t j = 0; j < a.experts(); ++j) {
      const CaseId at = case_id(row);
      if (!(a.at(at, expert_id(j)) == b.at(at, expert_id(j)))) return false;
    }
  }
  return true;
}

// In the space of the training cases where there are features; flat experts need none.
TEST(Simulation, OfAGroupIsThatOfItsParts) {
  const Predictions training = clouds(3, "train", 60), cases = clouds(3, "test", 50);
  const auto experts = one_of_each();
  const FeatureSpace space = FeatureSpace::fit(training);
  const Simulation made = simulate_experts(training, cases, experts, {5, "test"});
  EXPECT_TRUE(same(made.answers, simulate_answers(space, cases, experts, {5, "test"})));
  EXPECT_TRUE(
      same(made.training_answers, simulate_answers(space, training, experts, {5, "train"})));
  EXPECT_EQ(made.accuracies.values, true_accuracies(space, cases, experts).values);

  Predictions::Parts parts = cases.parts();
  parts.features.clear();
  parts.feature_width = 0;
  const Predictions bare(std::move(parts));
  const std::vector<double> accuracies = {.9, .5, .5, .5};
  const std::vector<SimulatedExpert> flat = {class_conditional("flat", accuracies)};
  EXPECT_FALSE(needs_features(flat.front()));
  const Simulation without = simulate_experts(training, bare, flat, {5, "test"});
  EXPECT_TRUE(same(without.answers, simulate_answers(bare, flat, {5, "test"})));
  EXPECT_TRUE(same(without.training_answers, simulate_answers(training, flat, {5, "train"})));
  EXPECT_TRUE(needs_features(experts.front()));
  EXPECT_THROW(simulate_experts(training, bare, experts, {5, "test"}), Error);
}

TEST(SimulationReport, PairsByHand) {
  Predictions::Parts parts{ClassNames::numbered(3), {}, {}, {}, {}, 0};
  parts.labels.assign(8, ClassId{0});
  for (int i = 0; i < 8; ++i) {
    parts.probabilities.insert(parts.probabilities.end(), {0.2f, 0.3f, 0.5f});
  }
  const Predictions cases(std::move(parts));
  AnswerTable answers({"e", "f", "g"}, 8);
  for (std::size_t row = 0; row < 8; ++row) {
    for (std::size_t j = 0; j < 3; ++j) answers.set(case_id(row), expert_id(j), ClassId{0});
  }
  for (const std::size_t row : {0, 1, 2}) answers.set(case_id(row), expert_id(0), ClassId{1});
  answers.set(case_id(1), expert_id(1), ClassId{1});
  for (const std::size_t row : {2, 3}) answers.set(case_id(row), expert_id(1), ClassId{2});
  const TrueAccuracies target{3, 3, std::vector<float>(8 * 3 * 3, 0.5f)};
  const auto report = report_simulation(cases, answers, target);
  EXPECT_DOUBLE_EQ(*report.experts[0].overall.accuracy, 5.0 / 8);
  EXPECT_DOUBLE_EQ(*report.experts[0].overall.target, 0.5);
  EXPECT_FALSE(report.experts[0].by_class[1].accuracy.has_value());
  ASSERT_EQ(report.pairs.size(), 3u);
  EXPECT_NEAR(*report.pairs[0].error_correlation, 7.0 / 15, 1e-15);
  EXPECT_EQ(report.pairs[0].both_wrong, 2u);
  EXPECT_DOUBLE_EQ(*report.pairs[0].same_answer_when_both_wrong, 0.5);
  EXPECT_FALSE(report.pairs[1].error_correlation.has_value());
  EXPECT_FALSE(report.pairs[1].same_answer_when_both_wrong.has_value());
}

// Two equal flat experts with a shared u are right on the same cases (phi = 1); with u of their
// own their errors are uncorrelated, within five standard errors 1/sqrt(n).
TEST(SimulationReport, SolvabilityDecidesTheErrorCorrelation) {
  const Predictions cases = clouds(8, "test", 10000);
  const std::array accuracy{0.7, 0.7, 0.7, 0.7};
  const std::array experts{class_conditional("a", accuracy), class_conditional("b", accuracy),
                           independent_noise(class_conditional("c", accuracy)),
                           independent_noise(class_conditional("d", accuracy))};
  const auto report = report_simulation(cases, simulate_answers(cases, experts, {8, "test"}),
                                        true_accuracies(cases, experts));
  for (const auto& pair : report.pairs) {
    const bool shared = pair.first == 0 && pair.second == 1;
    EXPECT_NEAR(*pair.error_correlation, shared ? 1 : 0, shared ? 1e-12 : 0.05);
    EXPECT_NEAR(*pair.same_answer_when_both_wrong, 1.0 / 3,
                5 * std::sqrt(2.0 / 9 / static_cast<double>(pair.both_wrong)));
  }
}

// A share r of luck is a latent correlation of r: where both are right on half of the cases, errors
// correlate by (2 / pi) asin r (Sheppard's formula). The accuracy itself does not change.
TEST(SimulationReport, SharedLuckIsTheCorrelationOfALatentNormal) {
  const Predictions cases = clouds(9, "test", 40000);
  const std::array accuracy{0.5, 0.5, 0.5, 0.5};
  for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const std::array experts{with_shared_luck(class_conditional("a", accuracy), share),
                             with_shared_luck(class_conditional("b", accuracy), share)};
    const auto report = report_simulation(cases, simulate_answers(cases, experts, {9, "test"}),
                                          true_accuracies(cases, experts));
    for (const auto& expert : report.experts) EXPECT_NEAR(*expert.overall.accuracy, .5, .0125);
    EXPECT_NEAR(*report.pairs[0].error_correlation, 2 / std::numbers::pi * std::asin(share), .025)
        << share;
  }
}

// What is shared is the same whatever the share: a pair with all of it shared and a pair with half
// meet the same hard cases.
TEST(SimulationReport, TheSharedPartOfLuckIsTheCases) {
  const Predictions cases = clouds(10, "test", 40000);
  const std::array accuracy{0.5, 0.5, 0.5, 0.5};
  const std::array experts{class_conditional("a", accuracy),
                           with_shared_luck(class_conditional("b", accuracy), .5)};
  const auto report = report_simulation(cases, simulate_answers(cases, experts, {10, "test"}),
                                        true_accuracies(cases, experts));
  EXPECT_NEAR(*report.pairs[0].error_correlation, 2 / std::numbers::pi * std::asin(std::sqrt(.5)),
              .025);
}

// Each of the four accuracies moves on the logit scale by a normal draw of its own.
TEST(Simulation, SkillsSpreadNormallyAroundAnArchetype) {
  constexpr std::size_t kDraws = 20000;
  const SpecialistCurves around = stable_curves();
  std::array<double, 4> sum{}, squares{};
  double products = 0;
  for (std::size_t i = 0; i < kDraws; ++i) {
    const auto drawn = drawn_around(around, .25, Key(3).with(i));
    const std::array moved{drawn.specialty.alpha + drawn.specialty.beta - around.specialty.alpha -
                               around.specialty.beta,
                           drawn.specialty.beta - around.specialty.beta,
                           drawn.elsewhere.alpha + drawn.elsewhere.beta - around.elsewhere.alpha -
                               around.elsewhere.beta,
                           drawn.elsewhere.beta - around.elsewhere.beta};
    for (std::size_t d = 0; d < 4; ++d) {
      sum[d] += moved[d];
      squares[d] += moved[d] * moved[d];
    }
    products += moved[0] * moved[1];
  }
  const double standard_error = .25 / std::sqrt(static_cast<double>(kDraws));
  for (std::size_t d = 0; d < 4; ++d) {
    EXPECT_NEAR(sum[d] / kDraws, 0, 5 * standard_error);
    EXPECT_NEAR(std::sqrt(squares[d] / kDraws), .25, 5 * standard_error);
  }
  EXPECT_NEAR(products / kDraws, 0, 5 * .25 * standard_error);
}

TEST(Simulation, RefusesExpertsThatDoNotFit) {
  const Predictions cases = clouds(1, "train", 40);
  const std::array accuracy{0.7, 0.7, 0.7, 0.7};
  EXPECT_THROW(
      simulate_answers(
          cases, std::array{class_conditional("a", accuracy), class_conditional("a", accuracy)},
          {}),
      Error);
  EXPECT_THROW(
      simulate_answers(cases, std::array{class_conditional("a", std::array{0.5, 0.5})}, {}), Error);
  EXPECT_THROW(variable_specialist("a", 4, ClassId{4}), Error);
  for (const double share : {-.1, 1.1, std::nan("")}) {
    EXPECT_THROW(with_shared_luck(class_conditional("a", accuracy), share), Error);
  }
  const auto same = anti_expert("a", 4, {ClassId{1}, ClassId{1}}, AccuracyCurve::flat(0.5));
  EXPECT_THROW(simulate_answers(cases, std::array{same}, {}), Error);
}

}  // namespace
}  // namespace ifd
