#include "ifd/experts/mistakes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ifd {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr ClassId kCat{0};
constexpr ClassId kDog{1};
constexpr ClassId kCow{2};

TEST(Mistakes, MostFrequentFirstThenTheLargerShare) {
  const ExpertContext context{"ann",
                              {{"1", kCat, kCat},
                               {"2", kCat, kDog},
                               {"3", kDog, kCow},
                               {"4", kDog, kCow},
                               {"5", kCow, Answer::outside()},
                               {"6", kDog, kDog}}};
  EXPECT_THAT(mistakes(context),
              ElementsAre(Mistake{kDog, kCow, 2, 3}, Mistake{kCow, Answer::outside(), 1, 1},
                          Mistake{kCat, kDog, 1, 2}));
}

TEST(Mistakes, NoneOfWhoIsAlwaysRight) {
  EXPECT_THAT(mistakes({"ann", {{"1", kCat, kCat}}}), IsEmpty());
}

}  // namespace
}  // namespace ifd
