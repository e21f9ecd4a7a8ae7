// OPENBLAS_CORETYPE=NAME gives all tests of this program the kernels of another processor (`ctest
// -L processor`). Where this one, or this BLAS, cannot run them, it skips them all, visibly.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <string>

namespace ifd::train {
namespace {

std::string asked_for() {
  const char* name = std::getenv("OPENBLAS_CORETYPE");
  return name == nullptr ? "" : name;
}

// Empty where the BLAS is not OpenBLAS.
std::string kernel() {
  const auto name = reinterpret_cast<char* (*)()>(::dlsym(RTLD_DEFAULT, "openblas_get_corename"));
  return name == nullptr ? "" : name();
}

#if defined(__x86_64__)
bool processor_can_run(const std::string& core) {
  if (core == "SkylakeX") {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
  }
  if (core == "Haswell" || core == "Zen") {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  }
  return true;
}
#else
bool processor_can_run(const std::string&) { return true; }
#endif

class OnTheKernelAskedFor final : public testing::Environment {
  void SetUp() override {
    if (asked_for().empty()) return;
    if (!processor_can_run(asked_for()) || kernel() != asked_for()) {
      GTEST_SKIP() << "not on this machine: OpenBLAS with the kernels of " << asked_for();
    }
  }
};

const testing::Environment* const on_the_kernel =
    testing::AddGlobalTestEnvironment(new OnTheKernelAskedFor);

TEST(BlasKernel, IsTheOneAskedFor) {
  const char* capability = std::getenv("ATEN_CPU_CAPABILITY");
  std::cout << "OpenBLAS kernel: " << kernel()
            << "; LibTorch: " << (capability == nullptr ? "its own choice" : capability)
            << "; threads: 1 2 3\n";
  RecordProperty("openblas_kernel", kernel());
  if (!asked_for().empty()) {
    EXPECT_EQ(kernel(), asked_for());
  }
}

}  // namespace
}  // namespace ifd::train
