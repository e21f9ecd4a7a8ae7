#include "cli/policy_inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <thread>
#include <unordered_set>
#include <utility>

#include "cli/answer_options.h"
#include "cli/command.h"
#include "command_line/preset_flag.h"
#include "command_line/threads_limit.h"
#include "ifd/data/answers_file.h"
#include "ifd/data/class_order.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/predictions_file.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"
#include "ifd/network/amx.h"
#include "ifd/policy/policy_catalogue.h"
#include "ifd/policy/roster.h"

namespace ifd::cli {
namespace {

CalibrationKind calibration_named(const std::string& word) {
  if (word == "temperature") return CalibrationKind::kTemperature;
  return word == "bias" ? CalibrationKind::kBias : CalibrationKind::kNone;
}

// The policies that are files, each read once: it may be a pipe.
PolicyFilesByName read_policy_files(const std::vector<std::string>& policies,
                                    const ReadLimits& limits) {
  PolicyFilesByName files;
  for (const std::string& policy : policies) {
    if (!names_policy_file(policy) || files.contains(policy)) continue;
    files.emplace(policy, std::make_shared<const PolicyFile>(PolicyFile::read(policy, limits)));
  }
  return files;
}

// A policy file whose calibration is fitted anew on the context.
bool calibrates_on_context(const PolicyFile& policy) {
  const auto wanted = policy_calibration(policy);
  return wanted && wanted->source == CalibrationSource::kContext;
}

// A named policy that learns from the model's predictions for the context's cases.
bool learns_from_labelled_cases(const std::string& policy) {
  return std::ranges::any_of(policy_methods(), [&](const PolicyMethod& method) {
    return method.name == policy && method.needs.labelled_cases;
  });
}

// The names of policies that can route: that need neither a file nor the answers.
std::vector<std::string_view> names_of_routing_policies() {
  std::vector<std::string_view> names;
  for (const PolicyMethod& method : policy_methods()) {
    const MethodNeeds& needs = method.needs;
    if (!needs.policy_file && !needs.answers && !needs.accuracies) names.push_back(method.name);
  }
  return names;
}

// Those who will be on the roster.
std::vector<std::string> experts_of(const LoadedInputs& loaded) {
  std::vector<std::string> names;
  for (const ExpertContext& context : loaded.contexts) names.push_back(context.expert);
  if (loaded.options.prior_only == PriorOnly::kLeftOut) return names;
  const auto others = experts_without_context(loaded.options.priors, loaded.contexts);
  names.insert(names.end(), others.begin(), others.end());
  return names;
}

// The cases, with their groups where a column of them was asked for.
LoadedInputs read_cases(const PolicyInputs& inputs, const ReadOptions& reading) {
  GroupedPredictions read =
      read_grouped_predictions(inputs.predictions, inputs.format.format(), reading);
  if (!inputs.format.group.empty() && read.groups.empty()) {
    throw bad_input(fmt::format(
        "{}: no column '{}' for --group; expected a CSV column beside case, label and the classes "
        "({})",
        source_name(inputs.predictions), excerpt(inputs.format.group),
        read.cases.classes().allowed()));
  }
  return {std::move(read.cases), std::move(read.groups)};
}

}  // namespace

void PolicyInputs::add_to(CLI::App& command) {
  command
      .add_option("--predictions", predictions,
                  "Class probabilities of the cases, CSV (case,[label,]class columns) or NPZ")
      ->required()
      ->type_name("FILE");
  add_all_but_predictions(command);
}

void PolicyInputs::add_all_but_predictions(CLI::App& command) {
  command
      .add_option("--context", context,
                  "Past answers of the experts, CSV expert,case,answer[,truth]; needed unless "
                  "--prior-only")
      ->type_name("FILE");
  command
      .add_option(
          "--context-predictions", context_predictions,
          "Predictions for the context's cases: labels for contexts without a truth column, "
          "probabilities for --calibrate and for 'conformal', features for policies that encode "
          "them")
      ->type_name("FILE");
  answers.add_to(command);
  prior.add_to(command);
  costs.add_to(command);
  format.add_to(command);
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
  command
      .add_option("--half-life", half_life,
                  "After so many more answers of the same expert an answer counts half; the "
                  "context's rows are then in the order of time. Without it all count alike")
      ->type_name("ANSWERS");
  command.add_option("--off-duty", off_duty, "Experts who take no case today")
      ->delimiter(',')
      ->type_name("NAME,...");
  limit_threads(command.add_option("--threads", threads, "Worker threads; 0 takes all cores"));
}

AnswersFormat PolicyInputs::answers_format() const {
  AnswersFormat taken = answers.format(format.label_kind());
  taken.may_be_empty = prior.only;
  return taken;
}

void add_policy_option(CLI::App& command, std::string& policy) {
  command
      .add_option("--policy", policy,
                  fmt::format("{} or a policy file", fmt::join(names_of_routing_policies(), ", ")))
      ->type_name("POLICY")
      ->capture_default_str();
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
  placed("--amx use", require_amx);
  return Precision::kAmx;
}

LoadedInputs load(const PolicyInputs& inputs, const std::vector<std::string>& policies,
                  const Program& program) {
  inputs.prior.check(inputs.context);
  inputs.costs.check();
  if (inputs.half_life && !(std::isfinite(*inputs.half_life) && *inputs.half_life > 0)) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--half-life {}: expected a positive number", *inputs.half_life));
  }
  const ReadOptions reading = program.reading();
  LoadedInputs loaded = read_cases(inputs, reading);
  RouterOptions& options = loaded.options;
  if (auto own = inputs.read_context_predictions(reading)) {
    options.context_predictions_name = source_name(inputs.context_predictions);
    options.context_predictions = in_class_order(*std::move(own), loaded.predictions.classes(),
                                                 options.context_predictions_name);
  }
  loaded.contexts =
      inputs.read_context(loaded.predictions.classes(),
                          options.context_predictions ? &*options.context_predictions : nullptr,
                          &loaded.predictions, reading, inputs.answers_format());
  options.half_life = inputs.half_life;
  options.calibrate = calibration_named(inputs.calibrate);
  options.answer = answer_use(inputs.answer);
  options.policy_files = read_policy_files(policies, reading.limits);
  // Who needs the context's cases finds them among the predictions if nothing else is given.
  if (!options.context_predictions &&
      (options.calibrate != CalibrationKind::kNone ||
       std::ranges::any_of(policies, learns_from_labelled_cases) ||
       std::ranges::any_of(options.policy_files, [](const auto& named) {
         return calibrates_on_context(*named.second);
       }))) {
    require_case_names(loaded.predictions, source_name(inputs.predictions));
    options.context_predictions = loaded.predictions;
    options.context_predictions_name = source_name(inputs.predictions);
  }
  options.priors = inputs.prior.read(loaded.predictions.classes(), loaded.contexts, program);
  options.prior_only = inputs.prior.joining();
  options.unstated_priors = inputs.prior.unstated();
  inputs.prior.add_newcomers(loaded.contexts);
  if (inputs.prior.may_join_unseen()) {
    const std::size_t classes = loaded.predictions.classes().size();
    loaded.prior_alone = prior_alone_of(make_roster(loaded.contexts, classes, options.priors,
                                                    options.prior_only, options.unstated_priors));
    for (const std::string& line : loaded.prior_alone.lines()) reading.note(line);
  }
  options.costs = inputs.costs.read(loaded.predictions.classes(), inputs.format.label_kind(),
                                    experts_of(loaded), reading);
  options.scale = inputs.margin == "logit" ? MarginScale::kLogit : MarginScale::kProbability;
  options.ties = inputs.ties == "lowest-index" ? TieRule::kLowestIndex : TieRule::kByReadings;
  options.threads =
      inputs.threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : inputs.threads;
  options.seed = program.seed;
  options.limits = reading.limits;
  loaded.off_duty = inputs.off_duty;
  return loaded;
}

Router in_precision(const Router& router, const LoadedInputs& loaded, const std::string& policy,
                    Precision precision) {
  RouterOptions chosen = loaded.options;
  chosen.policy = policy;
  chosen.precision = precision;
  return Router(router.roster_state(), std::move(chosen));
}

Router LoadedInputs::take_router(const std::string& policy) {
  RouterOptions chosen = options;
  chosen.policy = policy;
  Router router(predictions.classes(), std::move(contexts), std::move(chosen));
  for (const std::string& name : off_duty) {
    placed("--off-duty", [&] { router.set_on_duty(name, false); });
  }
  return router;
}

void note_strangers(const AnswerTable& answers, const Router& router, std::string_view what,
                    const Terminal& terminal) {
  constexpr std::size_t kNamed = 10;
  const std::vector<std::string> experts = router.experts();
  const std::unordered_set<std::string_view> known(experts.begin(), experts.end());
  std::size_t strangers = 0;
  for (const std::string& name : answers.expert_names()) {
    if (known.contains(name) || ++strangers > kNamed) continue;
    terminal.note(fmt::format("note: expert '{}' has answers but no context; not on the roster{}",
                              name, what));
  }
  if (strangers <= kNamed) return;
  terminal.note(
      fmt::format("note: and {} more experts with answers but no context", strangers - kNamed));
}

void note_calibration(const Router& router, const std::string& policy, const Terminal& terminal) {
  if (const auto fitted = router.options_calibration()) {
    terminal.note(fmt::format(
        "calibrated ({}) on {} context cases: log-loss {:.4f} -> {:.4f}, ECE {:.4f} -> {:.4f}, "
        "temperature {:.3f}",
        word_for(fitted->kind), fitted->cases, fitted->before->log_loss, fitted->after->log_loss,
        fitted->before->expected_calibration_error, fitted->after->expected_calibration_error,
        1 / fitted->calibration.scale));
  }
  const auto in_use = router.calibration();
  if (in_use && in_use->origin != CalibrationInUse::Origin::kOptions) {
    note_own_calibration(policy, *in_use, terminal);
  }
}

void note_own_calibration(const std::string& policy, const CalibrationInUse& calibration,
                          const Terminal& terminal) {
  const bool stored = calibration.origin == CalibrationInUse::Origin::kPolicyTraining;
  terminal.note(fmt::format(
      "{}: calibrated ({}) on {}, temperature {:.3f}", policy, word_for(calibration.kind),
      stored ? fmt::format("the {} validation cases of its training", calibration.cases)
             : fmt::format("{} context cases", calibration.cases),
      1 / calibration.calibration.scale));
}

}  // namespace ifd::cli
