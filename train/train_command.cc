#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>

#include "command_line/preset_flag.h"
#include "ifd/data/accuracy.h"
#include "ifd/data/file_bytes.h"
#include "ifd/error.h"
#include "ifd/policy/policy_file.h"
#include "train/baseline_trainer.h"
#include "train/checkpoint.h"
#include "train/command.h"
#include "train/distributed.h"
#include "train/ifd_trainer.h"
#include "train/joint_trainer.h"
#include "train/journal.h"
#include "train/learning_report.h"
#include "train/threads.h"
#include "train/training_inputs.h"

namespace ifd::train {
namespace {

using nlohmann::ordered_json;

enum class Method { kIfd, kPopQi, kPopQc, kPopQiPerm, kPopQcPerm, kMultiExpert, kSingleExpert };

const std::map<std::string, Method> kMethods = {{"ifd", Method::kIfd},
                                                {"pop-qi", Method::kPopQi},
                                                {"pop-qc", Method::kPopQc},
                                                {"pop-qi-perm", Method::kPopQiPerm},
                                                {"pop-qc-perm", Method::kPopQcPerm},
                                                {"multi-expert", Method::kMultiExpert},
                                                {"single-expert", Method::kSingleExpert}};
const std::map<std::string, Objective> kObjectives = {{"peak", Objective::kPeak},
                                                      {"expected", Objective::kExpected}};
const std::map<std::string, Trust> kTrusts = {{"lcb", Trust::kLowerBound},
                                              {"mean", Trust::kMean},
                                              {"binary", Trust::kBinary},
                                              {"one", Trust::kOne}};
const std::map<std::string, StateSet> kStates = {{"paper", StateSet::kPaper},
                                                 {"extended", StateSet::kExtended}};
const std::map<std::string, Head> kHeads = {{"plain", Head::kPlain}, {"residual", Head::kResidual}};
const std::map<std::string, Surrogate> kSurrogates = {{"softmax", Surrogate::kSoftmax},
                                                      {"one-vs-all", Surrogate::kOneVsAll}};
const std::map<std::string, CalibrationKind> kCalibrations = {
    {"none", CalibrationKind::kNone},
    {"temperature", CalibrationKind::kTemperature},
    {"bias", CalibrationKind::kBias}};
const std::map<std::string, CalibrationSource> kCalibrationSources = {
    {"validation", CalibrationSource::kValidation}, {"context", CalibrationSource::kContext}};

// One linear layer on the features: it has no width and reads no context.
bool is_linear(Method method) {
  return method == Method::kMultiExpert || method == Method::kSingleExpert;
}

struct Options {
  std::string method = "ifd";
  TrainingFiles files;
  std::string calibration = "none";
  std::string calibrate_on = "validation";
  std::string objective = "expected";
  std::string weight = "mean";
  std::string state = "extended";
  std::string head = "residual";
  std::string surrogate = "softmax";
  double lcb_width = 1;
  std::size_t width = 256;
  std::size_t context_size = 35;
  Schedule schedule{.threads = 0};
  std::filesystem::path output, log, report;
  std::filesystem::path joint_output;  // the classifier of a joint training
  ClassifierUpdate update;
  TrainingLog::Stdout json = TrainingLog::Stdout::kSilent;
  bool quiet = false;
  bool resume = false;
  double checkpoint_seconds = 5;
  bool distributed = false;
  unsigned peer_timeout = 300;
  std::string command;  // as typed
};

// The classifier learns too.
bool is_joint(const Options& options) { return !options.files.classifier.empty(); }

// Everything the trained numbers depend on. Checkpoints and the other processes must agree with it.
ordered_json settings_of(const Options& options, std::size_t processes) {
  const Schedule& schedule = options.schedule;
  const Method method = kMethods.at(options.method);
  ordered_json settings = {{"method", options.method}};
  if (method == Method::kIfd) {
    settings.update({{"objective", options.objective},
                     {"weight", options.weight},
                     {"lcb_width", options.lcb_width},
                     {"state", options.state},
                     {"head", options.head}});
  }
  if (is_linear(method)) {
    settings["surrogate"] = options.surrogate;
  } else {
    settings.update({{"width", options.width}, {"context_size", options.context_size}});
  }
  settings["calibration"] = options.calibration;
  if (options.calibration != "none") settings["calibrate_on"] = options.calibrate_on;
  settings.update({{"epochs", schedule.epochs},
                   {"patience", schedule.patience},
                   {"learning_rate", schedule.learning_rate},
                   {"batch", schedule.batch},
                   {"seed", schedule.seed},
                   {"threads", schedule.threads},
                   {"processes", processes},
                   {"ifd", IFD_VERSION},
                   {"libtorch", IFD_TORCH_VERSION}});
  if (is_joint(options)) settings["classifier_rate"] = options.update.learning_rate;
  for (const auto& [name, hash] : file_hashes(options.files)) settings["hash of " + name] = hash;
  return settings;
}

// What the policy file tells of its making. No clock: the same training gives the same bytes.
ordered_json metadata_of(const Options& options, const TrainingInputs& inputs,
                         const TrainedPolicy& trained) {
  ordered_json files;
  for (const auto& [name, hash] : file_hashes(options.files)) files[name] = hash;
  ordered_json metadata = {{"versions", {{"ifd", IFD_VERSION}, {"libtorch", IFD_TORCH_VERSION}}},
                           {"seed", options.schedule.seed},
                           {"threads", options.schedule.threads},
                           {"validation",
                            {{"aursac", trained.summary.best_aursac},
                             {"by", inputs.validation.knows_answers() ? "answers" : "contexts"},
                             {"best_epoch", trained.summary.best_epoch},
                             {"epochs", trained.summary.epochs.size()}}},
                           {"annotations", trained.annotations},
                           {"learning_rate", options.schedule.learning_rate},
                           {"batch", options.schedule.batch},
                           {"patience", options.schedule.patience},
                           {"training_cases", inputs.training.size()},
                           {"training_classes", inputs.training.classes().size()},
                           {"training_experts", inputs.contexts.size()},
                           {"training_data", files}};
  if (inputs.calibration) {
    metadata["calibration"] = ordered_json::parse(to_json(*inputs.calibration));
  }
  return metadata;
}

// `joint` is null where the classifier is frozen.
PolicyFile train_identity_free(const Options& options, const TrainingInputs& inputs,
                               JointImages* joint, const Observer& observer, const Support& support,
                               TrainedPolicy& trained) {
  IfdOptions how;
  how.objective = kObjectives.at(options.objective);
  how.trust = kTrusts.at(options.weight);
  how.lower_bound_width = options.lcb_width;
  how.state = kStates.at(options.state);
  how.head = kHeads.at(options.head);
  how.width = options.width;
  how.context_size = options.context_size;
  trained = joint != nullptr ? train_joint(*joint, inputs.contexts, inputs.validation, how,
                                           options.update, options.schedule, observer, support)
                             : train_ifd(inputs.training, inputs.contexts, inputs.validation, how,
                                         options.schedule, observer, support);
  ordered_json metadata = metadata_of(options, inputs, trained);
  metadata["objective"] = options.objective;
  metadata["weight"] = options.weight;
  metadata["lcb_width"] = options.lcb_width;
  metadata["state"] = options.state;
  metadata["head"] = options.head;
  metadata["context_size"] = options.context_size;
  if (joint != nullptr) metadata["classifier_rate"] = options.update.learning_rate;
  return {"ifd", metadata.dump(), trained.tensors, options.output.string()};
}

PolicyFile train_baseline(const Options& options, Method method, const TrainingInputs& inputs,
                          const Observer& observer, const Support& support,
                          TrainedPolicy& trained) {
  const AnswerTable& answers = inputs.answers.value();
  const bool multi = is_linear(method);
  if (multi) {
    trained =
        train_multi_expert(inputs.training, answers, inputs.validation,
                           kSurrogates.at(options.surrogate), options.schedule, observer, support);
  } else {
    PopulationOptions how;
    how.encoder = method == Method::kPopQi || method == Method::kPopQiPerm
                      ? PopulationEncoder::kQueryIndependent
                      : PopulationEncoder::kQueryConditioned;
    how.naming = method == Method::kPopQiPerm || method == Method::kPopQcPerm ? ClassNaming::kRandom
                                                                              : ClassNaming::kFixed;
    how.width = options.width;
    how.context_size = options.context_size;
    trained = train_population(inputs.training, inputs.contexts, answers, inputs.validation, how,
                               options.schedule, observer, support);
  }
  ordered_json metadata = metadata_of(options, inputs, trained);
  metadata["classes"] = inputs.training.classes().names();
  if (multi) {
    metadata["experts"] = answers.expert_names();
    metadata["link"] = options.surrogate == "softmax" ? "softmax" : "sigmoid";
  } else {
    metadata["context_size"] = options.context_size;
    metadata["rejector_width"] = options.width;
  }
  return {multi ? "multi-expert" : options.method, metadata.dump(), trained.tensors,
          options.output.string()};
}

// Either predictions, or images with a classifier that goes on learning.
void check_sources(const Options& options, Method method) {
  const TrainingFiles& files = options.files;
  const bool joint = is_joint(options);
  if (joint && method != Method::kIfd) throw usage("--joint goes with method 'ifd'");
  if (joint != !files.images.empty() || joint != !options.joint_output.empty()) {
    throw usage("--joint, --images and --joint-output go together");
  }
  if (joint != files.predictions.empty() || joint != files.validation.empty()) {
    throw usage("give either --predictions and --validation, or --joint and --images");
  }
  if (joint && (options.calibration != "none" || options.distributed)) {
    throw usage("--joint goes without --calibration and --distributed");
  }
  std::error_code not_there;
  if (joint && std::filesystem::equivalent(files.classifier, options.joint_output, not_there)) {
    throw usage("--joint-output is the file of --joint; expected another, to begin again from it");
  }
  if (!(options.update.learning_rate > 0 && options.update.learning_rate < 1e3)) {
    throw usage("--classifier-rate is a positive number");
  }
}

void check(const Options& options, Method method) {
  check_sources(options, method);
  if (method == Method::kIfd && !options.files.answers.empty()) {
    throw usage(
        "method 'ifd' learns from contexts alone and takes no --answers (answers on validation "
        "cases may be given as --validation-answers)");
  }
  if (method != Method::kIfd && options.files.answers.empty()) {
    throw usage(
        fmt::format("method '{}' needs --answers: every expert's answer on every training case",
                    options.method));
  }
  const Schedule& schedule = options.schedule;
  if (schedule.batch == 0 || schedule.epochs == 0 || schedule.patience == 0 || options.width == 0 ||
      options.context_size == 0) {
    throw usage("--batch, --epochs, --patience, --width and --context-size are 1 or more");
  }
  if (!(schedule.learning_rate > 0 && schedule.learning_rate < 1e3)) {
    throw usage("--learning-rate is a positive number");
  }
  if (options.calibration == "none" && options.calibrate_on != "validation") {
    throw usage("--calibrate-on says where --calibration is fitted; give that too");
  }
  if (options.peer_timeout == 0) throw usage("--peer-timeout is 1 or more");
  if (!(options.lcb_width >= 0 && options.lcb_width < 1e6)) {
    throw usage("--lcb-width is a number of standard deviations, 0 or more");
  }
}

// The state of an unfinished training, beside the policy it will become.
class CheckpointPlace {
 public:
  CheckpointPlace(const Options& options, std::string settings)
      : path_(options.output.string() + ".checkpoint"),
        period_(options.checkpoint_seconds),
        settings_(std::move(settings)) {}

  std::string bytes() const { return read_file(path_); }
  Checkpoint parse(const std::string& bytes) const {
    return checkpoint_from(PolicyFile::from_bytes(bytes, path_.string()), settings_);
  }
  bool due() const { return Clock::now() - last_ >= period_; }
  void keep(const Checkpoint& checkpoint) {
    checkpoint_file(checkpoint, settings_).write(path_);
    last_ = Clock::now();
  }
  void remove() const {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::filesystem::path path_;
  std::chrono::duration<double> period_;
  std::string settings_;
  Clock::time_point last_ = Clock::now();
};

std::unique_ptr<GradientExchange> team_of(const Options& options) {
  if (!options.distributed) return nullptr;
  const Membership here = membership([](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    if (value == nullptr) return {};
    return value;
  });
  return join(here, std::chrono::seconds(options.peer_timeout));
}

void agree_on(const std::string& settings, GradientExchange& team) {
  const std::string difference = settings_difference(settings, shared_text(team, settings));
  if (difference.empty()) return;
  throw Error(ErrorKind::kConflict, fmt::format("process {} of {}: {} as in process 0", team.rank(),
                                                team.size(), difference));
}

void write_report(const Options& options, const ordered_json& settings,
                  const TrainingInputs& inputs, const TrainedPolicy& trained) {
  LearningReport report{options.method,         options.output.string(),
                        inputs.training.size(), inputs.validation.cases().size(),
                        inputs.contexts.size(), inputs.validation.knows_answers(),
                        inputs.validation_ece,  inputs.calibration};
  for (const auto& [name, value] : settings.items()) {
    if (name.starts_with("hash of ")) continue;
    report.settings.emplace_back(name, value.is_string() ? value.get<std::string>() : value.dump());
  }
  report.data_hashes = file_hashes(options.files);
  report.command = options.command;
  write_file_atomically(options.report, learning_html(report, trained));
}

struct Accuracies {
  double before, after;  // of the classifier on the validation cases
};

Accuracies write_joint_classifier(const Options& options, JointImages& joint,
                                  const TrainedPolicy& trained) {
  const double now =
      accuracy(classify(joint.classifier, joint.validation, joint.training_predictions.classes()));
  std::string images;
  for (const auto& [name, hash] : file_hashes(options.files)) {
    if (name == "images") images = hash;
  }
  joint.classifier.write(options.joint_output, {options.schedule.seed, images, now,
                                                trained.summary.best_epoch, IFD_VERSION});
  return {accuracy(joint.validation_predictions), now};
}

int run(Options options) {
  const Method method = kMethods.at(options.method);
  check(options, method);
  options.schedule.threads = threads_or_all(options.schedule.threads);
  const std::unique_ptr<GradientExchange> team = team_of(options);
  const bool leads = !team || team->rank() == 0;
  const CalibrationChoice calibration{kCalibrations.at(options.calibration),
                                      kCalibrationSources.at(options.calibrate_on)};
  std::optional<JointImages> joint;
  if (is_joint(options)) {
    use_threads(options.schedule.threads);
    joint = read_joint_images(options.files.classifier, options.files.images);
  }
  const TrainingInputs inputs =
      joint ? read_inputs({joint->training_predictions, joint->validation_predictions},
                          options.files.images.string(), options.files, calibration)
            : read_inputs(options.files, calibration);
  if (method == Method::kSingleExpert && inputs.contexts.size() != 1) {
    throw bad_input(fmt::format("{}: {} experts; method 'single-expert' expects one",
                                options.files.context.string(), inputs.contexts.size()));
  }
  const ordered_json settings = settings_of(options, team ? team->size() : 1);
  if (team) agree_on(settings.dump(), *team);

  Support support;
  support.team = team.get();
  CheckpointPlace place(options, settings.dump());
  support.checkpoint_due = [&] { return place.due(); };
  support.keep_checkpoint = [&](const Checkpoint& checkpoint) { place.keep(checkpoint); };
  std::optional<Checkpoint> resume;
  if (options.resume) {
    const std::string bytes = leads ? place.bytes() : std::string();
    resume = place.parse(team ? shared_text(*team, bytes) : bytes);
    support.resume = &*resume;
  }

  heed_interrupts();
  std::unique_ptr<Journal> journal;
  if (leads) {
    journal =
        std::make_unique<Journal>(JournalOptions{options.method, options.output, options.log,
                                                 options.json, options.schedule, options.quiet});
    if (resume) journal->resumed(resume->summary);
  }
  support.heard_batch = [&](const TrainingSummary& before, BatchCount batch) {
    if (journal) journal->heard_batch(before, batch);
  };
  const Observer observer = [&](const EpochReport& epoch) {
    if (journal) journal->heard(epoch);
    return interrupted() ? Continue::kNo : Continue::kYes;
  };
  TrainedPolicy trained;
  const PolicyFile file = method == Method::kIfd
                              ? train_identity_free(options, inputs, joint ? &*joint : nullptr,
                                                    observer, support, trained)
                              : train_baseline(options, method, inputs, observer, support, trained);
  const bool stopped = trained.summary.interrupted;
  if (leads) {
    std::optional<Accuracies> classifier;
    if (joint) classifier = write_joint_classifier(options, *joint, trained);
    file.write(options.output);
    if (!options.report.empty()) write_report(options, settings, inputs, trained);
    journal->done(trained, inputs.calibration,
                  stopped ? Journal::Ending::kStopped : Journal::Ending::kFinished);
    if (classifier && !options.quiet) {
      fmt::print(stderr, "{}: validation accuracy {:.4f} ({:.4f} at the start)\n",
                 options.joint_output.string(), classifier->after, classifier->before);
    }
    if (!stopped) place.remove();
  }
  return stopped ? kInterrupted : 0;
}

// A word of a shell, in quotes where it needs them.
std::string quoted(const std::string& text) {
  const auto safe = [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("-_./,=:+").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), safe)) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

// The command as it was typed, but without --resume: from the start it gives the same policy.
std::string command_line(const CLI::App& command) {
  std::string text = "ifd train";
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0 || option->get_name() == "--resume") continue;
    text += " " + option->get_name();
    if (option->get_expected_min() == 0) continue;  // a flag
    for (const std::string& value : option->results()) text += " " + quoted(value);
  }
  return text;
}

void describe(CLI::App* c, Options& o) {
  c->footer(
      "Example:\n  ifd train --method ifd --predictions train.npz --validation val.npz \\\n"
      "      --context context.csv -o policy.ifd");
  choice(*c, "--method", o.method, kMethods, "What to train");
  const auto file = [c](const char* name, std::filesystem::path& to, const char* description) {
    return c->add_option(name, to, description)->type_name("FILE");
  };
  file("--predictions", o.files.predictions,
       "Training cases: probabilities and labels; features where the method reads them");
  file("--validation", o.files.validation, "Validation cases, alike");
  file("--context", o.files.context, "The experts' answers on a few training cases, CSV")
      ->required();
  file("--answers", o.files.answers,
       "Every expert's answer on every training case, CSV; only the baselines need it");
  file("--validation-answers", o.files.validation_answers,
       "Answers on the validation cases; without them early stopping trusts the contexts");
  file("--joint", o.files.classifier,
       "ifd: a classifier that goes on learning with the rejector; instead of --predictions");
  file("--images", o.files.images, "joint: its images in MedMNIST layout, splits train and val");
  file("--joint-output", o.joint_output, "joint: the classifier as it is then");
  c->add_option("--classifier-rate", o.update.learning_rate,
                "joint: learning rate of the classifier")
      ->capture_default_str();
  choice(*c, "--calibration", o.calibration, kCalibrations,
         "Calibrate the classifier before it is learnt from; the policy does the same in use");
  choice(*c, "--calibrate-on", o.calibrate_on, kCalibrationSources,
         "validation: fitted once and stored; context: fitted anew on the context in use");
  choice(*c, "--objective", o.objective, kObjectives,
         "ifd: reward deferral on the expert's best class, or by expected accuracy");
  choice(*c, "--weight", o.weight, kTrusts, "ifd: trust in the expert on a class");
  c->add_option("--lcb-width", o.lcb_width, "ifd: standard deviations below the mean")
      ->capture_default_str();
  choice(*c, "--state", o.state, kStates, "ifd: six numbers, or twelve");
  choice(*c, "--head", o.head, kHeads, "ifd: residual starts at the plug-in rule");
  add_preset_flag(
      *c, "--paper", "ifd: the paper's settings,",
      {{"--objective", "peak"}, {"--weight", "lcb"}, {"--state", "paper"}, {"--head", "plain"}});
  choice(*c, "--surrogate", o.surrogate, kSurrogates, "multi-expert, single-expert: the loss");
  c->add_option("--width", o.width, "Of the rejector's hidden layers")->capture_default_str();
  c->add_option("--context-size", o.context_size, "Answers an epoch or a batch gets to see")
      ->capture_default_str();
  c->add_option("--epochs", o.schedule.epochs,
                fmt::format("At most; joint: {}", kJointSchedule.epochs))
      ->capture_default_str();
  c->add_option(
       "--patience", o.schedule.patience,
       fmt::format("Epochs without a better validation AURSAC; joint: {}", kJointSchedule.patience))
      ->capture_default_str();
  c->add_option("--learning-rate", o.schedule.learning_rate, "Of Adam")->capture_default_str();
  c->add_option("--batch", o.schedule.batch, "Cases; each with all experts")->capture_default_str();
  c->add_option("--threads", o.schedule.threads, "0: as many as the machine has")
      ->capture_default_str();
  c->add_option("--seed", o.schedule.seed, "Seed of every draw")->capture_default_str();
  add_json_flag(*c, o.json);
  file("--log", o.log, "The same lines in a file, which is there at the end");
  file("--report", o.report, "An HTML page with the learning curves");
  file("-o,--output", o.output,
       "The policy; OUTPUT.checkpoint is there while it is trained, and after Ctrl-C")
      ->required();
  c->add_flag("--resume", o.resume, "Go on from OUTPUT.checkpoint");
  c->add_option("--checkpoint-seconds", o.checkpoint_seconds,
                "At least this long between two checkpoints; 0 for one every epoch")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  c->add_flag("--distributed", o.distributed,
              "One of several processes that share the training, started by mpirun, srun, or by "
              "hand with RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT");
  c->add_option("--peer-timeout", o.peer_timeout,
                "Seconds to wait for another process before giving up")
      ->capture_default_str();
  c->add_flag("-q,--quiet", o.quiet, "Say nothing on stderr but errors");
}

}  // namespace

void add_train_command(CLI::App& app, Program& program) {
  CLI::App* command = app.add_subcommand("train", "Train a policy on a classifier's predictions");
  const auto options = std::make_shared<Options>();
  describe(command, *options);
  command->callback([&program, options, command] {
    options->command = command_line(*command);
    if (is_joint(*options)) {
      if (command->count("--epochs") == 0) options->schedule.epochs = kJointSchedule.epochs;
      if (command->count("--patience") == 0) options->schedule.patience = kJointSchedule.patience;
    }
    program.work = [options] { return run(*options); };
  });
}

}  // namespace ifd::train
