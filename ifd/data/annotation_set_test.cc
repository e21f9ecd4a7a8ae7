#include "ifd/data/annotation_set.h"

#include <gtest/gtest.h>

namespace ifd {
namespace {

// By hand: an answer outside the classes is a wrong one.
TEST(AnnotationSet, CountsRightAnswersByNoise) {
  const ClassId cat = class_id(0), dog = class_id(1);
  const AnnotationSet set{ClassNames({"cat", "dog"}),
                          {{"p1", "i1", cat, 110, cat},
                           {"p1", "i2", dog, 80, dog},
                           {"p2", "i1", cat, 110, dog},
                           {"p2", "i3", dog, 110, Answer::outside()},
                           {"p3", "i3", dog, 110, dog}}};
  const auto levels = accuracy_by_noise(set);
  ASSERT_EQ(levels.size(), 2u);
  EXPECT_EQ(levels[0].noise, 80);
  EXPECT_EQ(levels[0].answers, 1u);
  EXPECT_EQ(levels[0].accuracy(), 1);
  EXPECT_EQ(levels[1].noise, 110);
  EXPECT_EQ(levels[1].answers, 4u);
  EXPECT_EQ(levels[1].correct, 2u);
  EXPECT_EQ(levels[1].accuracy(), .5);
  EXPECT_TRUE(accuracy_by_noise({ClassNames({"cat", "dog"}), {}}).empty());
}

}  // namespace
}  // namespace ifd
