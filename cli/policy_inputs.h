// What `route`, `evaluate` and `plan threshold` read alike: predictions, contexts, priors, duty.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/terminal.h"
#include "ifd/data/expert_context.h"
#include "ifd/data/predictions.h"
#include "ifd/policy/availability.h"
#include "ifd/policy/calibration.h"
#include "ifd/policy/named_policy.h"
#include "ifd/policy/roster.h"

namespace ifd::cli {

struct PolicyInputs {
  std::filesystem::path predictions;
  std::filesystem::path context;
  std::filesystem::path context_predictions;
  std::filesystem::path prior;
  bool logits = false;
  std::string margin = "probability";
  std::string ties = "by-readings";
  std::string calibrate = "none";
  std::vector<std::string> off_duty;
  unsigned threads = 0;

  void add_to(CLI::App& command);
};

// --paper: the paper's rule and scale wherever --policy and --margin are not given. After both.
void add_paper_flag(CLI::App& command);

struct CalibrationReport {
  std::string kind;
  Calibration calibration;
  std::size_t cases;
  CalibrationQuality before;
  CalibrationQuality after;
};

struct LoadedInputs {
  Predictions predictions;  // calibrated where that was asked for
  std::vector<ExpertContext> contexts;
  Roster roster;
  Availability availability;
  MarginScale scale;
  TieRule ties;
  unsigned threads;
  std::optional<CalibrationReport> calibration;
  std::optional<Predictions> context_predictions = {};  // of the context's cases, where given
  std::optional<Predictions> uncalibrated = {};         // where --calibrate changed them
  std::string about_context_file = {};                  // where the context's cases are looked up
  std::optional<Calibration> own_calibration = {};      // of the policy, instead of --calibrate

  const Predictions& as_read() const { return uncalibrated ? *uncalibrated : predictions; }

  PolicyMaterials materials(std::uint64_t seed) const {
    PolicyMaterials made{roster, scale, ties, seed};
    made.contexts = contexts;
    if (context_predictions) made.context_predictions = &*context_predictions;
    return made;
  }
};

LoadedInputs load(const PolicyInputs& inputs, const Terminal& terminal);

// --amx test|use: the network of a trained identity-free policy in bf16.
void add_amx_option(CLI::App& command, std::string& to);
// What the option asks to compute in, beside float: nothing where it was not given, kBf16 to tell
// what would change, kAmx to use it. Error(kUsage) where that needs AMX and there is none.
std::optional<Precision> bf16_precision(const std::string& amx);

// What a policy file wants done to the predictions as they were read, told to the user; none for
// other policies and for files that want nothing.
std::optional<Calibration> own_calibration(const std::string& policy, const LoadedInputs& loaded,
                                           const Terminal& terminal);
// Makes the predictions those that the policy wants.
void calibrate_as(const std::string& policy, LoadedInputs& loaded, const Terminal& terminal);

// The position of each expert of a list given on the command line or in a file.
std::size_t find_expert(const Roster& roster, const std::string& name, const std::string& place);

}  // namespace ifd::cli
