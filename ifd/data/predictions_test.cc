#include "ifd/data/predictions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <type_traits>
#include <vector>

#include "tests/refusal.h"

namespace ifd {
namespace {

using testing::HasSubstr;

const ClassNames kCatAndDog({"cat", "dog"});

// A view reads the caller's memory in place, and holds its owner as long as any copy lives.
TEST(PredictionsView, ReadsTheCallersMemoryAndKeepsItsOwner) {
  auto memory = std::make_shared<std::vector<float>>(std::vector<float>{.75F, .25F, .5F, .5F});
  const std::weak_ptr<std::vector<float>> watched = memory;
  const float* const data = memory->data();
  std::optional<Predictions> rest;
  {
    Predictions::View view{kCatAndDog, *memory, memory};
    view.features = std::span<const float>(*memory).first(2);
    view.feature_width = 1;
    const Predictions predictions = Predictions::of(std::move(view));
    memory.reset();
    EXPECT_EQ(predictions.size(), 2u);
    EXPECT_EQ(predictions.all_probabilities().data(), data);
    EXPECT_EQ(predictions.features(1).data(), data + 1);
    rest = predictions.with_labels({ClassId{1}, ClassId{0}});
  }
  EXPECT_FALSE(watched.expired());
  EXPECT_EQ(rest->all_probabilities().data(), data);
  EXPECT_EQ(rest->label(0), ClassId{1});
  // Other probabilities let go of these, but the features are still looked at.
  rest = rest->with_probabilities({1, 0, 0, 1});
  EXPECT_FALSE(watched.expired());
  EXPECT_EQ(rest->features(0)[0], .75F);
  rest.reset();
  EXPECT_TRUE(watched.expired());
}

TEST(PredictionsView, MakesNamesWhenAskedFor) {
  const std::vector<float> memory = {.75F, .25F, .5F, .5F};
  const Predictions numbered = Predictions::of({kCatAndDog, memory});
  EXPECT_TRUE(numbered.numbers_its_cases());
  EXPECT_EQ(numbered.case_name(1), "1");
  EXPECT_THAT(numbered.case_names(), testing::ElementsAre("0", "1"));
  EXPECT_EQ(CaseIndex(numbered).find("1"), 1u);
  EXPECT_FALSE(CaseIndex(numbered).find("01").has_value());
  Predictions::View named{kCatAndDog, memory};
  named.cases = {"x", "y"};
  EXPECT_FALSE(Predictions::of(std::move(named)).numbers_its_cases());
  // A part of numbered cases keeps their numbers, now as names.
  const std::size_t second[] = {1};
  EXPECT_EQ(numbered.subset(second).case_name(0), "1");
}

TEST(PredictionsView, IsCheckedLikeEverythingElse) {
  const std::vector<float> short_row = {.75F, .25F, .5F};
  EXPECT_THAT(refusal([&] {
                Predictions::of({kCatAndDog, short_row});
              }),
              HasSubstr("3 probabilities; expected 2"));
  const std::vector<float> memory = {.75F, .25F, .5F, .6F};
  EXPECT_THAT(refusal([&] { Predictions::of({kCatAndDog, memory}); }), HasSubstr("row 1"));
  const auto refuse = [&](auto change) {
    Predictions::Parts parts{kCatAndDog, {}, {.5F, .5F}, {}, {}, 0};
    change(parts);
    return refusal([&] { Predictions{std::move(parts)}; });
  };
  EXPECT_THAT(refuse([](auto& parts) {
                parts.cases = {"a", "b"};
              }),
              HasSubstr("2 case names; expected 1"));
  EXPECT_THAT(refuse([](auto& parts) {
                parts.labels = {ClassId{0}, ClassId{0}};
              }),
              HasSubstr("2 labels; expected 1"));
  EXPECT_THAT(refuse([](auto& parts) { parts.feature_width = 3; }),
              HasSubstr("0 features; expected 3"));
  EXPECT_THAT(refuse([](auto& parts) { parts.labels = {ClassId{2}}; }),
              HasSubstr("'2' is not a class"));
}

// Copies share their numbers, so that handing predictions around costs nothing.
TEST(Predictions, CopiesShareTheirNumbers) {
  const Predictions one(Predictions::Parts{kCatAndDog, {"a"}, {.5F, .5F}, {}, {}, 0});
  const Predictions two = one;
  EXPECT_EQ(one.all_probabilities().data(), two.all_probabilities().data());
}

// Nothing can refer to the numbers of predictions that are gone with the statement that made them.
TEST(Predictions, ThatAreAboutToGoGiveCopies) {
  const auto made = [] {
    return Predictions(
        Predictions::Parts{kCatAndDog, {"a"}, {.25F, .75F}, {ClassId{1}}, {1, 2, 3}, 3});
  };
  const Predictions kept = made();
  const auto row = made().probabilities(0), all = made().all_probabilities();
  const auto features = made().features(0), all_features = made().all_features();
  const auto labels = made().labels();
  static_assert(std::is_same_v<decltype(row), const std::vector<float>>);
  static_assert(std::is_same_v<decltype(made().classes()), ClassNames>);
  EXPECT_TRUE(std::ranges::equal(row, kept.probabilities(0)));
  EXPECT_TRUE(std::ranges::equal(all, kept.all_probabilities()));
  EXPECT_TRUE(std::ranges::equal(features, kept.features(0)));
  EXPECT_TRUE(std::ranges::equal(all_features, kept.all_features()));
  EXPECT_TRUE(std::ranges::equal(labels, kept.labels()));
}

}  // namespace
}  // namespace ifd
