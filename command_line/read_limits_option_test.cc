#include "command_line/read_limits_option.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ifd {
namespace {

std::string refused(const std::string& factor, ReadLimits& limits) {
  CLI::App app;
  add_max_expansion_option(app, limits);
  try {
    app.parse("--max-expansion " + factor);
  } catch (const CLI::ParseError& error) {
    return error.what();
  }
  return {};
}

TEST(ReadLimitsOption, TakesFactorsOfOneAndMore) {
  ReadLimits limits;
  EXPECT_EQ(refused("2.5", limits), "");
  EXPECT_EQ(limits.max_expansion, 2.5);
  EXPECT_EQ(limits.always_allowed, ReadLimits{}.always_allowed);
  for (const char* bad : {"0.5", "-1", "nan", "inf", "1e7", "many", "1x"}) {
    EXPECT_THAT(refused(bad, limits), testing::HasSubstr(std::string("'") + bad +
                                                         "' is not allowed; expected 1..1000000"));
  }
}

}  // namespace
}  // namespace ifd
