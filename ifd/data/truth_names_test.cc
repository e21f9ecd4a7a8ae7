#include "ifd/data/truth_names.h"

#include <gtest/gtest.h>

#include "ifd/error.h"

namespace ifd {
namespace {

TEST(TruthNames, AreThoseOfAllFilesInTheOrderOfTheirRows) {
  const std::vector<NamedBytes> files = {
      {"old.csv", "expert,case,answer,truth\nann,1,x,dog\nann,2,cat,cat\nann,3,cat,NA\n"},
      {"new.csv", "case;label;ann\n1; bird ;dog\n2;dog;dog\n"}};
  EXPECT_EQ(truth_names(files).names(), (std::vector<std::string>{"dog", "cat", "bird"}));
}

TEST(TruthNames, AreTwoOrMore) {
  const std::vector<NamedBytes> one = {{"old.csv", "expert,case,answer,truth\nann,1,x,dog\n"}};
  EXPECT_THROW(truth_names(one), Error);
  const std::vector<NamedBytes> none = {{"old.csv", "expert,case,answer\nann,1,x\n"}};
  EXPECT_THROW(truth_names(none), Error);
}

}  // namespace
}  // namespace ifd
