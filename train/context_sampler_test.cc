#include "train/context_sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/refusal.h"

namespace ifd::train {
namespace {

ExpertContext context_of(const std::string& expert, std::size_t per_class, std::size_t classes) {
  ExpertContext context{expert, {}};
  for (std::size_t k = 0; k < classes; ++k) {
    for (std::size_t i = 0; i < per_class; ++i) {
      context.rows.push_back({"case" + std::to_string(k * per_class + i), class_id(k),
                              i % 2 == 0 ? Answer(class_id(k)) : Answer::outside()});
    }
  }
  return context;
}

// The draw is a set of names: shuffling the file changes nothing.
TEST(ContextSampler, DrawsNamesNotPositions) {
  const std::vector<std::string> names = {"a", "b", "c", "d", "e", "f", "g"};
  const std::vector<std::string> reversed(names.rbegin(), names.rend());
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::vector<std::string> drawn, drawn_reversed;
    for (const auto i : sample_names(names, 3, Key(seed))) drawn.push_back(names[i]);
    for (const auto i : sample_names(reversed, 3, Key(seed))) {
      drawn_reversed.push_back(reversed[i]);
    }
    EXPECT_EQ(drawn, drawn_reversed);
    EXPECT_EQ(std::set<std::string>(drawn.begin(), drawn.end()).size(), 3u);
  }
  EXPECT_EQ(sample_names(names, 100, Key(1)).size(), names.size());
}

// Every name is drawn equally often: 3 of 7, over 7000 draws, within five standard deviations.
TEST(ContextSampler, IsUniform) {
  const std::vector<std::string> names = {"a", "b", "c", "d", "e", "f", "g"};
  std::vector<int> count(names.size(), 0);
  for (std::uint64_t seed = 0; seed < 7000; ++seed) {
    for (const auto i : sample_names(names, 3, Key(seed))) ++count[i];
  }
  for (const int c : count) EXPECT_NEAR(c, 3000, 5 * 42);
}

TEST(ContextSampler, ProfilesHoldAsManyAnswersAsAskedFor) {
  const std::vector<ExpertContext> contexts = {context_of("ann", 10, 4), context_of("bob", 3, 4)};
  const auto profiles = sampled_profiles(contexts, 4, 15, Key(3));
  ASSERT_EQ(profiles.size(), 2u);
  EXPECT_EQ(profiles[0].answers(), 15u);
  EXPECT_EQ(profiles[1].answers(), 12u);
  // Another key, other answers.
  EXPECT_FALSE(profiles[0] == sampled_profiles(contexts, 4, 15, Key(4))[0]);
}

TEST(ContextSampler, AClassWithoutContextIsRefused) {
  std::vector<ExpertContext> contexts = {context_of("ann", 2, 3)};
  const ClassNames classes({"x", "y", "z"});
  EXPECT_EQ(refusal([&] { check_contexts(contexts, classes, "c.csv"); }), "");
  contexts[0].rows.erase(contexts[0].rows.begin() + 4, contexts[0].rows.end());
  EXPECT_EQ(refusal([&] { check_contexts(contexts, classes, "c.csv"); }),
            "c.csv: expert 'ann' has no answer on class 'z'; expected one on every class");
  EXPECT_EQ(refusal([&] { check_contexts({}, classes, "c.csv"); }),
            "c.csv: no expert; expected one or more");
  // Unless any classes will do.
  const auto any = ContextCoverage::kAnyClasses;
  EXPECT_EQ(refusal([&] { check_contexts(contexts, classes, "c.csv", any); }), "");
  contexts[0].rows.clear();
  EXPECT_EQ(refusal([&] { check_contexts(contexts, classes, "c.csv", any); }),
            "c.csv: expert 'ann' has no answer; expected one or more");
}

}  // namespace
}  // namespace ifd::train
