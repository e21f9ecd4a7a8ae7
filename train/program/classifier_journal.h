// What a classifier's training tells while it runs: a line on stderr, and its log.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "command_line/terminal.h"
#include "train/classifier_trainer.h"
#include "train/program/training_log.h"

namespace ifd::train {

struct ClassifierJournalOptions {
  std::string backbone;
  std::filesystem::path output;  // the classifier, for the last line
  std::filesystem::path log;     // empty: none
  TrainingLog::Stdout standard_output = TrainingLog::Stdout::kSilent;
  Terminal terminal;
};

class ClassifierJournal {
 public:
  ClassifierJournal(ClassifierJournalOptions options, const ClassifierTraining& training);

  // On stderr alone.
  void heard_batch(std::size_t epoch, std::size_t batch, std::size_t batches);
  // On stdout too.
  void heard_epoch(const ClassifierEpoch& epoch);
  // The file has all epochs, those before an interruption too.
  void done(const ClassifierSummary& summary);

 private:
  using Clock = std::chrono::steady_clock;

  double elapsed() const;
  nlohmann::ordered_json start_line() const;
  nlohmann::ordered_json epoch_line(const ClassifierEpoch& epoch) const;
  nlohmann::ordered_json end_line(const ClassifierSummary& summary) const;

  ClassifierJournalOptions options_;
  ClassifierTraining training_;
  Clock::time_point begin_, epoch_begin_;
  std::size_t first_ = 0;  // epoch of this run
  std::string last_;       // what the last epoch came to
  std::map<std::size_t, double> seconds_;
  TrainingLog said_;
};

}  // namespace ifd::train
