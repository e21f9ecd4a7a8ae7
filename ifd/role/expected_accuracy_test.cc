#include "ifd/role/expected_accuracy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "ifd/random/keyed_random.h"
#include "tests/instruction_sets.h"

namespace ifd {
namespace {

// Random rows with many equal and some zero probabilities.
std::vector<float> tied_probabilities(const Key& key, std::size_t classes) {
  std::vector<float> p(classes);
  float sum = 0;
  for (std::size_t k = 0; k < classes; ++k) sum += p[k] = static_cast<float>(key.below(4, k));
  if (sum == 0) return std::vector<float>(classes, 1.0F / static_cast<float>(classes));
  for (float& value : p) value /= sum;
  return p;
}

// Experts x classes.
std::vector<std::vector<double>> random_values(const Key& key, std::size_t experts,
                                               std::size_t classes) {
  std::vector<std::vector<double>> values(experts, std::vector<double>(classes));
  for (std::size_t j = 0; j < experts; ++j) {
    for (std::size_t k = 0; k < classes; ++k) values[j][k] = key.with(j).uniform(k);
  }
  return values;
}

TEST(ExpectedAccuracy, IsTheSumOfProducts) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key(seed);
    const std::size_t classes = 2 + key.below(20, 100);
    const std::size_t experts = 1 + key.below(40, 101);
    const auto p = tied_probabilities(key.with("p"), classes);
    const auto values = random_values(key, experts, classes);
    const std::vector<std::span<const double>> views(values.begin(), values.end());
    const ClassValues laid_out(views);
    std::vector<double> sums(experts);
    ExpectedAccuracy()(laid_out, p, sums);
    for (std::size_t j = 0; j < experts; ++j) {
      const double expected = std::inner_product(p.begin(), p.end(), values[j].begin(), 0.0);
      EXPECT_NEAR(sums[j], expected, 1e-12);
      // The same expert alone reads the same bits: lanes and neighbours do not matter.
      EXPECT_EQ(sums[j], expected_value(p, values[j]));
    }
  }
}

// Few classes are ordered in vectors, many are not; experts fill vectors of eight or do not.
TEST(ExpectedAccuracy, EveryInstructionSetGivesTheSameBits) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key(seed);
    const std::size_t classes = 2 + key.below(60, 100);
    const std::size_t experts = 1 + key.below(70, 101);
    const auto p = tied_probabilities(key.with("p"), classes);
    const auto values = random_values(key, experts, classes);
    const std::vector<std::span<const double>> views(values.begin(), values.end());
    const ClassValues laid_out(views);
    std::vector<double> first;
    on_every_instruction_set([&] {
      std::vector<double> sums(experts);
      ExpectedAccuracy()(laid_out, p, sums);
      if (first.empty()) first = sums;
      EXPECT_EQ(sums, first);
    });
  }
}

// Classes of equal probability may swap, which a plain sum in class order would notice.
TEST(ExpectedAccuracy, IsBitIdenticalUnderEveryRelabelling) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key(seed);
    const std::size_t classes = 2 + key.below(5, 100);
    const auto p = tied_probabilities(key.with("p"), classes);
    std::vector<double> values(classes);
    for (std::size_t k = 0; k < classes; ++k) values[k] = key.uniform(k);
    const double expected = expected_value(p, values);
    std::vector<std::size_t> order(classes);
    std::iota(order.begin(), order.end(), 0);
    do {
      std::vector<float> renamed_p;
      std::vector<double> renamed_values;
      for (const std::size_t k : order) {
        renamed_p.push_back(p[k]);
        renamed_values.push_back(values[k]);
      }
      ASSERT_EQ(expected_value(renamed_p, renamed_values), expected);
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

}  // namespace
}  // namespace ifd
