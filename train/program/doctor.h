// The silent traps of LibTorch as Debian ships it: what was measured on a machine, and what it
// means. Each costs a factor of 2 to 100, and none says a word.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ifd::train {

// One small piece of work, done in a process of its own.
struct ProbeRun {
  std::optional<double> seconds;  // none: it did not come to its end
  int signal = 0;                 // that ended it, 0 for none
  std::string blas;               // the file its BLAS came from
  std::string kernel;             // that OpenBLAS chose; empty where it is not OpenBLAS
  int threads = 0;                // that LibTorch starts with
};

// The same work without what ifd sets, and in the environment that `ifd train` has.
struct ProbePair {
  ProbeRun bare;
  ProbeRun here;
};

struct Measurements {
  int processors = 1;
  bool has_avx2 = false;
  bool has_avx512 = false;
  bool has_amx = false;
  std::string wait_policy;           // OMP_WAIT_POLICY as `ifd train` has it
  ProbePair product;                 // a matrix product on one thread
  std::optional<ProbeRun> openmp;    // the same with OpenBLAS on OpenMP, where it is installed
  std::optional<ProbePair> crowded;  // all threads, beside busy neighbours
  ProbeRun default_threads;          // a product with the threads LibTorch starts with
  ProbeRun all_threads;              // and with all
  std::optional<ProbePair> bf16;     // a bf16 convolution; only where there is AMX
  ProbeRun channels_first;           // a depthwise convolution and back
  ProbeRun channels_last;
};

enum class Verdict {
  kOk,
  kProtected,      // it is there, and ifd avoids it by itself
  kFound,          // it needs the user's hand
  kNotApplicable,  // this machine cannot fall into it
};

struct Finding {
  std::string trap;
  Verdict verdict;
  std::string what;
  std::optional<double> cost;  // times slower with the trap than without, where it was measured
  std::string fix;             // empty where there is nothing to fix
};

// What is slower by less is noise.
inline constexpr double kNoise = 1.15;

// One for each of the six traps, in their order.
std::vector<Finding> diagnose(const Measurements& measured);

bool needs_a_hand(std::span<const Finding> findings);

const char* word_of(Verdict verdict);

}  // namespace ifd::train
