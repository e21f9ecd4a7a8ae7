// What `route`, `evaluate` and `plan threshold` read alike: predictions, contexts, priors, duty.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/context_inputs.h"
#include "cli/cost_inputs.h"
#include "cli/prior_inputs.h"
#include "command_line/terminal.h"
#include "ifd/router.h"

namespace ifd::cli {

struct Program;

struct PolicyInputs : ContextInputs {
  PriorInputs prior = {};
  CostInputs costs = {};
  std::string margin = "probability";
  std::string ties = "by-readings";
  std::string calibrate = "none";
  std::optional<double> half_life = {};
  std::string answer = word_for(AnswerUse::kFinal);  // of the commands that have --answer
  std::vector<std::string> off_duty = {};
  unsigned threads = 0;

  void add_to(CLI::App& command);
  // All but --predictions, for commands that call the cases otherwise.
  void add_all_but_predictions(CLI::App& command);
  // What the context and the answers are taken for.
  AnswersFormat answers_format() const;
};

// --policy of a command that takes one: a policy that needs no answers, or a policy file.
void add_policy_option(CLI::App& command, std::string& policy);

// --paper: the paper's rule and scale wherever --policy and --margin are not given. After both.
void add_paper_flag(CLI::App& command);

// The files, read: the cases, and what a router is made of.
struct LoadedInputs {
  Predictions predictions;
  std::vector<std::uint32_t> groups = {};  // of each case, where there is a column of groups
  std::vector<ExpertContext> contexts = {};
  RouterOptions options = {};
  std::vector<std::string> off_duty = {};
  PriorAlone prior_alone = {};

  // Experts who are off duty are so in the router, which takes the contexts over.
  Router take_router(const std::string& policy);
};

// The same staff under the same policy, computed otherwise.
Router in_precision(const Router& router, const LoadedInputs& loaded, const std::string& policy,
                    Precision precision);

// `policies` are those that will be asked for.
LoadedInputs load(const PolicyInputs& inputs, const std::vector<std::string>& policies,
                  const Program& program);

// Tells who has answers without being on the roster, of many the first few; `what` follows, of what
// becomes of them.
void note_strangers(const AnswerTable& answers, const Router& router, std::string_view what,
                    const Terminal& terminal);

// Tells what the classifier was calibrated with: by --calibrate, and by a policy of its own.
void note_calibration(const Router& router, const std::string& policy, const Terminal& terminal);
void note_own_calibration(const std::string& policy, const CalibrationInUse& calibration,
                          const Terminal& terminal);

// --amx test|use: the network of a trained identity-free policy in bf16.
void add_amx_option(CLI::App& command, std::string& to);
// What the option asks to compute in, beside float: nothing where it was not given, kBf16 to tell
// what would change, kAmx to use it. Error(kUsage) where that needs AMX and there is none.
std::optional<Precision> bf16_precision(const std::string& amx);

}  // namespace ifd::cli
