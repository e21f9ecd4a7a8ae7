#include "benchmarks/fma_peak.h"

#include <cstdint>

#include "benchmarks/interleaved.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "benchmarks/fma_peak.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ifd::benchmark::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Chains that do not wait for each other: more than latency times units, fewer than registers.
constexpr std::size_t kChains = 12;

// Runs at least `operations`; gives how many it ran.
double run_chains(double operations, float* out) {
  const hn::ScalableTag<float> d;
  using Vector = hn::Vec<decltype(d)>;
  const double round = 2.0 * kChains * static_cast<double>(hn::Lanes(d));
  const auto rounds = static_cast<std::uint64_t>(operations / round) + 1;
  const Vector factor = hn::Set(d, out[0]);
  const Vector term = hn::Set(d, out[1]);
  Vector chain[kChains];
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kChains; ++i) chain[i] = hn::Set(d, static_cast<float>(i));
  for (std::uint64_t r = 0; r < rounds; ++r) {
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kChains; ++i) chain[i] = hn::MulAdd(chain[i], factor, term);
  }
  Vector sum = hn::Zero(d);
#pragma GCC unroll 16
  for (std::size_t i = 0; i < kChains; ++i) sum = hn::Add(sum, chain[i]);
  out[2] = hn::GetLane(sum);
  return static_cast<double>(rounds) * round;
}

}  // namespace ifd::benchmark::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ifd::benchmark {

HWY_EXPORT(run_chains);

double fma_seconds(double operations) {
  float numbers[3] = {0.5F, 1.0F, 0.0F};
  keep(numbers);
  double ran = 0;
  const double took = seconds([&] { ran = HWY_DYNAMIC_DISPATCH(run_chains)(operations, numbers); });
  keep(numbers);
  return took * operations / ran;
}

}  // namespace ifd::benchmark
#endif  // HWY_ONCE
