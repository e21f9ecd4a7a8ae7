#include "command_line/learning_environment.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>

namespace ifd {
namespace {

namespace fs = std::filesystem;

void set_unless_set(const char* name, const char* value) { ::setenv(name, value, 0); }

// The folder of OpenBLAS on OpenMP, if the system's BLAS is a worse one; else empty.
fs::path better_blas() {
  const fs::path openmp = openblas_on_openmp();
  if (openmp.empty()) return {};
  std::error_code error;
  const std::string chosen = fs::canonical(openmp.parent_path() / "libblas.so.3", error).string();
  const bool worse = chosen.find("/blas/") != std::string::npos ||
                     chosen.find("/openblas-pthread/") != std::string::npos;
  return worse ? openmp : fs::path();
}

}  // namespace

bool processor_has(std::string_view feature) {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (!line.starts_with("flags")) continue;
    std::istringstream words(line);
    return std::find(std::istream_iterator<std::string>(words), {}, feature) !=
           std::istream_iterator<std::string>();
  }
  return false;
}

fs::path openblas_on_openmp() {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator("/usr/lib", error)) {
    fs::path folder = entry.path() / "openblas-openmp";
    if (fs::exists(folder / "libblas.so.3", error)) return folder;
  }
  return {};
}

void prepare_learning_environment() {
  // The reference BLAS is five times slower, and OpenBLAS with threads of its own fights with
  // those of LibTorch.
  if (const fs::path folder = better_blas(); !folder.empty()) {
    const char* before = std::getenv("LD_LIBRARY_PATH");
    const std::string given = before == nullptr ? "" : before;
    if (given.find(folder.string()) == std::string::npos) {
      // Behind what the user named.
      const std::string all = given.empty() ? folder.string() : given + ":" + folder.string();
      ::setenv("LD_LIBRARY_PATH", all.c_str(), 1);
    }
  }
  // OpenBLAS 0.3.21 does not know newer processors and falls back to kernels of 2004. Naming a core
  // with AVX-512 on a processor without it would end in an illegal instruction.
  if (processor_has("avx512f")) set_unless_set("OPENBLAS_CORETYPE", "SkylakeX");
  // Threads that spin while they wait stall as soon as they share a processor.
  set_unless_set("OMP_WAIT_POLICY", "passive");
  // The tensors of a batch come and go with every step. Memory that goes back to the kernel in
  // between comes back as pages to be zeroed.
  set_unless_set("MALLOC_MMAP_THRESHOLD_", "268435456");
  set_unless_set("MALLOC_TRIM_THRESHOLD_", "1073741824");
  // oneDNN 2.6 runs bf16 kernels that end in an illegal instruction on some machines with AMX.
  if (processor_has("amx_bf16")) set_unless_set("ONEDNN_MAX_CPU_ISA", "AVX512_CORE");
}

}  // namespace ifd
