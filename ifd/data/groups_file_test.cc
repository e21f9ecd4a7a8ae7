#include "ifd/data/groups_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ifd/data/predictions_file.h"
#include "tests/refusal.h"

namespace ifd {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Predictions three_cases() {
  return predictions_from_bytes("case,a,b\nx,.5,.5\ny,.5,.5\nz,.5,.5\n", "p.csv");
}

TEST(GroupsFile, NumbersGroupsAsTheirCasesCome) {
  EXPECT_THAT(
      groups_from_bytes("group,case\nP2,z\nP1,x\nP2,y\nP9,else\nP1,x\n", "g.csv", three_cases()),
      ElementsAre(0, 1, 1));
}

TEST(GroupsFile, RefusesACaseWithoutAGroupOrWithTwo) {
  const auto refused = [](const char* text) {
    return refusal([&] { groups_from_bytes(text, "g.csv", three_cases()); });
  };
  EXPECT_THAT(refused("case,group\nx,P1\ny,P1\n"), HasSubstr("g.csv: case 'z' has no group"));
  EXPECT_THAT(refused("case,group\nx,P1\nx,P2\n"),
              HasSubstr("g.csv:3: case 'x' is in group 'P1' and in 'P2'"));
  EXPECT_THAT(refused("case,group\nx,\n"), HasSubstr("g.csv:2: the group is empty"));
}

}  // namespace
}  // namespace ifd
