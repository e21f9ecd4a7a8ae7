#include "ifd/policy/roster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/refusal.h"

namespace ifd {
namespace {

using testing::ElementsAre;

const ClassNames kClasses({"cat", "dog"});
const std::vector<ExpertContext> kContexts = {
    {"ann", {{"x", ClassId{0}, Answer(ClassId{0})}}},
    {"bob", {{"x", ClassId{0}, Answer(ClassId{1})}}},
};

PriorTable priors() {
  return PriorTable::from_bytes(
      "expert,class,mean,strength\nzoe,*,0.75,8\n*,cat,0.5,4\nbob,*,0.25,8\nmax,cat,0.75,8\n",
      "prior.csv", kClasses);
}

// Two small files make a large roster: of many experts, and of many classes.
TEST(Roster, HasALimitedSize) {
  EXPECT_EQ(refusal([&] { require_staff_size(10'000, 3'355); }), "");
  EXPECT_EQ(refusal([&] { require_staff_size(20'000, 30'000); }),
            "20000 experts or more and 30000 classes; expected at most 33554432 in product");
  const std::vector<ExpertContext> contexts(kMaxStaffCells / 32'000 + 1);
  EXPECT_EQ(refusal_kind([&] { make_roster(contexts, 32'000); }), ErrorKind::kBadInput);
}

// The star is no name, and bob has a context.
TEST(Roster, KnowsWhomThePriorsNameWithoutAContext) {
  EXPECT_THAT(experts_without_context(priors(), kContexts), ElementsAre("zoe", "max"));
  EXPECT_THAT(experts_without_context(priors(), {}), ElementsAre("zoe", "bob", "max"));
  EXPECT_THAT(experts_without_context({}, kContexts), ElementsAre());
}

// Nobody joins whose name stands in a file of priors alone, unless that is asked for; the others
// are the same either way.
TEST(Roster, ThoseKnownFromAPriorAloneJoinOnlyIfAsked) {
  const Roster without = make_roster(kContexts, 2, priors());
  EXPECT_THAT(without.names, ElementsAre("ann", "bob"));
  const Roster with = make_roster(kContexts, 2, priors(), PriorOnly::kJoins);
  EXPECT_THAT(with.names, ElementsAre("ann", "bob", "zoe", "max"));
  EXPECT_EQ(with.profiles[0], without.profiles[0]);
  EXPECT_EQ(with.profiles[1], without.profiles[1]);
  EXPECT_EQ(with.profiles[2], ExpertProfile({{6, 2}, {6, 2}}));
  EXPECT_EQ(with.profiles[3], ExpertProfile({{6, 2}, {1, 1}}));
}

}  // namespace
}  // namespace ifd
