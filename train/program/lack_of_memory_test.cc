// LibTorch tells that memory is lacking in its own way, with a page about its stack; its text may
// change with its version.
#include <gtest/gtest.h>
#include <torch/types.h>

#include "command_line/program.h"

namespace ifd::train {
namespace {

TEST(LackOfMemory, IsOneLineAndExitCode5) {
  testing::internal::CaptureStderr();
  const int code = run_program([] {
    torch::empty({std::int64_t{1} << 50});
    return 0;
  });
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "ifd: out of memory\n");
  EXPECT_EQ(code, 5);
}

}  // namespace
}  // namespace ifd::train
