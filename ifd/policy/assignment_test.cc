#include "ifd/policy/assignment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/refusal.h"

namespace ifd {
namespace {

const std::vector<std::string> kExperts = {"ann", "bob", "eve"};

// Who is not named can take every case; no sum is larger than the cases.
TEST(Assignment, TotalCapacityIsThatOfTheExpertsOnDuty) {
  Availability on_duty(3);
  const MostCases most = {{"ann", 2}, {"bob", 3}, {"eve", 100}};
  EXPECT_EQ(total_capacity(most, kExperts, on_duty, 10), 10u);
  on_duty.set_on_duty(expert_id(2), false);
  EXPECT_EQ(total_capacity(most, kExperts, on_duty, 10), 5u);
  EXPECT_EQ(total_capacity({{"ann", 2}}, kExperts, on_duty, 10), 10u);
  on_duty.set_on_duty(expert_id(1), false);
  EXPECT_EQ(total_capacity({{"ann", 2}}, kExperts, on_duty, 10), 2u);
}

TEST(Assignment, CapacitiesAreOfTheRoster) {
  EXPECT_EQ(capacities_of({{"bob", 3}, {"ann", 20}}, kExperts, 10),
            (std::vector<std::size_t>{10, 3, 10}));
  EXPECT_THAT(refusal([] {
                capacities_of({{"zoe", 3}}, kExperts, 10);
              }),
              testing::HasSubstr("a capacity for 'zoe'"));
}

}  // namespace
}  // namespace ifd
