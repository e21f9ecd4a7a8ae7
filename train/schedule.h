// How long and how to train, and what came of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace ifd::train {

struct Schedule {
  std::size_t epochs = 500;
  std::size_t patience = 50;  // epochs without a better validation AURSAC
  std::size_t batch = 128;
  double learning_rate = 1e-3;  // of Adam
  std::uint64_t seed = 0;
  int threads = 1;
};

// Of a joint training, where nothing else is said: an epoch passes every image through the
// backbone, and a pretrained classifier is soon where it wants to be.
inline constexpr Schedule kJointSchedule{.epochs = 20, .patience = 5};
inline constexpr double kClassifierRate = 1e-4;  // the classifier's learning rate

struct EpochReport {
  std::size_t epoch;  // from 1
  double loss;        // mean over the epoch's cases
  double aursac;      // on the validation cases
  bool best;          // better than all before

  bool operator==(const EpochReport&) const = default;
};

enum class Continue { kYes, kNo };

// Hears of every epoch; kNo ends the training with the best weights so far.
using Observer = std::function<Continue(const EpochReport&)>;

struct TrainingSummary {
  std::vector<EpochReport> epochs;
  double start_aursac = 0;     // before the first epoch
  std::size_t best_epoch = 0;  // 0: what the training began with
  double best_aursac = 0;
  bool interrupted = false;  // the observer ended it

  bool operator==(const TrainingSummary&) const = default;
};

}  // namespace ifd::train
