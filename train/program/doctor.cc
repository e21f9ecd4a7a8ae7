#include "train/program/doctor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <string_view>

namespace ifd::train {
namespace {

enum class Blas { kReference, kOpenBlasThreads, kOpenBlasSerial, kOpenBlasOpenMp, kOther };

Blas blas_of(std::string_view file) {
  const auto has = [file](std::string_view part) { return file.find(part) != file.npos; };
  if (has("openblas-openmp")) return Blas::kOpenBlasOpenMp;
  if (has("openblas-serial")) return Blas::kOpenBlasSerial;
  if (has("openblas")) return Blas::kOpenBlasThreads;
  if (has("/blas/") || has("libblas.so.3.")) return Blas::kReference;
  return Blas::kOther;
}

const char* name_of(Blas blas) {
  switch (blas) {
    case Blas::kReference:
      return "the reference BLAS";
    case Blas::kOpenBlasThreads:
      return "OpenBLAS with threads of its own, which fight with those of LibTorch";
    case Blas::kOpenBlasSerial:
      return "OpenBLAS without threads";
    case Blas::kOpenBlasOpenMp:
      return "OpenBLAS on OpenMP";
    case Blas::kOther:
      break;
  }
  return "another BLAS";
}

// Slower by this factor, where both came to their end.
std::optional<double> times_slower(const ProbeRun& slow, const ProbeRun& fast) {
  if (!slow.seconds || !fast.seconds || *fast.seconds <= 0) return {};
  return *slow.seconds / *fast.seconds;
}

std::string end_of(const ProbeRun& run) {
  if (run.signal == SIGALRM) return "does not come to an end";
  if (run.signal != 0) return fmt::format("dies ({})", ::strsignal(run.signal));
  return "fails";
}

Finding blas_finding(const Measurements& measured) {
  const Blas bare = blas_of(measured.product.bare.blas);
  const Blas here = blas_of(measured.product.here.blas);
  Finding finding{"BLAS", Verdict::kOk, fmt::format("LibTorch uses {}", name_of(here)), {}, {}};
  const auto good = [](Blas blas) { return blas == Blas::kOpenBlasOpenMp || blas == Blas::kOther; };
  if (here == Blas::kOther) finding.what += fmt::format(" ({})", measured.product.here.blas);
  if (!good(here)) {
    finding.verdict = Verdict::kFound;
    if (measured.openmp) finding.cost = times_slower(measured.product.here, *measured.openmp);
    finding.fix = measured.openmp
                      ? "sudo update-alternatives --config libblas.so.3-$(uname -m)-linux-gnu, and "
                        "choose openblas-openmp; unset LD_LIBRARY_PATH if it names another"
                      : "sudo apt install libopenblas0-openmp";
  } else if (!good(bare)) {
    finding.verdict = Verdict::kProtected;
    finding.what = fmt::format("the system chose {}; ifd loads {}", name_of(bare), name_of(here));
    finding.cost = times_slower(measured.product.bare, measured.product.here);
    finding.fix =
        "for other programs: sudo update-alternatives --config libblas.so.3-$(uname -m)-linux-gnu";
  }
  return finding;
}

bool knows_avx2(const std::string& kernel) {
  constexpr std::array<const char*, 6> kKernels = {"Haswell",    "Zen",       "SkylakeX",
                                                   "Cooperlake", "Excavator", "SapphireRapids"};
  return std::find(kKernels.begin(), kKernels.end(), kernel) != kKernels.end();
}

Finding kernel_finding(const Measurements& measured) {
  const ProbeRun& bare = measured.product.bare;
  const ProbeRun& here = measured.product.here;
  Finding finding{"OpenBLAS kernel", Verdict::kOk, {}, {}, {}};
  if (!here.seconds) {
    finding.verdict = Verdict::kFound;
    finding.what = fmt::format(
        "a matrix product {}: OPENBLAS_CORETYPE names a processor that this "
        "one is not",
        end_of(here));
    finding.fix = "unset OPENBLAS_CORETYPE";
    return finding;
  }
  if (here.kernel.empty() || !measured.has_avx2) {
    finding.verdict = Verdict::kNotApplicable;
    finding.what = here.kernel.empty() ? "the BLAS is not OpenBLAS" : "the processor has no AVX2";
    return finding;
  }
  finding.what = fmt::format("OpenBLAS runs its kernels for {}", here.kernel);
  if (!knows_avx2(here.kernel)) {
    finding.verdict = Verdict::kFound;
    finding.what += ", far older than this processor";
    finding.fix =
        fmt::format("export OPENBLAS_CORETYPE={}", measured.has_avx512 ? "SkylakeX" : "Haswell");
  } else if (!bare.kernel.empty() && !knows_avx2(bare.kernel)) {
    finding.verdict = Verdict::kProtected;
    finding.what = fmt::format("OpenBLAS would run its kernels for {}; ifd names {}", bare.kernel,
                               here.kernel);
    finding.cost = times_slower(bare, here);
    finding.fix = fmt::format("for other programs: export OPENBLAS_CORETYPE={}", here.kernel);
  }
  return finding;
}

Finding waiting_finding(const Measurements& measured) {
  Finding finding{"waiting threads", Verdict::kNotApplicable, {}, {}, {}};
  if (!measured.crowded) {
    finding.what = "one processor, so there is nobody to wait for";
    return finding;
  }
  const auto cost = times_slower(measured.crowded->bare, measured.crowded->here);
  if (measured.wait_policy == "passive") {
    finding.verdict = Verdict::kProtected;
    finding.what = "threads that spin stall beside busy neighbours; ifd lets them sleep";
    finding.cost = cost;
    finding.fix = "for other programs: export OMP_WAIT_POLICY=passive";
  } else {
    finding.verdict = Verdict::kFound;
    finding.what = fmt::format(
        "OMP_WAIT_POLICY is '{}': threads spin while they wait, and stall "
        "beside busy neighbours",
        measured.wait_policy);
    finding.fix = "export OMP_WAIT_POLICY=passive";
  }
  return finding;
}

Finding threads_finding(const Measurements& measured) {
  const int start = measured.default_threads.threads;
  Finding finding{"threads",
                  Verdict::kOk,
                  fmt::format("LibTorch starts with {} thread(s) on {} processor(s)", start,
                              measured.processors),
                  {},
                  {}};
  if (start < measured.processors) {
    finding.verdict = Verdict::kProtected;
    finding.what += "; ifd train sets them (--threads, all by default)";
    finding.cost = times_slower(measured.default_threads, measured.all_threads);
    finding.fix = "for other programs: set_num_threads";
  }
  return finding;
}

Finding bf16_finding(const Measurements& measured) {
  Finding finding{"bf16 on AMX", Verdict::kNotApplicable, "the processor has no AMX", {}, {}};
  if (!measured.bf16) return finding;
  if (!measured.bf16->here.seconds) {
    finding.verdict = Verdict::kFound;
    finding.what = fmt::format("a bf16 convolution {}", end_of(measured.bf16->here));
    finding.fix = "export ONEDNN_MAX_CPU_ISA=AVX512_CORE";
  } else if (!measured.bf16->bare.seconds) {
    finding.verdict = Verdict::kProtected;
    finding.what = fmt::format("a bf16 convolution {}; ifd keeps oneDNN away from AMX",
                               end_of(measured.bf16->bare));
    finding.fix = "for other programs: export ONEDNN_MAX_CPU_ISA=AVX512_CORE";
  } else {
    finding.verdict = Verdict::kOk;
    finding.what = "a bf16 convolution comes to its end";
  }
  return finding;
}

Finding layout_finding(const Measurements& measured) {
  Finding finding{"memory layout",
                  Verdict::kOk,
                  "depthwise convolutions are no slower with channels first",
                  {},
                  {}};
  const auto cost = times_slower(measured.channels_first, measured.channels_last);
  if (cost && *cost > kNoise) {
    finding.verdict = Verdict::kProtected;
    finding.what = "depthwise convolutions want channels last; ifd's own nets have them so";
    finding.cost = cost;
    finding.fix = "for other programs: .to(memory_format=channels_last) on net and images";
  }
  return finding;
}

}  // namespace

std::vector<Finding> diagnose(const Measurements& measured) {
  return {blas_finding(measured),    kernel_finding(measured), waiting_finding(measured),
          threads_finding(measured), bf16_finding(measured),   layout_finding(measured)};
}

bool needs_a_hand(std::span<const Finding> findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.verdict == Verdict::kFound; });
}

const char* word_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kOk:
      return "ok";
    case Verdict::kProtected:
      return "protected by ifd";
    case Verdict::kFound:
      return "found";
    case Verdict::kNotApplicable:
      break;
  }
  return "not applicable";
}

}  // namespace ifd::train
