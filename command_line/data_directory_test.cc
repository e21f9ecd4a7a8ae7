#include "command_line/data_directory.h"

#include <gtest/gtest.h>

#include "tests/environment.h"

namespace ifd {
namespace {

TEST(DataDirectory, TheNearestVariableDecides) {
  const CleanEnvironment clean = {"IFD_DATA", "XDG_DATA_HOME", "HOME"};
  EXPECT_EQ(data_directory(), "ifd-data");
  ::setenv("HOME", "/home/ann", 1);
  EXPECT_EQ(data_directory(), "/home/ann/.local/share/ifd");
  ::setenv("XDG_DATA_HOME", "/data", 1);
  EXPECT_EQ(data_directory(), "/data/ifd");
  ::setenv("IFD_DATA", "/own", 1);
  EXPECT_EQ(data_directory(), "/own");
  ::setenv("IFD_DATA", "", 1);
  EXPECT_EQ(data_directory(), "/data/ifd") << "an empty variable counts as none";
}

}  // namespace
}  // namespace ifd
