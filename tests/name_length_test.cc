#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ifd/data/answers_file.h"
#include "ifd/data/groups_file.h"
#include "ifd/data/name_spelling.h"
#include "ifd/data/predictions_file.h"
#include "ifd/profile/prior_table.h"
#include "ifd/router/roster_state.h"
#include "tests/refusal.h"

namespace ifd {
namespace {

// One limit for whatever has a name, and whoever reads it.
TEST(Names, HaveTheSameLimitInEveryReader) {
  const ClassNames pets({"cat", "dog"});
  const ReadOptions none;
  const auto refusals = [&](const std::string& name) {
    const Predictions known({pets, {"x"}, {1, 0}, {}, {}, 0});
    return std::vector<std::string>{
        refusal([&] {
          ClassNames({name, "dog"});
        }),
        refusal([&] { predictions_from_bytes("case," + name + ",dog\nx,1,0\n", "p.csv"); }),
        refusal([&] { predictions_from_bytes("case,cat,dog\n" + name + ",1,0\n", "p.csv"); }),
        refusal([&] {
          contexts_from_bytes("expert,case,answer,truth\n" + name + ",x,cat,cat\n", "c.csv", pets);
        }),
        refusal([&] {
          contexts_from_bytes("expert,case,answer,truth\nann," + name + ",cat,cat\n", "c.csv",
                              pets);
        }),
        refusal(
            [&] { contexts_from_bytes("case,truth," + name + "\nx,cat,cat\n", "c.csv", pets); }),
        refusal(
            [&] { named_groups_from_bytes("case,group\nx," + name + "\n", "g.csv", known, none); }),
        refusal([&] {
          PriorTable::from_bytes("expert,class,mean,strength\n" + name + ",cat,.5,2\n", "prior.csv",
                                 pets);
        }),
        refusal([&] { RosterState(pets).add(name); }),
    };
  };
  EXPECT_THAT(refusals(std::string(kMaxNameBytes, 'a')), testing::Each(""));
  EXPECT_THAT(refusals(std::string(kMaxNameBytes + 1, 'a')),
              testing::Each(testing::EndsWith("' has 4097 bytes; expected at most 4096")));
}

}  // namespace
}  // namespace ifd
