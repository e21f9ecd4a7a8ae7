#include "train/method_settings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/refusal.h"

namespace ifd::train {
namespace {

enum class Colour { kRed, kBlue };

std::vector<Setting> declared() {
  return {
      word_setting("colour",
                   std::map<std::string, Colour>{{"red", Colour::kRed}, {"blue", Colour::kBlue}},
                   "red", "of it"),
      {"size", "how many", std::size_t{4}},
      {"slope", "how steep", 1.0, {}, {0, 10, "a slope, 0 or more"}}};
}

TEST(MethodSettings, AreAsDeclaredUnlessGiven) {
  const auto all = declared();
  const std::vector<std::pair<std::string, SettingValue>> given = {{"slope", 2.5}};
  const MethodSettings settings(all, given);
  EXPECT_EQ(settings.word("colour"), "red");
  EXPECT_EQ(settings.count("size"), 4U);
  EXPECT_EQ(settings.number("slope"), 2.5);
}

// What checkpoints and caches compare: all of them, in one order, numbers with their type.
TEST(MethodSettings, AreWrittenInTheOrderOfDeclaration) {
  const auto all = declared();
  MethodSettings settings(all);
  settings.set("slope", 3.0);
  settings.set("colour", "blue");
  EXPECT_EQ(settings.to_json().dump(), R"({"colour":"blue","size":4,"slope":3.0})");
}

TEST(MethodSettings, RefuseWhatIsNotAllowed) {
  const auto all = declared();
  MethodSettings settings(all);
  const auto said = [&](const char* name, SettingValue value) {
    return refusal([&] { settings.set(name, std::move(value)); });
  };
  EXPECT_EQ(said("colour", "green"), "setting 'colour' is green; expected one of blue, red");
  EXPECT_EQ(said("size", std::size_t{0}), "setting 'size' is 0; expected 1 or more");
  EXPECT_EQ(said("slope", -.5), "setting 'slope' is -0.5; expected a slope, 0 or more");
  EXPECT_EQ(said("slope", 10.0), "setting 'slope' is 10; expected a slope, 0 or more");
  EXPECT_EQ(said("slope", std::nan("")), "setting 'slope' is nan; expected a slope, 0 or more");
  EXPECT_EQ(said("slope", std::size_t{1}), "setting 'slope' is 1; expected a slope, 0 or more");
  EXPECT_EQ(said("taste", "sweet"),
            "'taste' is not a setting of the method; expected one of colour, size, slope");
  EXPECT_EQ(refusal([&] { settings.count("slope"); }),
            "setting 'slope' is 1; it was read as another type");
  // Nothing has changed.
  EXPECT_EQ(settings.to_json(), MethodSettings(all).to_json());
}

}  // namespace
}  // namespace ifd::train
