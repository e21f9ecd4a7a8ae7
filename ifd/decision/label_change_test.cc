#include "ifd/decision/label_change.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "ifd/random/keyed_random.h"
#include "tests/instruction_sets.h"

namespace ifd {
namespace {

// Every number of classes around the widths of vectors, and beyond what they are for. Coarse
// numbers tie often, in beliefs and in means; a confident model often cannot be overruled.
TEST(LabelChange, OfManyCasesIsWhatALoopFinds) {
  on_every_instruction_set([] {
    std::size_t can_change = 0, cannot = 0, beats_chance = 0, does_not = 0;
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
      SCOPED_TRACE(testing::Message() << "seed " << seed);
      const Key key = Key(91).with(seed);
      const std::size_t classes = 2 + seed % 69, cases = 1 + key.below(40, 0);
      const std::uint64_t steps = seed % 3 == 0 ? 3 : 1000;
      std::vector<float> beliefs;
      for (std::size_t i = 0; i < cases * classes; ++i) {
        beliefs.push_back(static_cast<float>(key.with("belief").below(steps, i)) / 100000);
      }
      for (std::size_t i = 0; i < cases && seed % 2 == 0; ++i) {
        beliefs[i * classes + key.with("top").below(classes, i)] = .5F;
      }
      std::vector<double> means;
      for (std::size_t i = 0; i < 3 * classes; ++i) {
        const std::uint64_t right = 1 + key.with("right").below(steps, i);
        means.push_back(static_cast<double>(right) / static_cast<double>(steps + 1));
      }
      std::vector<AskedExpert> of_case;
      for (std::size_t i = 0; i < cases; ++i) {
        of_case.emplace_back(std::span(means).subspan(i % 3 * classes, classes));
        (of_case.back().beats_chance ? beats_chance : does_not) += 1;
      }
      std::vector<std::uint8_t> can(cases, 7);
      can_change_labels(beliefs, of_case, can);
      for (std::size_t i = 0; i < cases; ++i) {
        const bool plainly = can_change_label(std::span(beliefs).subspan(i * classes, classes),
                                              {of_case[i].means, classes});
        ASSERT_EQ(can[i], plainly ? 1 : 0) << "case " << i << " of " << classes << " classes";
        (plainly ? can_change : cannot) += 1;
      }
    }
    EXPECT_GT(can_change, 1000u);
    EXPECT_GT(cannot, 1000u);
    EXPECT_GT(beats_chance, 1000u);
    EXPECT_GT(does_not, 1000u);
  });
}

TEST(LabelChange, OfNoCasesIsNothing) {
  std::vector<std::uint8_t> can(3, 7);
  can_change_labels({}, {}, std::span(can).first(0));
  EXPECT_EQ(can, std::vector<std::uint8_t>(3, 7));
}

}  // namespace
}  // namespace ifd
