#include "ifd/decision/expected_saving.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ifd/decision/combined_answer.h"
#include "ifd/decision/value_of_information.h"
#include "tests/profile_of.h"
#include "tests/small_cost_table.h"

namespace ifd {
namespace {

constexpr double kRounding = 1e-12;

ExpectedCosts costs_of_table(const SmallTable& table) {
  return ExpectedCosts(std::make_shared<const Costs>(table.made()));
}

// rho_y l(m|y)
std::vector<double> after_answer(std::span<const double> belief, std::span<const double> means,
                                 std::size_t m) {
  const std::size_t k = belief.size();
  std::vector<double> after(k);
  for (std::size_t y = 0; y < k; ++y) {
    after[y] = belief[y] * (y == m ? means[y] : (1 - means[y]) / static_cast<double>(k - 1));
  }
  return after;
}

std::vector<double> costs_of_labels_under(std::span<const double> belief,
                                          const std::vector<double>& costs) {
  const std::size_t k = belief.size();
  std::vector<double> of(k, 0.0);
  for (std::size_t label = 0; label < k; ++label) {
    for (std::size_t y = 0; y < k; ++y) of[label] += belief[y] * costs[y * k + label];
  }
  return of;
}

double least_cost(std::span<const double> belief, const std::vector<double>& costs) {
  const std::vector<double> of = costs_of_labels_under(belief, costs);
  return *std::min_element(of.begin(), of.end());
}

// The definition: the cheapest label's cost now, less that of the cheapest after each answer.
double enumerated_saving(std::span<const double> belief, std::span<const double> means,
                         const std::vector<double>& costs) {
  double saving = least_cost(belief, costs);
  for (std::size_t m = 0; m < belief.size(); ++m) {
    saving -= least_cost(after_answer(belief, means, m), costs);
  }
  return saving;
}

std::vector<double> doubles(const std::vector<float>& values) {
  return {values.begin(), values.end()};
}

// What is saved is the definition's, and the combined label after every answer is a cheapest one.
TEST(ExpectedSaving, AgreesWithEnumerationOnTwoHundredThousandSmallTables) {
  SavingScratch scratch;
  for (std::uint64_t seed = 0; seed < 200'000; ++seed) {
    const SmallTable table = small_table(Key(61).with(seed));
    const ExpectedCosts costs = costs_of_table(table);
    const std::vector<double> belief = doubles(table.probabilities);
    const ExpertProfile& profile = table.roster.profiles[0];
    const double saved = expected_saving(costs, table.probabilities, profile.means(), scratch);
    double right = 0;
    bool cheapest = true;
    for (std::size_t m = 0; m < belief.size(); ++m) {
      const std::vector<double> after = after_answer(belief, profile.means(), m);
      const std::vector<double> of_labels = costs_of_labels_under(after, table.costs);
      const double least = *std::min_element(of_labels.begin(), of_labels.end());
      double chance = 0, total = 0;
      for (std::size_t k = 0; k < after.size(); ++k) {
        if (of_labels[k] < least + kRounding) chance = std::max(chance, after[k]);
        total += after[k];
      }
      right += chance;
      const GivenAnswer given{&profile, Answer(class_id(m))};
      const CombinedAnswer made = combine(table.probabilities, std::span(&given, 1), 1, &costs);
      cheapest = cheapest && of_labels[index(made.label)] < least + kRounding &&
                 std::abs(*made.cost * total - least) < kRounding;
    }
    ASSERT_TRUE(cheapest) << "seed " << seed;
    ASSERT_GE(saved, 0) << "seed " << seed;
    ASSERT_NEAR(saved, enumerated_saving(belief, profile.means(), table.costs), kRounding)
        << "seed " << seed;
    ASSERT_NEAR(chance_of_right_label(costs, table.probabilities, profile.means(), scratch), right,
                kRounding)
        << "seed " << seed;
  }
}

// A second answer beside the first: every pair of answers, with what is known after both.
TEST(ExpectedSaving, OfASecondAnswerAgreesWithEnumeration) {
  SavingScratch scratch;
  for (std::uint64_t seed = 0; seed < 5'000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const SmallTable table = small_table(Key(62).with(seed));
    const ExpectedCosts costs = costs_of_table(table);
    const std::vector<double> belief = doubles(table.probabilities);
    const auto first = table.roster.profiles.front().means();
    const auto second = table.roster.profiles.back().means();
    double saved = 0;
    for (std::size_t m = 0; m < belief.size(); ++m) {
      saved += enumerated_saving(after_answer(belief, first, m), second, table.costs);
    }
    ASSERT_NEAR(saving_of_second_answer(costs, belief, first, second, scratch), saved,
                kRounding * costs.unit());
  }
}

// Renaming the classes, costs along with them, changes no bit of what is saved or expected.
TEST(ExpectedSaving, IsInvariantToRenamingTheClasses) {
  SavingScratch scratch;
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key = Key(63).with(seed);
    const SmallTable table = small_table(key), renamed = table.renamed(key);
    const ExpectedCosts costs = costs_of_table(table), other = costs_of_table(renamed);
    for (std::size_t j = 0; j < table.roster.size(); ++j) {
      const auto means = table.roster.profiles[j].means();
      const auto same = renamed.roster.profiles[j].means();
      ASSERT_EQ(expected_saving(costs, table.probabilities, means, scratch),
                expected_saving(other, renamed.probabilities, same, scratch));
      ASSERT_EQ(chance_of_right_label(costs, table.probabilities, means, scratch),
                chance_of_right_label(other, renamed.probabilities, same, scratch));
    }
  }
}

// Where every mistake costs the same, the label is the most probable one to the last bit, and what
// is saved so many times the value of information.
TEST(ExpectedSaving, UnderEvenCostsIsTheValueOfInformation) {
  SavingScratch scratch;
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    SmallTable table = small_table(Key(64).with(seed));
    const std::size_t k = table.classes();
    const double cost = seed % 2 == 0 ? 1 : 3.7;
    for (std::size_t i = 0; i < k * k; ++i) table.costs[i] = i / k == i % k ? 0 : cost;
    const ExpectedCosts costs = costs_of_table(table);  // with fees or without
    const ExpertProfile& profile = table.roster.profiles[0];
    ASSERT_EQ(expected_saving(costs, table.probabilities, profile.means(), scratch),
              cost * value_of_information(table.probabilities, profile.means()));
    for (std::size_t m = 0; m < k; ++m) {
      const GivenAnswer given{&profile, Answer(class_id(m))};
      const CombinedAnswer plain = combine(table.probabilities, std::span(&given, 1));
      const CombinedAnswer made = combine(table.probabilities, std::span(&given, 1), 1, &costs);
      ASSERT_EQ(made.label, plain.label);
      ASSERT_EQ(made.tied, plain.tied);
      ASSERT_EQ(made.posterior, plain.posterior);
      ASSERT_FALSE(plain.cost.has_value());
      ASSERT_EQ(made.cost, cost * (1 - plain.probability()));
    }
  }
}

// By hand: melanoma 5 %, missed at 50, and 1 for a needless biopsy. The model says melanoma for
// .95. Ann is right on 3 of 4 melanomas and on 9 of 10 others. Where she says nevus (.0125 of
// melanomas, .855 of others) a nevus costs .625 and a melanoma .855: now nevus is cheaper, by .23.
// Where she says melanoma (.0375, .095) it stays: .095 against 1.875.
TEST(ExpectedSaving, IsWhatAHandCalculationSays) {
  const ExpectedCosts costs(std::make_shared<const Costs>(ClassNames({"mel", "nevus"}),
                                                          std::vector<double>{0, 50, 1, 0}));
  const std::vector<double> belief = {.05, .95}, means = {.75, .9};
  SavingScratch scratch;
  EXPECT_NEAR(expected_saving(costs, belief, means, scratch), .855 - .625, kRounding);
  // A coin tells nothing, and nothing is saved, not even by rounding.
  EXPECT_EQ(expected_saving(costs, belief, std::vector<double>{.5, .5}, scratch), 0);

  const std::vector<float> model = {.05F, .95F};
  const ExpertProfile ann = profile_of({{2, 2}, {8, 8}});  // means 3/4 and 9/10
  const GivenAnswer nevus{&ann, Answer(class_id(1))}, outside{&ann, Answer::outside()};
  EXPECT_EQ(combine(model, std::span(&nevus, 1), 1, &costs).label, class_id(1));
  const CombinedAnswer unheard = combine(model, std::span(&outside, 1), 1, &costs);
  EXPECT_EQ(unheard.label, class_id(0));  // the model's, by the costs
  EXPECT_NEAR(*unheard.cost, .95, 1e-6);
  EXPECT_EQ(combine(model, std::span(&outside, 1)).label, class_id(1));
}

}  // namespace
}  // namespace ifd
