// What a training tells while it runs: a line on stderr, and its log.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "command_line/terminal.h"
#include "ifd/policy/policy_calibration.h"
#include "train/program/training_log.h"
#include "train/schedule.h"
#include "train/support.h"
#include "train/trained_policy.h"

namespace ifd::train {

struct JournalOptions {
  std::string method;
  std::filesystem::path output;  // the policy, for the last line
  std::filesystem::path log;     // empty: none
  TrainingLog::Stdout standard_output = TrainingLog::Stdout::kSilent;
  Schedule schedule;
  Terminal terminal;
};

class Journal {
 public:
  explicit Journal(JournalOptions options);

  // The epochs of an earlier run that this one goes on from.
  void resumed(const TrainingSummary& before);
  // `before` are the epochs before the batch's.
  void heard_batch(const TrainingSummary& before, BatchCount batch);
  void heard(const EpochReport& epoch);
  enum class Ending { kFinished, kStopped };
  void done(const LearntPolicy& learnt, const std::optional<PolicyCalibration>& calibration,
            Ending ending);

 private:
  double elapsed() const;
  void follow(const EpochReport& epoch);

  JournalOptions options_;
  std::chrono::steady_clock::time_point begin_;
  TrainingLog log_;
  std::size_t here_ = 0;  // epochs of this run
  std::size_t since_best_ = 0;
  double best_ = 0;
  double said_ = 0;  // seconds at which the line was last written
};

}  // namespace ifd::train
