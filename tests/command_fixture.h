// A folder with the example's files and the command in it.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/command.h"

namespace ifd {

class Command : public testing::Test {
 protected:
  Command() { put_example(folder_); }

  CommandResult run(const std::string& words) const {
    return run_command(folder_.path(), split_words(words));
  }
  std::string output(const std::string& words) const {
    const CommandResult result = run(words);
    EXPECT_EQ(result.code, 0) << words << "\n" << result.err;
    return result.out;
  }
  nlohmann::json output_json(const std::string& words) const {
    return nlohmann::json::parse(output(words));
  }

  ScratchDirectory folder_;
};

inline constexpr const char* kRoute = "route --predictions p.csv --context c.csv ";
inline constexpr const char* kEvaluate =
    "evaluate --predictions p.csv --context c.csv --answers a.csv --bootstrap 0 ";

}  // namespace ifd
