// The margins of plug-in, beside the machine's matrix product of the same shape: predictions
// (N x K) times posterior means (K x J).
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "benchmarks/generated_data.h"
#include "benchmarks/peak_memory.h"
#include "benchmarks/sections.h"
#include "ifd/policy/scoring.h"
#include "ifd/policy/untrained.h"

namespace ifd::benchmark {
namespace {

constexpr std::size_t kClasses = 16;
constexpr std::size_t kExperts = 100;

// OpenBLAS, with the kernel that fits this CPU. Older versions do not know newer CPUs and fall
// back to a kernel several times slower, and they read the environment only while loading: hence
// not linked but loaded, after the kernel is named.
class OpenBlas {
 public:
  OpenBlas() {
    const char* kernel = nullptr;
    if (__builtin_cpu_supports("avx512dq")) {
      kernel = "SkylakeX";
    } else if (__builtin_cpu_supports("avx2")) {
      kernel = "Haswell";
    }
    if (kernel != nullptr) ::setenv("OPENBLAS_CORETYPE", kernel, 0);
    ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
    library_ = ::dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) return;
    double_product = reinterpret_cast<Product<double>>(::dlsym(library_, "cblas_dgemm"));
    float_product = reinterpret_cast<Product<float>>(::dlsym(library_, "cblas_sgemm"));
    const auto name = reinterpret_cast<char* (*)()>(::dlsym(library_, "openblas_get_corename"));
    if (name != nullptr) kernel_name = name();
  }

  template <typename Number>
  using Product = void (*)(int order, int transpose_a, int transpose_b, int m, int n, int k,
                           Number alpha, const Number* a, int lda, const Number* b, int ldb,
                           Number beta, Number* c, int ldc);
  Product<double> double_product = nullptr;
  Product<float> float_product = nullptr;
  std::string kernel_name = "unknown";

 private:
  void* library_ = nullptr;
};

constexpr int kRowMajor = 101;
constexpr int kPlain = 111;

// Blocks of rows into one small output, as we work: writing N x J numbers would measure memory.
template <typename Number>
double product_seconds(OpenBlas::Product<Number> product, const std::vector<Number>& predictions,
                       const std::vector<Number>& means) {
  constexpr std::size_t kBlock = 256;
  std::vector<Number> out(kBlock * kExperts);
  const std::size_t cases = predictions.size() / kClasses;
  return seconds([&] {
    for (std::size_t row = 0; row < cases; row += kBlock) {
      product(kRowMajor, kPlain, kPlain, static_cast<int>(std::min(kBlock, cases - row)), kExperts,
              kClasses, Number{1}, predictions.data() + row * kClasses, kClasses, means.data(),
              kExperts, Number{0}, out.data(), kExperts);
      keep(out);
    }
  });
}

}  // namespace

void measure_margins(Report& report, const Effort& effort) {
  const Predictions predictions = generated_predictions(effort.cases, kClasses);
  const Roster roster = generated_roster(kExperts, kClasses);
  const auto policy = plug_in_policy(roster, MarginScale::kProbability);
  const Availability everybody(kExperts);
  const auto ours = [&] {
    return seconds([&] { keep(winning_margins(*policy, predictions, roster.names, everybody)); });
  };
  const std::string what = fmt::format("margins {} x {} x {}", effort.cases, kClasses, kExperts);

  const OpenBlas blas;
  if (blas.double_product == nullptr || blas.float_product == nullptr) {
    report.note("libopenblas.so.0 is not there: no matrix product to compare the margins with");
  } else {
    const auto floats = predictions.all_probabilities();
    const std::vector<float> single(floats.begin(), floats.end());
    const std::vector<double> twice(floats.begin(), floats.end());
    std::vector<double> means;
    for (std::size_t k = 0; k < kClasses; ++k) {
      for (const ExpertProfile& profile : roster.profiles) means.push_back(profile.means()[k]);
    }
    const std::vector<float> single_means(means.begin(), means.end());
    report.note(
        fmt::format("OpenBLAS kernel: {}, one thread, blocks of 256 rows", blas.kernel_name));
    report.add(row_of(what + " vs dgemm", interleave(effort.rounds, ours, [&] {
                        return product_seconds(blas.double_product, twice, means);
                      })));
    report.add(row_of(what + " vs sgemm", interleave(effort.rounds, ours, [&] {
                        return product_seconds(blas.float_product, single, single_means);
                      })));
  }
  const auto peak = peak_growth([&] { ours(); });
  const double all = static_cast<double>(effort.cases * kExperts * sizeof(double));
  if (peak) {
    report.add({"margins: peak memory vs a table N x J",
                show_bytes(*peak),
                show_bytes(all),
                *peak / all,
                {},
                {},
                Target{"ratio <= 0.1", *peak <= 0.1 * all}});
  }
}

}  // namespace ifd::benchmark
