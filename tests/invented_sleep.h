// Recordings that nobody slept, for tests.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "experiments/jobs/sleep_scorers.h"
#include "ifd/data/dodh.h"
#include "ifd/random/keyed_random.h"

namespace ifd::experiments {

// Of five scorers and seven networks; scorer j errs on a share of .1 (j + 1) of the epochs.
inline std::vector<ScoredRecording> invented_recordings(std::size_t count = 6,
                                                        std::size_t epochs = 200) {
  std::vector<ScoredRecording> recordings;
  for (std::size_t r = 0; r < count; ++r) {
    ScoredRecording recording{fmt::format("night-{}", r), {}, {}};
    const auto seen = [&](const char* who, std::size_t j, double errs) {
      Hypnogram stages;
      for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
        const std::size_t truth = Key(5).with(r).with(epoch / 7).below(5);
        const Key key = Key(6).with(who).with(j).with(r).with(epoch);
        stages.emplace_back(class_id(key.uniform(0) < errs ? key.below(5, 1) : truth));
      }
      return stages;
    };
    for (std::size_t j = 0; j < 5; ++j) {
      recording.scorers.push_back(seen("scorer", j, .1 * static_cast<double>(j + 1)));
    }
    for (std::size_t j = 0; j < 7; ++j) recording.networks.push_back(seen("network", j, .3));
    recordings.push_back(std::move(recording));
  }
  return recordings;
}

inline const std::vector<std::string>& invented_scorers() {
  static const std::vector<std::string> names = {"scorer1", "scorer2", "scorer3", "scorer4",
                                                 "scorer5"};
  return names;
}

inline SleepScorers invented_sleep() {
  ScoredSleep sleep = scored_sleep(invented_scorers(), invented_recordings());
  SleepScorers scorers{std::move(sleep.predictions), std::move(sleep.answers), {}, 6, "invented"};
  for (std::size_t row = 0; row < scorers.epochs.size(); ++row) {
    scorers.recordings.push_back(static_cast<std::uint32_t>(row / 200));
  }
  return scorers;
}

}  // namespace ifd::experiments
