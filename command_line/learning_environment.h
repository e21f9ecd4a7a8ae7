// The environment that LibTorch and its BLAS need before they load.
#pragma once

#include <filesystem>
#include <string_view>

namespace ifd {

// Sets what protects from the silent traps of Debian's LibTorch, except what the user set:
//   LD_LIBRARY_PATH     OpenBLAS on OpenMP, where it is installed and the system's choice is the
//                       reference BLAS or OpenBLAS with threads of its own
//   OPENBLAS_CORETYPE   kernels for AVX-512 where the processor has it
//   OMP_WAIT_POLICY     passive
//   MALLOC_*_THRESHOLD_ freed memory is kept
//   ONEDNN_MAX_CPU_ISA  AVX512_CORE where the processor has AMX
// Takes effect in programs started from here on.
void prepare_learning_environment();

// Whether the processor has a feature, by its name in /proc/cpuinfo, as in "avx512f".
bool processor_has(std::string_view feature);

// The folder of OpenBLAS on OpenMP; empty where it is not installed.
std::filesystem::path openblas_on_openmp();

}  // namespace ifd
