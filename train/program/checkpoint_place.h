// Where the state of a training is kept: beside the policy it becomes.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "ifd/data/read_limits.h"
#include "train/checkpoint.h"

namespace ifd::train {

struct CheckpointOptions {
  std::filesystem::path output;  // the policy's file
  std::chrono::duration<double> period;
  bool keep = false;  // also when the training has ended
  ReadLimits limits = {};
};

class CheckpointPlace {
 public:
  // `settings` are those of the training.
  CheckpointPlace(CheckpointOptions options, std::string settings);

  const std::filesystem::path& path() const { return path_; }

  // The bytes of the file. Error(kNotFound) where there is none.
  std::string bytes() const;
  // The training that they hold. Error as checkpoint_from.
  Checkpoint parse(const std::string& bytes) const;
  // Whether they were written for another number of epochs or another patience, as changed_length.
  std::string changed_length(const std::string& bytes) const;

  // At least a period since the last was kept.
  bool due() const;
  void keep(const Checkpoint& checkpoint);
  // Whether the last one stays; where not, end() removes it.
  bool keeps_last() const { return options_.keep; }
  void end() const;

 private:
  using Clock = std::chrono::steady_clock;
  CheckpointOptions options_;
  std::filesystem::path path_;
  std::string settings_;
  Clock::time_point last_ = Clock::now();
};

}  // namespace ifd::train
