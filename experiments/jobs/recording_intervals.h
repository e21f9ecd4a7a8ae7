// Means over pairs of scorers, and how far they would move on other recordings.
//
// Ten pairs are made of five people, so nothing is resampled but recordings, with the people as
// they are: one draw of recordings for all pairs and methods, each recording with all its epochs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "experiments/result/job_result.h"
#include "ifd/evaluation/replay.h"
#include "ifd/random/keyed_random.h"

namespace ifd::experiments {

// A method on the test epochs of every pair, in the order of the pairs.
struct MethodOnPairs {
  ResultRow where;  // everything but measure and value
  std::vector<Replay> replays;
  // What an area minus that of this method is called; null: nothing is compared with it.
  MeasureName (*minus)(const MeasureName& area) = nullptr;
};

struct Recordings {
  std::vector<std::span<const std::uint32_t>> of_cases;  // for each pair
  std::uint32_t first, last;                             // that are drawn from: first..last-1
};

// For every method the mean over the pairs of the area over each range of budgets and of the system
// accuracy at the small ones, with the ends of its 95 % interval; also minus that of each method
// before it that others are compared with. Without resamples no intervals.
std::vector<ResultRow> recording_rows(std::span<const MethodOnPairs> methods,
                                      const Recordings& recordings, std::size_t resamples,
                                      const Key& key);

}  // namespace ifd::experiments
