// A probe tells what it runs on before its work, because the work may end it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <sstream>

#include "tests/scratch_directory.h"

namespace ifd::train {
namespace {

TEST(DoctorCommand, ProbeTellsItsLibrariesThenItsSeconds) {
  const ScratchDirectory scratch;
  const std::string command = "'" IFD_TRAIN_COMMAND "' doctor --probe product --threads 1 > '" +
                              (scratch / "out").string() + "'";
  ASSERT_EQ(WEXITSTATUS(std::system(command.c_str())), 0);
  std::istringstream out(scratch.get("out"));
  std::string libraries;
  std::getline(out, libraries);
  EXPECT_THAT(libraries, testing::HasSubstr("\"blas\":\"/"));
  double seconds = 0;
  EXPECT_TRUE(out >> seconds);
  EXPECT_GT(seconds, 0);
}

TEST(DoctorCommand, RefusesAProbeThatIsNone) {
  EXPECT_EQ(WEXITSTATUS(std::system("'" IFD_TRAIN_COMMAND "' doctor --probe luck 2> /dev/null")),
            2);
}

}  // namespace
}  // namespace ifd::train
