// What commands about a staff read alike: its answers, and what names the classes.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/context_inputs.h"

namespace ifd::cli {

struct Program;

struct StaffInputs : ContextInputs {
  std::vector<std::string> classes = {};  // instead of the predictions

  // All but --context and --predictions, which commands take for different things.
  void add_to(CLI::App& command);
};

struct LoadedStaff {
  ClassNames classes;
  std::optional<Predictions> predictions;
  std::vector<ExpertContext> contexts;
};

// Either predictions or classes are there.
LoadedStaff load(const StaffInputs& inputs, const AnswersFormat& taken_for, const Program& program);

// --context and --predictions of a plan for somebody new, with all that StaffInputs adds.
void add_plan_inputs(CLI::App& command, StaffInputs& inputs);
// Error(kUsage) unless either predictions or classes are there.
LoadedStaff load_for_plan(const StaffInputs& inputs, const Program& program);

}  // namespace ifd::cli
