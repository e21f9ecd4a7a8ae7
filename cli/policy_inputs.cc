#include "cli/policy_inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "command_line/preset_flag.h"
#include "ifd/data/answers_file.h"
#include "ifd/data/predictions_file.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"
#include "ifd/policy/policy_calibration.h"

namespace ifd::cli {
namespace {

Predictions cases_to_calibrate_on(const Predictions& predictions,
                                  const std::vector<ExpertContext>& contexts,
                                  const std::string& name) {
  Predictions cases = context_cases(predictions, contexts);
  if (cases.size() == 0) {
    throw bad_input(fmt::format(
        "{}: none of the context's cases is there, so there is nothing to calibrate on; "
        "expected them in --context-predictions",
        name));
  }
  return cases;
}

}  // namespace

void PolicyInputs::add_to(CLI::App& command) {
  command
      .add_option("--predictions", predictions,
                  "Class probabilities of the cases, CSV (case,[label,]class columns) or NPZ")
      ->required()
      ->type_name("FILE");
  command
      .add_option("--context", context,
                  "Past answers of the experts, CSV expert,case,answer[,truth]")
      ->required()
      ->type_name("FILE");
  command
      .add_option(
          "--context-predictions", context_predictions,
          "Predictions for the context's cases: labels for contexts without a truth column, "
          "probabilities for --calibrate, features for policies that encode them")
      ->type_name("FILE");
  command
      .add_option("--prior", prior,
                  "What is known beforehand, CSV expert,class,mean,strength or "
                  "expert,class,accuracy,confidence,strength")
      ->type_name("FILE");
  command.add_flag("--logits", logits, "The CSV predictions are logits, not probabilities");
  command.add_option("--margin", margin, "Scale of the margins: probability or logit")
      ->check(CLI::IsMember({"probability", "logit"}))
      ->capture_default_str();
  command
      .add_option("--ties", ties,
                  "How a role chooses among equal classes: by-readings or lowest-index (the "
                  "textbook rule, which lets class names decide)")
      ->check(CLI::IsMember({"by-readings", "lowest-index"}))
      ->capture_default_str();
  command
      .add_option("--calibrate", calibrate,
                  "Recalibrate the classifier on the context: none, temperature or bias; a policy "
                  "trained with a calibration uses its own")
      ->check(CLI::IsMember({"none", "temperature", "bias"}))
      ->capture_default_str();
  command.add_option("--off-duty", off_duty, "Experts who take no case today")
      ->delimiter(',')
      ->type_name("NAME,...");
  command.add_option("--threads", threads, "Worker threads; 0 takes all cores");
}

void add_paper_flag(CLI::App& command) {
  add_preset_flag(command, "--paper",
                  "The paper's settings:", {{"--policy", "peak-rule"}, {"--margin", "logit"}});
}

void add_amx_option(CLI::App& command, std::string& to) {
  command
      .add_option(
          "--amx", to,
          "bf16 for a trained identity-free policy: test tells what it would change, on any "
          "machine; use tells, then decides with it on AMX")
      ->check(CLI::IsMember({"test", "use"}));
}

std::optional<Precision> bf16_precision(const std::string& amx) {
  if (amx.empty()) return {};
  if (amx == "test") return Precision::kBf16;
  if (!amx_is_there()) {
    throw Error(
        ErrorKind::kUsage,
        "--amx use: this processor has no AMX with bf16; expected one that has it, or --amx "
        "test");
  }
  return Precision::kAmx;
}

LoadedInputs load(const PolicyInputs& inputs, const Terminal& terminal) {
  const ScoreKind scores = inputs.logits ? ScoreKind::kLogits : ScoreKind::kProbabilities;
  Predictions predictions = read_predictions(inputs.predictions, scores);
  std::optional<Predictions> context_predictions;
  if (!inputs.context_predictions.empty()) {
    context_predictions = read_predictions(inputs.context_predictions, scores);
    if (!(context_predictions->classes() == predictions.classes())) {
      throw bad_input(fmt::format("{}: the classes are {}; expected those of {}: {}",
                                  inputs.context_predictions.string(),
                                  context_predictions->classes().allowed(),
                                  inputs.predictions.string(), predictions.classes().allowed()));
    }
  }
  const Predictions& about_context = context_predictions ? *context_predictions : predictions;
  const std::string about_context_file =
      (context_predictions ? inputs.context_predictions : inputs.predictions).string();
  std::vector<ExpertContext> contexts =
      read_contexts(inputs.context, predictions.classes(), &about_context);
  if (const std::size_t outside = count_outside(contexts); outside > 0) {
    terminal.note(fmt::format("note: {} answer(s) in {} are outside the classes and count as wrong",
                              outside, inputs.context.string()));
  }
  PriorTable priors;
  if (!inputs.prior.empty()) priors = PriorTable::read(inputs.prior, predictions.classes());
  Roster roster = make_roster(contexts, predictions.classes().size(), priors);

  Availability availability(roster.size());
  for (const std::string& name : inputs.off_duty) {
    availability.set_off_duty(find_expert(roster, name, "--off-duty"));
  }

  std::optional<CalibrationReport> calibration;
  std::optional<Predictions> uncalibrated;
  if (inputs.calibrate != "none") {
    const Predictions fit_cases =
        cases_to_calibrate_on(about_context, contexts, about_context_file);
    const Calibration fitted =
        fit_calibration(fit_cases, inputs.calibrate == "bias" ? CalibrationKind::kBias
                                                              : CalibrationKind::kTemperature);
    calibration = {inputs.calibrate, fitted, fit_cases.size(), calibration_quality(fit_cases),
                   calibration_quality(calibrated(fit_cases, fitted))};
    terminal.note(fmt::format(
        "calibrated ({}) on {} context cases: log-loss {:.4f} -> {:.4f}, ECE {:.4f} -> {:.4f}, "
        "temperature {:.3f}",
        inputs.calibrate, fit_cases.size(), calibration->before.log_loss,
        calibration->after.log_loss, calibration->before.expected_calibration_error,
        calibration->after.expected_calibration_error, 1 / fitted.scale));
    uncalibrated = std::exchange(predictions, calibrated(predictions, fitted));
  }
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  return {std::move(predictions),
          std::move(contexts),
          std::move(roster),
          std::move(availability),
          inputs.margin == "logit" ? MarginScale::kLogit : MarginScale::kProbability,
          inputs.ties == "lowest-index" ? TieRule::kLowestIndex : TieRule::kByReadings,
          inputs.threads == 0 ? cores : inputs.threads,
          std::move(calibration),
          std::move(context_predictions),
          std::move(uncalibrated),
          about_context_file};
}

std::optional<Calibration> own_calibration(const std::string& policy, const LoadedInputs& loaded,
                                           const Terminal& terminal) {
  if (!names_policy_file(policy)) return {};
  const auto wanted = policy_calibration(PolicyFile::read(policy));
  if (!wanted) return {};
  const bool stored = wanted->source == CalibrationSource::kValidation;
  const Predictions& about_context =
      loaded.context_predictions ? *loaded.context_predictions : loaded.as_read();
  const Predictions context =
      stored ? context_cases(about_context, {})
             : cases_to_calibrate_on(about_context, loaded.contexts, loaded.about_context_file);
  const Calibration fitted =
      calibration_in_use(*wanted, loaded.predictions.classes(), context, policy);
  terminal.note(
      fmt::format("{}: calibrated ({}) on {}, temperature {:.3f}", policy, word_for(wanted->kind),
                  stored ? fmt::format("the {} validation cases of its training", wanted->cases)
                         : fmt::format("{} context cases", context.size()),
                  1 / fitted.scale));
  return fitted;
}

void calibrate_as(const std::string& policy, LoadedInputs& loaded, const Terminal& terminal) {
  loaded.own_calibration = own_calibration(policy, loaded, terminal);
  if (!loaded.own_calibration) return;
  loaded.predictions = calibrated(loaded.as_read(), *loaded.own_calibration);
}

std::size_t find_expert(const Roster& roster, const std::string& name, const std::string& place) {
  const auto found = std::find(roster.names.begin(), roster.names.end(), name);
  if (found == roster.names.end()) {
    constexpr std::size_t kShown = 12;
    std::vector<std::string> shown;
    for (const std::string& known : roster.names) {
      if (shown.size() < kShown) shown.push_back(excerpt(known));
    }
    throw bad_input(
        fmt::format("{}: '{}' is not an expert; expected one of {}{}", place, excerpt(name),
                    fmt::join(shown, ", "),
                    roster.size() > kShown ? fmt::format(", ... ({} in all)", roster.size()) : ""));
  }
  return static_cast<std::size_t>(found - roster.names.begin());
}

}  // namespace ifd::cli
