#include "ifd/random/keyed_random.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

namespace ifd {
namespace {

// The numbers of a key are part of the project's contract: results published with a seed must be
// reproducible by every later version. Computed once by this code; any change must be deliberate.
TEST(Key, NumbersNeverChange) {
  EXPECT_EQ(Key(7).with("solvability").with("test").with("case-1").bits(), 14349443052555048550ULL);
}

TEST(Key, PartsAreNotConfusedWithEachOther) {
  const Key key(1);
  std::set<std::uint64_t> seen;
  for (const Key& k : {key.with("ab").with("c"), key.with("a").with("bc"), key.with("abc"),
                       key.with("").with("abc"), key.with(1).with(2), key.with(2).with(1),
                       key.with(1), key.with("1")}) {
    EXPECT_TRUE(seen.insert(k.bits()).second);
  }
}

// Pearson's chi-square over 64 cells has mean 63 and variance 126; 63 + 6 sd = 130.
TEST(Key, UniformOverCasesAndOverDraws) {
  constexpr int kDraws = 64000;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::array<int, 64> by_key{};
    std::array<int, 64> by_draw{};
    for (int i = 0; i < kDraws; ++i) {
      ++by_key[static_cast<std::size_t>(Key(seed).with(i).uniform() * 64)];
      ++by_draw[Key(seed).below(64, i)];
    }
    for (const auto& counts : {by_key, by_draw}) {
      double chi_square = 0;
      for (const int count : counts) chi_square += std::pow(count - kDraws / 64.0, 2) / 1000.0;
      EXPECT_LT(chi_square, 130);
    }
  }
}

TEST(Key, BelowReachesEveryValueAndNoOther) {
  for (std::size_t bound = 1; bound < 20; ++bound) {
    std::set<std::size_t> seen;
    for (std::uint64_t i = 0; i < 2000; ++i) seen.insert(Key(3).with(i).below(bound));
    EXPECT_EQ(seen.size(), bound);
    EXPECT_EQ(*seen.rbegin(), bound - 1);
  }
}

// Mean 0, variance 1, kurtosis 3; six standard errors at a hundred thousand draws.
TEST(Key, NormalHasTheMomentsOfANormal) {
  constexpr int kDraws = 100000;
  double sum = 0, sum2 = 0, sum4 = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = Key(5).normal(i);
    sum += x;
    sum2 += x * x;
    sum4 += x * x * x * x;
  }
  EXPECT_NEAR(sum / kDraws, 0, 6 / std::sqrt(kDraws));
  EXPECT_NEAR(sum2 / kDraws, 1, 6 * std::sqrt(2.0 / kDraws));
  EXPECT_NEAR(sum4 / kDraws, 3, 6 * std::sqrt(96.0 / kDraws));
}

}  // namespace
}  // namespace ifd
