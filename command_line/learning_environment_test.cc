#include "command_line/learning_environment.h"

#include <gtest/gtest.h>

#include "tests/environment.h"

namespace ifd {
namespace {

class LearningEnvironment : public testing::Test {
 protected:
  CleanEnvironment clean_ = {"LD_LIBRARY_PATH",        "OPENBLAS_CORETYPE",
                             "OMP_WAIT_POLICY",        "MALLOC_MMAP_THRESHOLD_",
                             "MALLOC_TRIM_THRESHOLD_", "ONEDNN_MAX_CPU_ISA"};
};

TEST_F(LearningEnvironment, SetsWhatTheProcessorAllows) {
  prepare_learning_environment();
  EXPECT_EQ(variable("OMP_WAIT_POLICY"), "passive");
  EXPECT_TRUE(variable("MALLOC_MMAP_THRESHOLD_"));
  EXPECT_TRUE(variable("MALLOC_TRIM_THRESHOLD_"));
  // A kernel for AVX-512 on a processor without it would end in an illegal instruction.
  EXPECT_EQ(variable("OPENBLAS_CORETYPE").has_value(), processor_has("avx512f"));
  EXPECT_EQ(variable("ONEDNN_MAX_CPU_ISA").has_value(), processor_has("amx_bf16"));
  if (const auto path = variable("LD_LIBRARY_PATH")) {
    EXPECT_EQ(*path, openblas_on_openmp().string());
  }
}

TEST_F(LearningEnvironment, LeavesWhatTheUserSet) {
  const auto names = {"LD_LIBRARY_PATH", "OPENBLAS_CORETYPE", "OMP_WAIT_POLICY",
                      "MALLOC_MMAP_THRESHOLD_", "ONEDNN_MAX_CPU_ISA"};
  for (const char* name : names) ::setenv(name, "mine", 1);
  prepare_learning_environment();
  for (const char* name : names) {
    const std::string value = variable(name).value_or("");
    // The user's folders are searched first.
    EXPECT_EQ(value.substr(0, value.find(':')), "mine") << name;
  }
}

TEST_F(LearningEnvironment, TwiceIsOnce) {
  prepare_learning_environment();
  const auto once = variable("LD_LIBRARY_PATH");
  prepare_learning_environment();
  EXPECT_EQ(variable("LD_LIBRARY_PATH"), once);
}

TEST(Processor, HasOnlyWholeNames) {
  EXPECT_FALSE(processor_has(""));
  EXPECT_FALSE(processor_has("flags\t\t"));
  EXPECT_FALSE(processor_has("no such feature"));
}

}  // namespace
}  // namespace ifd
