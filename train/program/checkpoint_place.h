// Where the state of an unfinished training is kept: beside the policy it will become.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "train/checkpoint.h"

namespace ifd::train {

class CheckpointPlace {
 public:
  // `output` is the policy's file; `settings` are those of the training.
  CheckpointPlace(const std::filesystem::path& output, std::chrono::duration<double> period,
                  std::string settings);

  // The file, and the training it holds. Error as checkpoint_from.
  std::string bytes() const;
  Checkpoint parse(const std::string& bytes) const;

  // At least a period since the last was kept.
  bool due() const;
  void keep(const Checkpoint& checkpoint);
  void remove() const;

 private:
  using Clock = std::chrono::steady_clock;
  std::filesystem::path path_;
  std::chrono::duration<double> period_;
  std::string settings_;
  Clock::time_point last_ = Clock::now();
};

}  // namespace ifd::train
