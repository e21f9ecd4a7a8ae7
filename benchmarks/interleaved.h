// Timing on a noisy machine: two things are run in turn, A B A B ..., and only their ratio counts,
// because whatever slows the machine down slows both.
#pragma once

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <vector>

namespace ifd::benchmark {

inline double processor_time() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The processor time of one call, in seconds, with what the kernel does for it: while neighbours
// have the processor, this clock stands still.
template <typename Work>
double seconds(Work work) {
  const double start = processor_time();
  work();
  return processor_time() - start;
}

// Keeps the compiler from dropping a result that nobody reads.
template <typename Value>
void keep(const Value& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

// Between order statistics; `values` is not empty.
inline double quantile(std::vector<double> values, double level) {
  std::sort(values.begin(), values.end());
  const double at = level * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

struct Comparison {
  double ours;        // median seconds
  double reference;   // median seconds
  double ratio;       // median over the rounds of ours / reference within the round
  double ratio_low;   // lower quartile
  double ratio_high;  // upper quartile
};

// `ours` and `reference` do their work once and return the seconds that count. The first round
// warms caches and is not counted.
template <typename Ours, typename Reference>
Comparison interleave(std::size_t rounds, Ours ours, Reference reference) {
  std::vector<double> a;
  std::vector<double> b;
  std::vector<double> ratio;
  ours();
  reference();
  for (std::size_t round = 0; round < rounds; ++round) {
    a.push_back(ours());
    b.push_back(reference());
    ratio.push_back(a.back() / b.back());
  }
  return {quantile(a, 0.5), quantile(b, 0.5), quantile(ratio, 0.5), quantile(ratio, 0.25),
          quantile(ratio, 0.75)};
}

}  // namespace ifd::benchmark
