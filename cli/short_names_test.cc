#include "cli/short_names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "command_line/text_width.h"
#include "ifd/random/keyed_random.h"

namespace ifd::cli {
namespace {

TEST(ShortNames, ALongNameIsCutInTheMiddleAndTold) {
  const std::vector<std::string> names = {"plug-in", "runs/april/policy.ifd"};
  const ShortNames shown(names, 12);
  EXPECT_EQ(shown[0], "plug-in");
  EXPECT_EQ(shown[1], "runs/…cy.ifd");
  EXPECT_EQ(shown.legend(), "In full: 'runs/…cy.ifd' is 'runs/april/policy.ifd'.\n");
  EXPECT_EQ(shown.legend(1), "");
  EXPECT_EQ(ShortNames(names, 30).legend(), "");
}

// An escape sequence is shown before it is cut, so that nothing of it is obeyed.
TEST(ShortNames, AreShownAsOnATerminal) {
  const std::vector<std::string> names = {"\x1b[31mred alert\x1b[0m"};
  EXPECT_EQ(ShortNames(names, 9)[0], "\\x1…1b[0m");
}

// Different names stay different, however short; alike but for the middle is what seeds are.
TEST(ShortNames, StayDifferent) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key(seed);
    std::set<std::string> distinct;
    for (std::size_t i = 0; i < 8; ++i) {
      distinct.insert("run-" + std::to_string(key.below(1000, i)) + "-policy");
    }
    const std::vector<std::string> names(distinct.begin(), distinct.end());
    const std::size_t columns = 3 + key.with("columns").below(10);
    const ShortNames shown(names, columns);
    std::set<std::string> seen;
    for (std::size_t i = 0; i < names.size(); ++i) {
      EXPECT_TRUE(seen.insert(shown[i]).second) << shown[i];
      EXPECT_LE(columns_of(shown[i]), columns);
    }
  }
}

}  // namespace
}  // namespace ifd::cli
