#include "ifd/profile/prior_alone.h"

#include <gtest/gtest.h>

#include "ifd/profile/prior.h"

namespace ifd {
namespace {

TEST(PriorAlone, TellsStrengthAndMeanUntilTheFirstAnswer) {
  EXPECT_EQ(prior_alone(ExpertProfile(2)), "known from the prior alone: strength 2, mean 0.5");
  ExpertProfile profile({prior_with_mean(.8, 10), prior_with_mean(.8, 10)});
  EXPECT_EQ(prior_alone(profile), "known from the prior alone: strength 10, mean 0.8");
  profile.observe({.truth = class_id(0), .answer = Answer(class_id(1))});
  EXPECT_EQ(prior_alone(profile), "");
}

TEST(PriorAlone, TellsTheRangeOverTheClasses) {
  EXPECT_EQ(prior_alone(ExpertProfile({prior_with_mean(.75, 12), {1, 1}, prior_with_mean(.6, 12)})),
            "known from the prior alone: strength 2 to 12, mean 0.5 to 0.75");
}

}  // namespace
}  // namespace ifd
