#include "ifd/evaluation/budget_curve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "ifd/error.h"
#include "ifd/random/keyed_random.h"
#include "ifd/routing/margin_table.h"

namespace ifd {
namespace {

struct Example {
  std::vector<double> margins;
  std::vector<CaseOutcome> outcomes;
  std::size_t size() const { return margins.size(); }
};

// Margins from four values, one of them "nobody can": blocks of every size. A credit is a wrong
// answer, a right one, or one that two or three labels share.
Example random_example(const Key& key, std::size_t max_cases) {
  Example example;
  const std::size_t cases = 1 + key.with("cases").below(max_cases);
  for (std::size_t i = 0; i < cases; ++i) {
    const std::size_t value = key.with("margin").below(4, i);
    example.margins.push_back(value == 3 ? kNeverDefer : static_cast<double>(value) - 1.5);
    const std::uint64_t bits = key.with("outcome").bits(i);
    const Credit credits[] = {kWrongAnswer, kRightAnswer, shared_credit(2), shared_credit(3)};
    example.outcomes.push_back({credits[bits % 4], credits[bits / 4 % 4]});
  }
  return example;
}

// The curve of right and wrong answers as counts of cases, in the arithmetic of counts.
struct CountedCurve {
  struct Totals {
    double margin = 0;
    std::uint32_t end = 0, model = 0, expert = 0;
  };
  std::vector<Totals> blocks;
  std::size_t cases = 0, model = 0;

  explicit CountedCurve(const Example& example) : cases(example.size()) {
    std::vector<std::size_t> order(cases);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return example.margins[a] > example.margins[b];
    });
    Totals total;
    for (const std::size_t i : order) {
      const bool model_right = example.outcomes[i].model == kRightAnswer;
      model += model_right ? 1 : 0;
      if (example.margins[i] == kNeverDefer) continue;
      total.margin = example.margins[i];
      ++total.end;
      total.model += model_right ? 1 : 0;
      total.expert += example.outcomes[i].expert == kRightAnswer ? 1 : 0;
      if (!blocks.empty() && blocks.back().margin == total.margin) blocks.pop_back();
      blocks.push_back(total);
    }
  }

  double right_at_end(const Totals& block) const {
    return static_cast<double>(model - block.model + block.expert);
  }
  double right_within(const Totals& before, const Totals& block, double at) const {
    const double start = right_at_end(before);
    return start + (at - before.end) * (right_at_end(block) - start) / (block.end - before.end);
  }
  double aursac(double low_cut, double high_cut) const {
    double area = 0;
    Totals before;
    for (const Totals& block : blocks) {
      const double low = std::max(low_cut, static_cast<double>(before.end));
      const double high = std::min(high_cut, static_cast<double>(block.end));
      if (low < high) {
        area += (high - low) * 0.5 *
                (right_within(before, block, low) + right_within(before, block, high));
      }
      before = block;
    }
    const double low = std::max(low_cut, static_cast<double>(before.end));
    if (low < high_cut) area += (high_cut - low) * right_at_end(before);
    return area / (high_cut - low_cut) / static_cast<double>(cases);
  }
  double expert_accuracy(std::size_t deferred) const {
    Totals before;
    for (const Totals& block : blocks) {
      if (deferred <= block.end) {
        const double right = block.expert - before.expert;
        const double width = block.end - before.end;
        return (before.expert + static_cast<double>(deferred - before.end) * right / width) /
               static_cast<double>(deferred);
      }
      before = block;
    }
    return static_cast<double>(before.expert) / before.end;
  }
};

// Credits changed no number: where every answer is right or wrong, what comes out is, bit for bit,
// what counting cases gives.
TEST(BudgetCurve, OfWholeAnswersIsTheArithmeticOfCounts) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key(seed);
    Example example = random_example(key, 400);
    for (std::size_t i = 0; i < example.size(); ++i) {
      if (seed % 2 == 0) example.margins[i] += key.with("apart").uniform(i);
      const std::uint64_t bits = key.with("whole").bits(i);
      example.outcomes[i] = {credit_if((bits & 1) != 0), credit_if((bits & 2) != 0)};
    }
    const BudgetCurve curve(example.margins, example.outcomes);
    const CountedCurve counted(example);
    const auto n = static_cast<double>(example.size());
    EXPECT_EQ(curve.model_accuracy(), static_cast<double>(counted.model) / n);
    EXPECT_EQ(curve.aursac(), counted.aursac(0, n));
    EXPECT_EQ(curve.aursac(.25, .5), counted.aursac(.25 * n, .5 * n));
    if (counted.blocks.empty()) continue;
    for (std::size_t i = 1; i <= example.size(); ++i) {
      EXPECT_EQ(curve.expert_accuracy(static_cast<double>(i) / n), counted.expert_accuracy(i));
    }
  }
}

struct Oracle {
  std::vector<double> system;  // N+1 points
  std::vector<double> expert;  // empty where nothing can be deferred
};

// The definition, by enumeration: all orders of the rows that agree with the margins, each with
// its own curve, averaged point by point.
Oracle average_over_orders(const Example& example) {
  const std::size_t n = example.size();
  std::size_t deferrable = 0;
  double first_block = 0;
  double first_right = 0;
  const double largest = *std::max_element(example.margins.begin(), example.margins.end());
  for (std::size_t i = 0; i < n; ++i) {
    if (example.margins[i] == kNeverDefer) continue;
    ++deferrable;
    if (example.margins[i] == largest) {
      first_block += 1;
      first_right += share(example.outcomes[i].expert);
    }
  }
  std::vector<double> system(n + 1, 0);
  std::vector<double> expert(n + 1, 0);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  double orders = 0;
  do {
    if (!std::is_sorted(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
          return example.margins[a] > example.margins[b];
        })) {
      continue;
    }
    orders += 1;
    for (std::size_t i = 0; i <= n; ++i) {
      const std::size_t deferred = std::min(i, deferrable);
      double system_right = 0;
      double expert_right = 0;
      for (std::size_t rank = 0; rank < n; ++rank) {
        const CaseOutcome& outcome = example.outcomes[order[rank]];
        system_right += share(rank < deferred ? outcome.expert : outcome.model);
        expert_right += rank < deferred ? share(outcome.expert) : 0;
      }
      system[i] += system_right / static_cast<double>(n);
      if (deferred > 0) expert[i] += expert_right / static_cast<double>(deferred);
    }
  } while (std::next_permutation(order.begin(), order.end()));
  for (double& value : system) value /= orders;
  for (double& value : expert) value /= orders;
  if (deferrable == 0) return {system, {}};
  expert[0] = first_right / first_block;
  return {system, expert};
}

// The polyline through values[i] at i/N.
double interpolate(const std::vector<double>& values, double d) {
  const double x = d * static_cast<double>(values.size() - 1);
  const std::size_t i = std::min(static_cast<std::size_t>(x), values.size() - 2);
  return values[i] + (x - static_cast<double>(i)) * (values[i + 1] - values[i]);
}

// Mean of that polyline over a range: trapezoids between the cut ends and the points inside.
double trapezoid_mean(const std::vector<double>& values, double d_min, double d_max) {
  std::vector<double> knots{d_min};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double d = static_cast<double>(i) / static_cast<double>(values.size() - 1);
    if (d > d_min && d < d_max) knots.push_back(d);
  }
  knots.push_back(d_max);
  double area = 0;
  for (std::size_t i = 1; i < knots.size(); ++i) {
    area += (knots[i] - knots[i - 1]) / 2 *
            (interpolate(values, knots[i]) + interpolate(values, knots[i - 1]));
  }
  return area / (d_max - d_min);
}

void expect_equals_oracle(const BudgetCurve& curve, const Oracle& oracle, const Key& key) {
  const std::size_t n = oracle.system.size() - 1;
  double d_min = key.uniform(0);
  double d_max = key.uniform(1);
  if (d_min > d_max) std::swap(d_min, d_max);
  for (std::size_t i = 0; i <= n; ++i) {
    const double d = static_cast<double>(i) / static_cast<double>(n);
    EXPECT_NEAR(curve.system_accuracy(d), oracle.system[i], 1e-12);
    ASSERT_EQ(curve.expert_accuracy(d).has_value(), !oracle.expert.empty());
    if (!oracle.expert.empty()) {
      EXPECT_NEAR(*curve.expert_accuracy(d), oracle.expert[i], 1e-12);
    }
  }
  EXPECT_NEAR(curve.system_accuracy(d_min), interpolate(oracle.system, d_min), 1e-12);
  EXPECT_NEAR(curve.aursac(), trapezoid_mean(oracle.system, 0, 1), 1e-12);
  EXPECT_NEAR(curve.aursac(d_min, d_max), trapezoid_mean(oracle.system, d_min, d_max), 1e-10);
  ASSERT_EQ(curve.aurdac().has_value(), !oracle.expert.empty());
  if (oracle.expert.empty()) return;
  EXPECT_NEAR(*curve.expert_accuracy(d_min), interpolate(oracle.expert, d_min), 1e-12);
  EXPECT_NEAR(*curve.aurdac(), trapezoid_mean(oracle.expert, 0, 1), 1e-12);
  EXPECT_NEAR(*curve.aurdac(d_min, d_max), trapezoid_mean(oracle.expert, d_min, d_max), 1e-10);
}

TEST(BudgetCurve, IsTheAverageOverAllOrdersOfTies) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Example example = random_example(Key(seed), 6);
    const BudgetCurve curve(example.margins, example.outcomes);
    EXPECT_EQ(curve.cases(), example.size());
    expect_equals_oracle(curve, average_over_orders(example), Key(seed).with("range"));
  }
}

TEST(BudgetCurve, RowOrderChangesNoBit) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Example example = random_example(Key(seed), 60);
    const BudgetCurve curve(example.margins, example.outcomes);
    for (std::size_t i = example.size(); i > 1; --i) {
      const std::size_t j = Key(seed).with("shuffle").below(i, i);
      std::swap(example.margins[i - 1], example.margins[j]);
      std::swap(example.outcomes[i - 1], example.outcomes[j]);
    }
    const BudgetCurve shuffled(example.margins, example.outcomes);
    EXPECT_EQ(curve.aursac(0.1, 0.9), shuffled.aursac(0.1, 0.9));
    EXPECT_EQ(curve.aurdac(0.1, 0.9), shuffled.aurdac(0.1, 0.9));
    EXPECT_EQ(curve.model_accuracy(), shuffled.model_accuracy());
    for (const double d : {0.0, 0.33, 0.5, 1.0}) {
      EXPECT_EQ(curve.system_accuracy(d), shuffled.system_accuracy(d));
      EXPECT_EQ(curve.expert_accuracy(d), shuffled.expert_accuracy(d));
    }
  }
}

// A weight w is w copies of the row.
TEST(BudgetCurve, WeightsCountAsCopies) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key(seed);
    const Example example = random_example(key, 12);
    std::vector<std::uint32_t> weights(example.size());
    Example copies;
    for (std::size_t i = 0; i < example.size(); ++i) {
      weights[i] = static_cast<std::uint32_t>(key.with("weight").below(4, i));
      copies.margins.insert(copies.margins.end(), weights[i], example.margins[i]);
      copies.outcomes.insert(copies.outcomes.end(), weights[i], example.outcomes[i]);
    }
    const RankedCases ranked(example.margins, example.outcomes);
    if (copies.margins.empty()) {
      EXPECT_THROW(BudgetCurve(ranked, weights), Error);
      continue;
    }
    const BudgetCurve weighted(ranked, weights);
    const BudgetCurve plain(copies.margins, copies.outcomes);
    EXPECT_EQ(weighted.cases(), plain.cases());
    EXPECT_EQ(weighted.deferrable(), plain.deferrable());
    EXPECT_EQ(weighted.model_accuracy(), plain.model_accuracy());
    EXPECT_EQ(weighted.aursac(0.2, 0.7), plain.aursac(0.2, 0.7));
    EXPECT_EQ(weighted.aurdac(0.2, 0.7), plain.aurdac(0.2, 0.7));
    EXPECT_EQ(weighted.aurdac(), plain.aurdac());
  }
}

// By hand. Order: a (2.0), then the block b, c (1.0), then d, which nobody can take.
//   model right: a no, b yes, c no, d yes; expert right: a yes, b no, c yes.
//   SysAcc: 2/4 -> 3/4 (a) -> block changes by 0+1-1 = 0 -> 3/4, 3/4, then constant.
//   ExpAcc: 1 at 0 and 1, (1+1/2)/2 = 3/4 at 2, 2/3 at 3 and 4.
TEST(BudgetCurve, HandExample) {
  const std::vector<double> margins{1.0, 2.0, kNeverDefer, 1.0};
  const std::vector<CaseOutcome> outcomes{{kRightAnswer, kWrongAnswer},
                                          {kWrongAnswer, kRightAnswer},
                                          {kRightAnswer, kRightAnswer},
                                          {kWrongAnswer, kRightAnswer}};
  const BudgetCurve curve(margins, outcomes);
  EXPECT_EQ(curve.model_accuracy(), 0.5);
  EXPECT_EQ(curve.deferrable(), 3u);
  EXPECT_EQ(curve.deferred_at(2.5), 0u);
  EXPECT_EQ(curve.deferred_at(2.0), 1u);
  EXPECT_EQ(curve.deferred_at(1.5), 1u);
  EXPECT_EQ(curve.deferred_at(1.0), 3u);
  EXPECT_EQ(curve.deferred_at(kNeverDefer), 3u);
  EXPECT_EQ(curve.system_accuracy(0), 0.5);
  EXPECT_EQ(curve.system_accuracy(0.125), 0.625);
  EXPECT_EQ(curve.system_accuracy(0.25), 0.75);
  EXPECT_EQ(curve.system_accuracy(1), 0.75);
  EXPECT_EQ(curve.expert_accuracy(0), 1.0);
  EXPECT_EQ(curve.expert_accuracy(0.25), 1.0);
  EXPECT_EQ(curve.expert_accuracy(0.5), 0.75);
  EXPECT_EQ(curve.expert_accuracy(0.375), 0.875);
  EXPECT_EQ(curve.expert_accuracy(1), 2.0 / 3);
  EXPECT_DOUBLE_EQ(curve.aursac(), (0.625 + 3 * 0.75) / 4);
  EXPECT_DOUBLE_EQ(*curve.aurdac(), (1 + 0.875 + (0.75 + 2.0 / 3) / 2 + 2.0 / 3) / 4);
  // [0.125, 0.375]: half of the first cell and half of the second.
  EXPECT_DOUBLE_EQ(curve.aursac(0.125, 0.375), (0.6875 + 0.75) / 2);
  EXPECT_DOUBLE_EQ(*curve.aurdac(0.125, 0.375), (1 + 0.9375) / 2);
  // Inside one cell.
  EXPECT_DOUBLE_EQ(*curve.aurdac(0.25, 0.375), 0.9375);
  EXPECT_DOUBLE_EQ(*curve.aurdac(0.3125, 0.4375), 0.875);

  const auto points = curve.points(5);
  ASSERT_EQ(points.size(), 5u);
  EXPECT_EQ(points[2].budget, 0.5);
  EXPECT_EQ(points[2].system_accuracy, 0.75);
  EXPECT_EQ(points[2].expert_accuracy, 0.75);
}

// Two neighbouring doubles are a range, although their positions may round to the same case.
TEST(BudgetCurve, NarrowestRangeIsThePoint) {
  const Example example = random_example(Key(5), 100);
  const BudgetCurve curve(example.margins, example.outcomes);
  for (std::size_t percent = 1; percent < 100; ++percent) {
    SCOPED_TRACE(testing::Message() << "percent " << percent);
    const double low = static_cast<double>(percent) / 100;
    const double high = std::nextafter(low, 1.0);
    EXPECT_NEAR(curve.aursac(low, high), curve.system_accuracy(low), 1e-12);
    EXPECT_NEAR(*curve.aurdac(low, high), *curve.expert_accuracy(low), 1e-12);
  }
}

// Nobody can take anything: the system is the model, and deferred accuracy is not defined.
TEST(BudgetCurve, WithoutExpertsIsTheModel) {
  const BudgetCurve curve(
      std::vector<double>{kNeverDefer, kNeverDefer},
      std::vector<CaseOutcome>{{kRightAnswer, kRightAnswer}, {kWrongAnswer, kRightAnswer}});
  EXPECT_EQ(curve.aursac(), 0.5);
  EXPECT_EQ(curve.system_accuracy(0.7), 0.5);
  EXPECT_EQ(curve.aurdac(), std::nullopt);
  EXPECT_EQ(curve.expert_accuracy(0.5), std::nullopt);
  EXPECT_EQ(curve.deferred_at(kNeverDefer), 0u);
}

TEST(BudgetCurve, RefusesWhatIsNotABudget) {
  const BudgetCurve curve(
      std::vector<double>{1, 2},
      std::vector<CaseOutcome>{{kRightAnswer, kRightAnswer}, {kWrongAnswer, kRightAnswer}});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(curve.aursac(0.5, 0.5), Error);
  EXPECT_THROW(curve.aursac(0.6, 0.5), Error);
  EXPECT_THROW(curve.aurdac(-0.1, 0.5), Error);
  EXPECT_THROW(curve.aurdac(0.1, 1.5), Error);
  EXPECT_THROW(curve.aurdac(nan, 0.5), Error);
  EXPECT_THROW(curve.system_accuracy(1.1), Error);
  EXPECT_THROW(curve.expert_accuracy(nan), Error);
  EXPECT_THROW(curve.points(1), Error);
  EXPECT_THROW(BudgetCurve(std::vector<double>{}, std::vector<CaseOutcome>{}), Error);
  EXPECT_THROW(
      BudgetCurve(std::vector<double>{nan}, std::vector<CaseOutcome>{{kRightAnswer, kRightAnswer}}),
      Error);
}

TEST(BudgetCurve, RefusesWhatDoesNotFitTogether) {
  const std::vector<double> margins{1, 2};
  const std::vector<CaseOutcome> outcomes(2, {kRightAnswer, kRightAnswer});
  EXPECT_THROW(BudgetCurve(margins, std::span(outcomes).first(1)), Error);
  const RankedCases ranked(margins, outcomes);
  EXPECT_THROW(BudgetCurve(ranked, std::vector<std::uint32_t>{1}), Error);
  EXPECT_THROW(BudgetCurve(ranked, std::vector<std::uint32_t>{1, 1, 1}), Error);
}

}  // namespace
}  // namespace ifd
