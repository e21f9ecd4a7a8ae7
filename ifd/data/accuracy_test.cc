#include "ifd/data/accuracy.h"

#include <gtest/gtest.h>

namespace ifd {
namespace {

// By hand: right, wrong, right, and a tie in which the lowest index answers and is wrong.
TEST(Accuracy, IsTheShareOfCasesWhoseTopClassIsTheLabel) {
  const Predictions cases({ClassNames::numbered(2),
                           {},
                           {.9F, .1F, .8F, .2F, .3F, .7F, .5F, .5F},
                           {class_id(0), class_id(1), class_id(1), class_id(1)},
                           {},
                           0});
  EXPECT_EQ(accuracy(cases), .5);
}

}  // namespace
}  // namespace ifd
