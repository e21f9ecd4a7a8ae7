#include "train/program/train_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "command_line/file_options.h"
#include "command_line/old_names.h"
#include "command_line/preset_flag.h"
#include "command_line/read_limits_option.h"
#include "command_line/threads_limit.h"
#include "command_line/typed_command.h"
#include "train/program/command.h"
#include "train/training_catalogue.h"

namespace ifd::train {
namespace {

const std::map<std::string, CalibrationKind> kCalibrations = {
    {"none", CalibrationKind::kNone},
    {"temperature", CalibrationKind::kTemperature},
    {"bias", CalibrationKind::kBias}};
const std::map<std::string, CalibrationSource> kCalibrationSources = {
    {"validation", CalibrationSource::kValidation}, {"context", CalibrationSource::kContext}};

// The flag of a setting: --lcb-width for lcb_width.
std::string flag_of(const std::string& name) {
  std::string flag = "--" + name;
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

// A setting of one or several methods.
struct SharedSetting {
  Setting setting;
  std::vector<std::string> methods;

  bool is_of_most() const { return 2 * methods.size() > training_methods().size(); }
  // What only some methods can be told says whom.
  std::string description() const {
    std::string text = setting.description;
    if (!is_of_most()) return fmt::format("{}: {}", fmt::join(methods, ", "), text);
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
  }
};

// The settings of all methods, once each.
std::vector<SharedSetting> all_settings() {
  std::vector<SharedSetting> all;
  for (const TrainingMethod& method : training_methods()) {
    for (const Setting& setting : method.settings) {
      const auto known = std::find_if(all.begin(), all.end(), [&](const SharedSetting& other) {
        return other.setting.name == setting.name;
      });
      if (known != all.end()) {
        known->methods.push_back(method.name);
      } else {
        all.push_back({setting, {method.name}});
      }
    }
  }
  return all;
}

void add_choice(CLI::App& command, const std::string& flag, std::string& to,
                std::vector<std::string> words, const std::string& description) {
  std::sort(words.begin(), words.end());
  command.add_option(flag, to, description)->check(CLI::IsMember(words))->capture_default_str();
}

void add_setting(CLI::App& command, const SharedSetting& shared, TrainOptions& options) {
  const Setting& setting = shared.setting;
  SettingValue& value = options.settings.emplace(setting.name, setting.standard).first->second;
  const std::string flag = flag_of(setting.name);
  if (auto* word = std::get_if<std::string>(&value)) {
    add_choice(command, flag, *word, setting.words, shared.description());
  } else if (auto* count = std::get_if<std::size_t>(&value)) {
    command.add_option(flag, *count, shared.description())->capture_default_str();
  } else {
    command.add_option(flag, std::get<double>(value), shared.description())->capture_default_str();
  }
}

void add_presets(CLI::App& command, const TrainingMethod& method) {
  for (const Preset& preset : method.presets) {
    PresetSettings settings;
    for (const auto& [name, word] : preset.words) settings.emplace_back(flag_of(name), word);
    add_preset_flag(command, flag_of(preset.name),
                    fmt::format("{}: {},", method.name, preset.description), settings);
  }
}

// First what is one method's own, method by method, then what most of them share.
void add_method_settings(CLI::App& command, TrainOptions& options) {
  const std::vector<SharedSetting> all = all_settings();
  for (const TrainingMethod& method : training_methods()) {
    for (const SharedSetting& shared : all) {
      if (!shared.is_of_most() && shared.methods.front() == method.name) {
        add_setting(command, shared, options);
      }
    }
    add_presets(command, method);
  }
  for (const SharedSetting& shared : all) {
    if (shared.is_of_most()) add_setting(command, shared, options);
  }
}

std::vector<std::string> names_of_joint_methods() {
  std::vector<std::string> able;
  for (const TrainingMethod& method : training_methods()) {
    if (method.learns_jointly) able.push_back(method.name);
  }
  return able;
}

CLI::Option* add_file(CLI::App& command, const char* name, std::filesystem::path& to,
                      const std::string& description) {
  CLI::Option* option = command.add_option(name, to, description)->type_name(kFileRead);
  refuse_standard_input(*option);
  return option;
}

void add_inputs(CLI::App& c, TrainOptions& o) {
  add_file(c, "--predictions", o.files.predictions,
           "Training cases: probabilities and labels; features where the method reads them");
  add_file(c, "--validation", o.files.validation, "Validation cases, alike");
  o.format.add_to(c);
  add_file(c, "--context", o.files.context, "The experts' answers on a few training cases, CSV")
      ->required();
  add_file(c, "--answers", o.files.answers,
           "Every expert's answer on every training case, CSV; only the baselines need it");
  add_file(c, "--validation-answers", o.files.validation_answers,
           "Answers on the validation cases; without them early stopping trusts the contexts");
  o.answers_format.add_to(c);
  add_file(c, "--joint", o.files.classifier,
           fmt::format("{}: a classifier that goes on learning with the policy; instead of "
                       "--predictions",
                       fmt::join(names_of_joint_methods(), ", ")));
  add_file(c, "--images", o.files.images,
           "joint: its images in MedMNIST layout, splits train and val");
  add_file(c, "--joint-output", o.joint_output, "joint: the classifier as it is then")
      ->type_name(kFileWritten);
  c.add_option("--classifier-rate", o.classifier_rate, "joint: learning rate of the classifier")
      ->capture_default_str();
  choice(c, "--calibrate", o.calibration, kCalibrations,
         "Calibrate the classifier before it is learnt from; the policy does the same in use");
  choice(c, "--calibrate-on", o.calibrate_on, kCalibrationSources,
         "validation: fitted once and stored; context: fitted anew on the context in use");
  keep_old_name(c, "--calibration", "--calibrate");
}

void add_schedule(CLI::App& c, Schedule& schedule) {
  c.add_option("--epochs", schedule.epochs,
               fmt::format("At most; joint: {}", kJointSchedule.epochs))
      ->capture_default_str();
  c.add_option(
       "--patience", schedule.patience,
       fmt::format("Epochs without a better validation AURSAC; joint: {}", kJointSchedule.patience))
      ->capture_default_str();
  c.add_option("--learning-rate", schedule.learning_rate, "Of Adam")->capture_default_str();
  c.add_option("--batch", schedule.batch, "Cases; each with all experts")->capture_default_str();
  limit_threads(c.add_option("--threads", schedule.threads, "0: as many as the machine has")
                    ->capture_default_str());
  c.add_option("--seed", schedule.seed, "Seed of every draw")->capture_default_str();
}

void add_outputs(CLI::App& c, TrainOptions& o) {
  add_json_flag(c, o.json);
  add_file(c, "--log", o.log, "The same lines in a file, which is there at the end")
      ->type_name(kFileWritten);
  add_file(c, "--report", o.report, "An HTML page with the learning curves")
      ->type_name(kFileWritten);
  add_file(c, "-o,--output", o.output,
           "The policy; OUTPUT.checkpoint is there while it is trained, and after Ctrl-C")
      ->required()
      ->type_name(kFileWritten);
}

void add_running(CLI::App& c, TrainOptions& o) {
  c.add_flag("--resume", o.resume,
             "Go on from OUTPUT.checkpoint, with another --epochs or --patience if you like");
  c.add_flag("--keep-checkpoint", o.keep_checkpoint,
             "Leave OUTPUT.checkpoint there when the training has ended, for more epochs later");
  c.add_option("--checkpoint-seconds", o.checkpoint_seconds,
               "At least this long between two checkpoints; 0 for one every epoch")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  c.add_flag("--distributed", o.distributed,
             "One of several processes that share the training, started by mpirun, srun, or by "
             "hand with RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT");
  c.add_option("--peer-timeout", o.peer_timeout,
               "Seconds to wait for another process before giving up")
      ->capture_default_str();
  add_max_expansion_option(c, o.files.limits);
  c.add_flag("-q,--quiet", o.terminal.quiet, "Say nothing on stderr but errors");
}

// Either predictions, or images with a classifier that goes on learning.
void check_sources(const TrainOptions& options, const TrainingMethod& method) {
  const TrainingFiles& files = options.files;
  const bool joint = is_joint(options);
  if (joint && !method.learns_jointly) {
    throw usage(
        fmt::format("--joint goes with method '{}'", fmt::join(names_of_joint_methods(), "', '")));
  }
  if (joint != !files.images.empty() || joint != !options.joint_output.empty()) {
    throw usage("--joint, --images and --joint-output go together");
  }
  if (joint != files.predictions.empty() || joint != files.validation.empty()) {
    throw usage("give either --predictions and --validation, or --joint and --images");
  }
  if (joint && (options.calibration != "none" || options.distributed)) {
    throw usage("--joint goes without --calibrate and --distributed");
  }
  if (!(options.classifier_rate > 0 && options.classifier_rate < 1e3)) {
    throw usage("--classifier-rate is a positive number");
  }
}

void check_counts(const TrainOptions& options) {
  const Schedule& schedule = options.schedule;
  std::vector<std::string> flags = {"--batch", "--epochs", "--patience"};
  bool good = schedule.batch > 0 && schedule.epochs > 0 && schedule.patience > 0;
  for (const SharedSetting& shared : all_settings()) {
    const SettingValue& value = options.settings.at(shared.setting.name);
    if (!std::holds_alternative<std::size_t>(value)) continue;
    flags.push_back(flag_of(shared.setting.name));
    good = good && shared.setting.allows(value);
  }
  if (good) return;
  const std::string last = flags.back();
  flags.pop_back();
  throw usage(fmt::format("{} and {} are 1 or more", fmt::join(flags, ", "), last));
}

void check_numbers(const TrainOptions& options) {
  for (const SharedSetting& shared : all_settings()) {
    const Setting& setting = shared.setting;
    if (!setting.allows(options.settings.at(setting.name))) {
      throw usage(fmt::format("{} is {}", flag_of(setting.name), setting.allowed()));
    }
  }
}

}  // namespace

bool is_joint(const TrainOptions& options) { return !options.files.classifier.empty(); }

CalibrationChoice calibration_of(const TrainOptions& options) {
  return {kCalibrations.at(options.calibration), kCalibrationSources.at(options.calibrate_on)};
}

TrainingPlan plan_of(const TrainOptions& options) {
  TrainingPlan plan(training_method(options.method));
  for (const Setting& setting : plan.method.settings) {
    plan.settings.set(setting.name, options.settings.at(setting.name));
  }
  plan.schedule = options.schedule;
  return plan;
}

void describe_train_options(CLI::App& command, TrainOptions& options) {
  command.footer(
      "Example:\n  ifd train --method ifd --predictions train.npz --validation val.npz \\\n"
      "      --context context.csv -o policy.ifd");
  std::vector<std::string> methods;
  for (const TrainingMethod& method : training_methods()) methods.push_back(method.name);
  add_choice(command, "--method", options.method, methods, "What to train");
  add_inputs(command, options);
  add_method_settings(command, options);
  add_schedule(command, options.schedule);
  add_outputs(command, options);
  add_running(command, options);
}

void complete_train_options(const CLI::App& command, TrainOptions& options) {
  // Without --resume: from the start it gives the same policy.
  options.command = command_as_typed({"ifd", "train"}, command, "--resume");
  options.files.answers_format = options.answers_format.format(options.format.label_kind());
  if (!is_joint(options)) return;
  if (command.count("--epochs") == 0) options.schedule.epochs = kJointSchedule.epochs;
  if (command.count("--patience") == 0) options.schedule.patience = kJointSchedule.patience;
}

void check_train_options(const TrainOptions& options) {
  const TrainingMethod& method = training_method(options.method);
  check_sources(options, method);
  check_answers(method, options.files.answers.empty() ? Answers::kNone : Answers::kGiven);
  check_counts(options);
  if (!(options.schedule.learning_rate > 0 && options.schedule.learning_rate < 1e3)) {
    throw usage("--learning-rate is a positive number");
  }
  if (options.calibration == "none" && options.calibrate_on != "validation") {
    throw usage("--calibrate-on says where --calibrate is fitted; give that too");
  }
  if (options.peer_timeout == 0) throw usage("--peer-timeout is 1 or more");
  check_numbers(options);
}

}  // namespace ifd::train
