// What the plans for new experts read alike: the staff's answers, and what names the classes.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "command_line/answers_format_options.h"
#include "command_line/predictions_format_option.h"
#include "ifd/data/expert_context.h"
#include "ifd/data/predictions.h"
#include "ifd/policy/roster.h"

namespace ifd::cli {

struct Program;

struct StaffInputs {
  std::filesystem::path context;
  std::filesystem::path predictions;
  std::filesystem::path context_predictions;
  std::vector<std::string> classes;
  AnswersFormatOptions answers = {};
  PredictionsFormatOptions format = {};

  void add_to(CLI::App& command);
};

struct LoadedStaff {
  ClassNames classes;
  std::optional<Predictions> predictions;
  std::vector<ExpertContext> contexts;
  Roster roster;  // with uniform priors
};

LoadedStaff load(const StaffInputs& inputs, const Program& program);

}  // namespace ifd::cli
