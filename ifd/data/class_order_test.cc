#include "ifd/data/class_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/refusal.h"

namespace ifd {
namespace {

using testing::ElementsAre;

Predictions animals() {
  return Predictions({ClassNames({"cat", "dog", "cow"}),
                      {"x", "y"},
                      {.5F, .25F, .25F, 0.F, .75F, .25F},
                      {class_id(0), class_id(2)},
                      {1.F, 2.F},
                      1});
}

// What belongs to a class goes with its name.
TEST(ClassOrder, NumbersAndLabelsGoWithTheNames) {
  const Predictions ordered = in_class_order(animals(), ClassNames({"cow", "cat", "dog"}), "p.csv");
  EXPECT_THAT(ordered.classes().names(), ElementsAre("cow", "cat", "dog"));
  EXPECT_THAT(ordered.probabilities(0), ElementsAre(.25F, .5F, .25F));
  EXPECT_THAT(ordered.probabilities(1), ElementsAre(.25F, 0.F, .75F));
  EXPECT_THAT(ordered.labels(), ElementsAre(class_id(1), class_id(0)));
  EXPECT_THAT(ordered.case_names(), ElementsAre("x", "y"));
  EXPECT_THAT(ordered.all_features(), ElementsAre(1.F, 2.F));
}

TEST(ClassOrder, TheSameOrderCopiesNothing) {
  const Predictions before = animals();
  const Predictions same = in_class_order(before, before.classes(), "p.csv");
  EXPECT_EQ(same.all_probabilities().data(), before.all_probabilities().data());
}

TEST(ClassOrder, OtherClassesAreNamed) {
  const auto refused = [](std::vector<std::string> names) {
    return refusal([&] { in_class_order(animals(), ClassNames(std::move(names)), "p.csv"); });
  };
  EXPECT_EQ(refused({"cat", "dog"}), "p.csv: has class 'cow'; expected the classes cat, dog");
  EXPECT_EQ(refused({"cat", "dog", "cow", "pig"}),
            "p.csv: lacks class 'pig'; expected the classes cat, dog, cow, pig");
  EXPECT_EQ(refused({"Cat", "dog", "cow"}),
            "p.csv: lacks class 'Cat' and has class 'cat'; expected the classes Cat, dog, cow");
  EXPECT_EQ(refused({"1", "2", "3", "4", "5", "6", "7"}),
            "p.csv: lacks class '1', '2', '3', '4', '5', '6', ... (7 in all) and has class 'cat', "
            "'dog', 'cow'; expected the classes 1, 2, 3, 4, 5, 6, 7");
}

}  // namespace
}  // namespace ifd
