#include "ifd/decision/value_of_information.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "ifd/decision/label_change.h"
#include "ifd/random/keyed_random.h"

namespace ifd {
namespace {

struct Belief {
  std::vector<double> belief, means, other_means;
};

Belief random_belief(std::uint64_t seed) {
  const Key key(seed);
  const std::size_t classes = 2 + key.with("classes").below(6);
  const bool coarse = seed % 2 == 0;
  Belief made;
  double sum = 0;
  const auto draw = [&](const char* what, std::size_t y) {
    return coarse ? static_cast<double>(1 + key.with(what).below(4, y)) / 5
                  : key.with(what).uniform(y);
  };
  for (std::size_t y = 0; y < classes; ++y) {
    made.belief.push_back(draw("belief", y));
    sum += made.belief.back();
    made.means.push_back(draw("mean", y));
    made.other_means.push_back(draw("other", y));
  }
  for (double& value : made.belief) value /= sum;
  return made;
}

double likelihood(const std::vector<double>& means, std::size_t m, std::size_t y) {
  return m == y ? means[y] : (1 - means[y]) / static_cast<double>(means.size() - 1);
}

// The definition: every answer, every label.
TEST(ValueOfInformation, IsThatOfAllAnswersEnumerated) {
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Belief b = random_belief(seed);
    const std::size_t classes = b.belief.size();
    const double before = *std::max_element(b.belief.begin(), b.belief.end());
    double after = 0, after_both = 0;
    for (std::size_t m = 0; m < classes; ++m) {
      double best = 0;
      for (std::size_t y = 0; y < classes; ++y) {
        best = std::max(best, b.belief[y] * likelihood(b.means, m, y));
      }
      after += best;
      for (std::size_t second = 0; second < classes; ++second) {
        double best_of_two = 0;
        for (std::size_t y = 0; y < classes; ++y) {
          best_of_two = std::max(best_of_two, b.belief[y] * likelihood(b.means, m, y) *
                                                  likelihood(b.other_means, second, y));
        }
        after_both += best_of_two;
      }
    }
    const double value = value_of_information(std::span<const double>(b.belief), b.means);
    EXPECT_NEAR(value, after - before, 1e-12);
    EXPECT_GE(value, 0);
    EXPECT_NEAR(value_of_second_answer(b.belief, b.means, b.other_means), after_both - after,
                1e-12);
  }
}

// Exactly nothing, not nearly, where the label stands whatever the expert says: a budget is capped
// by it.
TEST(ValueOfInformation, IsNothingWhereNoAnswerChangesTheLabel) {
  std::size_t nothing = 0;
  for (std::uint64_t seed = 1; seed < 4000; seed += 2) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Belief b = random_belief(seed);
    b.belief[0] += 3;
    for (double& value : b.belief) value /= 4;
    bool changes = false;
    for (std::size_t m = 0; m < b.belief.size(); ++m) {
      for (std::size_t y = 1; y < b.belief.size(); ++y) {
        changes = changes ||
                  b.belief[y] * likelihood(b.means, m, y) > b.belief[0] * likelihood(b.means, m, 0);
      }
    }
    const double value = value_of_information(std::span<const double>(b.belief), b.means);
    EXPECT_EQ(value > 0, changes);
    const std::vector<float> rounded(b.belief.begin(), b.belief.end());
    EXPECT_EQ(can_change_label(rounded, b.means), value_of_information(rounded, b.means) > 0);
    nothing += changes ? 0 : 1;
  }
  EXPECT_GT(nothing, 100u);
}

TEST(ValueOfInformation, RenamingClassesChangesNoBit) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Belief b = random_belief(seed);
    Belief other = b;
    const std::size_t shift = 1 + Key(seed).with("shift").below(b.belief.size() - 1);
    for (auto* values : {&other.belief, &other.means, &other.other_means}) {
      std::rotate(values->begin(), values->begin() + static_cast<std::ptrdiff_t>(shift),
                  values->end());
    }
    EXPECT_EQ(value_of_information(std::span<const double>(b.belief), b.means),
              value_of_information(std::span<const double>(other.belief), other.means));
    EXPECT_EQ(value_of_second_answer(b.belief, b.means, b.other_means),
              value_of_second_answer(other.belief, other.means, other.other_means));
  }
}

// Who never errs makes everything right; who knows nothing adds nothing.
TEST(ValueOfInformation, OfSomebodyPerfectIsWhatTheModelLacks) {
  const std::vector<float> belief = {.5F, .25F, .25F};
  EXPECT_EQ(value_of_information(belief, std::vector<double>(3, 1.0)), .5);
  EXPECT_EQ(value_of_information(belief, std::vector<double>(3, 1.0 / 3)), 0);
}

}  // namespace
}  // namespace ifd
