// The options of 'ifd train': parsed, checked, and turned into what the library takes.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>
#include <string>

#include "command_line/answers_format_options.h"
#include "command_line/predictions_format_option.h"
#include "command_line/terminal.h"
#include "train/program/training_log.h"
#include "train/schedule.h"
#include "train/training_inputs.h"
#include "train/training_method.h"

namespace ifd::train {

struct TrainOptions {
  std::string method = "ifd";
  // The settings of all methods by name; those of others do no harm.
  std::map<std::string, SettingValue> settings;
  TrainingFiles files;
  PredictionsFormatOptions format = {};
  AnswersFormatOptions answers_format = {};
  std::string calibration = "none";
  std::string calibrate_on = "validation";
  Schedule schedule{.threads = 0};
  std::filesystem::path output, log, report;
  std::filesystem::path joint_output;  // the classifier of a joint training
  double classifier_rate = kClassifierRate;
  TrainingLog::Stdout json = TrainingLog::Stdout::kSilent;
  Terminal terminal;
  bool resume = false;
  bool keep_checkpoint = false;
  double checkpoint_seconds = 5;
  bool distributed = false;
  unsigned peer_timeout = 300;
  std::string command;  // as typed
};

// Gives the command its options, which parsing writes to `options`.
void describe_train_options(CLI::App& command, TrainOptions& options);
// After parsing: what was typed, and what follows from it.
void complete_train_options(const CLI::App& command, TrainOptions& options);

// Error(kUsage) for options that make no sense or do not go together.
void check_train_options(const TrainOptions& options);

// The classifier learns too.
bool is_joint(const TrainOptions& options);
CalibrationChoice calibration_of(const TrainOptions& options);
TrainingPlan plan_of(const TrainOptions& options);

}  // namespace ifd::train
