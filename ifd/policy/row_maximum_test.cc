#include "ifd/policy/row_maximum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "ifd/random/keyed_random.h"
#include "tests/instruction_sets.h"

namespace ifd {
namespace {

// Every length around the widths of vectors; few distinct values, so that most maxima are shared.
TEST(RowMaximum, IsWhatALoopFinds) {
  on_every_instruction_set([] {
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
      SCOPED_TRACE(testing::Message() << "seed " << seed);
      const Key key(seed);
      std::vector<double> values(1 + seed % 70);
      const std::uint64_t distinct = 1 + key.below(2 * values.size(), 0);
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<double>(key.with("value").below(distinct, i)) - 7.5;
        if (key.with("never").below(5, i) == 0) {
          values[i] = -std::numeric_limits<double>::infinity();
        }
      }
      const RowMaximum found = row_maximum(values);
      const auto top = std::max_element(values.begin(), values.end());
      EXPECT_EQ(found.value, *top);
      EXPECT_EQ(found.first, static_cast<std::size_t>(top - values.begin()));
      EXPECT_EQ(found.alone, std::count(values.begin(), values.end(), *top) == 1);
    }
  });
}

}  // namespace
}  // namespace ifd
