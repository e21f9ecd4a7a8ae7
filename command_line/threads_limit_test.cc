#include "command_line/threads_limit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace ifd {
namespace {

TEST(ThreadsLimit, RefusesMoreThanAnyMachineHas) {
  const auto refused = [](const std::string& number) {
    CLI::App app;
    unsigned threads = 0;
    limit_threads(app.add_option("--threads", threads));
    try {
      app.parse("--threads " + number);
    } catch (const CLI::ParseError& error) {
      return std::string(error.what());
    }
    EXPECT_EQ(std::to_string(threads), number);
    return std::string();
  };
  for (const char* good : {"0", "1", "4096"}) EXPECT_EQ(refused(good), "");
  for (const char* bad : {"4097", "1000000000", "99999999999999999999999"}) {
    EXPECT_THAT(refused(bad),
                testing::HasSubstr(std::string("'") + bad + "' is not allowed; expected 0..4096"));
  }
}

}  // namespace
}  // namespace ifd
