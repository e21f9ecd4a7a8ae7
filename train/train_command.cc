#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "ifd/data/answers_file.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/predictions_file.h"
#include "ifd/error.h"
#include "ifd/fnv_hash.h"
#include "ifd/policy/policy_file.h"
#include "ifd/policy/roster.h"
#include "train/baseline_trainer.h"
#include "train/command.h"
#include "train/context_sampler.h"
#include "train/ifd_trainer.h"
#include "train/joint_trainer.h"
#include "train/training_loop.h"

namespace ifd::train {
namespace {

using nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

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

struct Options {
  std::string method = "ifd";
  std::filesystem::path predictions, validation, context, answers, validation_answers;
  std::string objective = "peak";
  std::string weight = "lcb";
  std::string state = "paper";
  std::string head = "plain";
  std::string surrogate = "softmax";
  double lcb_width = 1;
  std::size_t width = 256;
  std::size_t context_size = 35;
  Schedule schedule{.threads = 0};
  std::filesystem::path output, log;
  std::filesystem::path joint, images, joint_output;  // joint: the pretrained classifier
  double classifier_rate = JointSchedule().classifier_rate;
  bool quiet = false;
};

// The answers with the experts of the contexts in their order, none missing.
AnswerTable complete_answers(const std::filesystem::path& path, const Predictions& predictions,
                             std::span<const ExpertContext> contexts) {
  const AnswersFile file = read_answers(path, predictions);
  std::vector<std::string> names;
  for (const ExpertContext& context : contexts) names.push_back(context.expert);
  AnswerTable aligned(names, predictions.size());
  for (std::size_t j = 0; j < names.size(); ++j) {
    const auto& there = file.table.expert_names();
    const auto column =
        static_cast<std::size_t>(std::find(there.begin(), there.end(), names[j]) - there.begin());
    for (std::size_t i = 0; i < predictions.size(); ++i) {
      if (column == there.size() || file.table.at(i, column).is_missing()) {
        throw bad_input(fmt::format(
            "{}: no answer of expert '{}' on case '{}'; expected every expert of the context on "
            "every case",
            path.string(), names[j], predictions.case_name(i)));
      }
      aligned.set(i, j, file.table.at(i, column));
    }
  }
  return aligned;
}

struct Data {
  Predictions training;
  Predictions validation_cases;
  std::vector<ExpertContext> contexts;
  Validation validation;
};

Data load(const Options& options, const JointImages* joint) {
  Predictions training =
      joint != nullptr ? joint->training_predictions : read_predictions(options.predictions);
  if (training.size() == 0 || !training.has_labels()) {
    throw bad_input(fmt::format("{}: no labelled cases; expected some to train on",
                                options.predictions.string()));
  }
  Predictions validation =
      joint != nullptr ? joint->validation_predictions : read_predictions(options.validation);
  if (!(validation.classes() == training.classes())) {
    throw bad_input(fmt::format("{}: the classes are {}; expected {}", options.validation.string(),
                                validation.classes().allowed(), training.classes().allowed()));
  }
  std::vector<ExpertContext> contexts =
      read_contexts(options.context, training.classes(), &training);
  check_contexts(contexts, training.classes(), options.context.string());
  const Roster roster = make_roster(contexts, training.classes().size());
  const std::string place = (joint != nullptr ? options.images : options.validation).string();
  Validation scores =
      options.validation_answers.empty()
          ? Validation::from_profiles(validation, roster.names, roster.profiles, place)
          : Validation::from_answers(
                validation, complete_answers(options.validation_answers, validation, contexts),
                place);
  return {std::move(training), std::move(validation), std::move(contexts), std::move(scores)};
}

// Tells of every epoch on stderr and in the log.
class Journal {
 public:
  Journal(const Options& options, int threads) : options_(options), begin_(Clock::now()) {
    if (!options.log.empty()) log_ = std::make_unique<AtomicFile>(options.log);
    write({{"event", "start"},
           {"method", options.method},
           {"seed", options.schedule.seed},
           {"threads", threads}});
  }

  Continue heard(const EpochReport& epoch) {
    const double seconds = elapsed();
    if (epoch.best) {
      since_best_ = 0;
      best_ = epoch.aursac;
    } else {
      ++since_best_;
    }
    write({{"event", "epoch"},
           {"epoch", epoch.epoch},
           {"loss", epoch.loss},
           {"aursac", epoch.aursac},
           {"best", epoch.best},
           {"seconds", seconds}});
    const Schedule& schedule = options_.schedule;
    const std::size_t most = std::min(schedule.epochs - epoch.epoch,
                                      schedule.patience - std::min(since_best_, schedule.patience));
    if (!options_.quiet && ::isatty(STDERR_FILENO) == 1) {
      fmt::print(stderr,
                 "\r\x1b[Kepoch {}: loss {:.5f}, validation AURSAC {:.4f} (best {:.4f}), {:.0f} s "
                 "left unless it improves",
                 epoch.epoch, epoch.loss, epoch.aursac, best_,
                 seconds / static_cast<double>(epoch.epoch) * static_cast<double>(most));
      std::fflush(stderr);
    }
    return interrupted() ? Continue::kNo : Continue::kYes;
  }

  void done(const TrainedPolicy& trained) {
    const TrainingSummary& summary = trained.summary;
    write({{"event", "end"},
           {"epochs", summary.epochs.size()},
           {"best_epoch", summary.best_epoch},
           {"best_aursac", summary.best_aursac},
           {"annotations", trained.annotations},
           {"interrupted", interrupted()},
           {"seconds", elapsed()}});
    if (log_) log_->commit();
    if (options_.quiet) return;
    fmt::print(stderr,
               "{}{}: {} epochs in {:.1f} s{}, best epoch {} with validation AURSAC {:.4f}; {} "
               "expert annotations used\n",
               ::isatty(STDERR_FILENO) == 1 ? "\r\x1b[K" : "", options_.output.string(),
               summary.epochs.size(), elapsed(), interrupted() ? " (interrupted)" : "",
               summary.best_epoch, summary.best_aursac, trained.annotations);
  }

 private:
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
  void write(const ordered_json& line) {
    if (log_) log_->write(line.dump() + "\n");
  }

  const Options& options_;
  Clock::time_point begin_;
  std::unique_ptr<AtomicFile> log_;
  std::size_t since_best_ = 0;
  double best_ = 0;
};

std::string hash_of(const std::filesystem::path& path) {
  FnvHash hash;
  hash.add(read_file(path));
  return fmt::format("{:016x}", hash.value());
}

// What the policy file tells of its making. No clock: the same training gives the same bytes.
ordered_json metadata_of(const Options& options, const Data& data, const TrainedPolicy& trained) {
  ordered_json files;
  for (const auto& [name, path] : {std::pair{"predictions", &options.predictions},
                                   {"validation", &options.validation},
                                   {"context", &options.context},
                                   {"answers", &options.answers},
                                   {"validation_answers", &options.validation_answers},
                                   {"joint", &options.joint},
                                   {"images", &options.images}}) {
    if (!path->empty()) files[name] = hash_of(*path);
  }
  return {{"versions", {{"ifd", IFD_VERSION}, {"libtorch", IFD_TORCH_VERSION}}},
          {"seed", options.schedule.seed},
          {"threads", options.schedule.threads},
          {"validation",
           {{"aursac", trained.summary.best_aursac},
            {"by", data.validation.knows_answers() ? "answers" : "contexts"},
            {"best_epoch", trained.summary.best_epoch},
            {"epochs", trained.summary.epochs.size()}}},
          {"annotations", trained.annotations},
          {"learning_rate", options.schedule.learning_rate},
          {"batch", options.schedule.batch},
          {"patience", options.schedule.patience},
          {"training_cases", data.training.size()},
          {"training_classes", data.training.classes().size()},
          {"training_experts", data.contexts.size()},
          {"training_data", files}};
}

JointSchedule joint_schedule(const Options& options) {
  JointSchedule schedule;
  schedule.epochs = std::min(options.schedule.epochs, schedule.epochs);
  schedule.patience = std::min(options.schedule.patience, schedule.patience);
  schedule.batch = options.schedule.batch;
  schedule.classifier_rate = options.classifier_rate;
  schedule.rejector_rate = options.schedule.learning_rate;
  schedule.seed = options.schedule.seed;
  schedule.threads = options.schedule.threads;
  return schedule;
}

PolicyFile train_identity_free(const Options& options, const Data& data, JointImages* joint,
                               const Observer& observer, TrainedPolicy& trained) {
  IfdOptions how;
  how.objective = kObjectives.at(options.objective);
  how.trust = kTrusts.at(options.weight);
  how.lower_bound_width = options.lcb_width;
  how.state = kStates.at(options.state);
  how.head = kHeads.at(options.head);
  how.width = options.width;
  how.context_size = options.context_size;
  trained = joint != nullptr ? train_joint(*joint, data.contexts, data.validation, how,
                                           joint_schedule(options), observer)
                             : train_ifd(data.training, data.contexts, data.validation, how,
                                         options.schedule, observer);
  ordered_json metadata = metadata_of(options, data, trained);
  metadata["objective"] = options.objective;
  metadata["weight"] = options.weight;
  metadata["lcb_width"] = options.lcb_width;
  metadata["state"] = options.state;
  metadata["head"] = options.head;
  metadata["context_size"] = options.context_size;
  return {"ifd", metadata.dump(), trained.tensors, options.output.string()};
}

PolicyFile train_baseline(const Options& options, Method method, const Data& data,
                          const Observer& observer, TrainedPolicy& trained) {
  const AnswerTable answers = complete_answers(options.answers, data.training, data.contexts);
  const bool multi = method == Method::kMultiExpert || method == Method::kSingleExpert;
  if (multi) {
    trained = train_multi_expert(data.training, answers, data.validation,
                                 kSurrogates.at(options.surrogate), options.schedule, observer);
  } else {
    PopulationOptions how;
    how.encoder = method == Method::kPopQi || method == Method::kPopQiPerm
                      ? PopulationEncoder::kQueryIndependent
                      : PopulationEncoder::kQueryConditioned;
    how.naming = method == Method::kPopQiPerm || method == Method::kPopQcPerm ? ClassNaming::kRandom
                                                                              : ClassNaming::kFixed;
    how.width = options.width;
    how.context_size = options.context_size;
    trained = train_population(data.training, data.contexts, answers, data.validation, how,
                               options.schedule, observer);
  }
  ordered_json metadata = metadata_of(options, data, trained);
  metadata["classes"] = data.training.classes().names();
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
  const bool joint = !options.joint.empty();
  if (joint && method != Method::kIfd) throw usage("--joint goes with method 'ifd'");
  if (joint != !options.images.empty() || joint != !options.joint_output.empty()) {
    throw usage("--joint, --images and --joint-output go together");
  }
  if (joint != options.predictions.empty() || joint != options.validation.empty()) {
    throw usage("give either --predictions and --validation, or --joint and --images");
  }
  if (!(options.classifier_rate > 0 && options.classifier_rate < 1e3)) {
    throw usage("--classifier-rate is a positive number");
  }
}

double accuracy_of(const Predictions& predictions) {
  std::size_t right = 0;
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    if (top_class(predictions.probabilities(i)) == predictions.label(i)) ++right;
  }
  return static_cast<double>(right) / static_cast<double>(predictions.size());
}

void check(const Options& options, Method method) {
  check_sources(options, method);
  if (method == Method::kIfd && !options.answers.empty()) {
    throw usage(
        "method 'ifd' learns from contexts alone and takes no --answers (answers on validation "
        "cases may be given as --validation-answers)");
  }
  if (method != Method::kIfd && options.answers.empty()) {
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
  if (!(options.lcb_width >= 0 && options.lcb_width < 1e6)) {
    throw usage("--lcb-width is a number of standard deviations, 0 or more");
  }
}

int run(Options options) {
  const Method method = kMethods.at(options.method);
  check(options, method);
  options.schedule.threads = threads_or_all(options.schedule.threads);
  std::unique_ptr<JointImages> joint;
  if (!options.joint.empty()) {
    use_threads(options.schedule.threads);
    joint = std::make_unique<JointImages>(read_joint_images(options.joint, options.images));
  }
  const Data data = load(options, joint.get());
  if (method == Method::kSingleExpert && data.contexts.size() != 1) {
    throw bad_input(fmt::format("{}: {} experts; method 'single-expert' expects one",
                                options.context.string(), data.contexts.size()));
  }
  heed_interrupts();
  Journal journal(options, options.schedule.threads);
  const Observer observer = [&](const EpochReport& epoch) { return journal.heard(epoch); };
  TrainedPolicy trained;
  const PolicyFile file = method == Method::kIfd
                              ? train_identity_free(options, data, joint.get(), observer, trained)
                              : train_baseline(options, method, data, observer, trained);
  if (joint) {
    const Predictions now = classify(joint->classifier, joint->validation, data.training.classes());
    joint->classifier.write(options.joint_output,
                            {options.schedule.seed, hash_of(options.images), accuracy_of(now),
                             trained.summary.best_epoch, IFD_VERSION});
  }
  file.write(options.output);
  journal.done(trained);
  return interrupted() ? kInterrupted : 0;
}

void describe(CLI::App* c, Options& o) {
  c->footer(
      "Example:\n  ifd train --method ifd --predictions train.npz --validation val.npz \\\n"
      "      --context context.csv --objective expected --head residual -o policy.ifd");
  choice(*c, "--method", o.method, kMethods, "What to train");
  const auto file = [c](const char* name, std::filesystem::path& to, const char* description) {
    return c->add_option(name, to, description)->type_name("FILE");
  };
  file("--predictions", o.predictions,
       "Training cases: probabilities and labels; features where the method reads them");
  file("--validation", o.validation, "Validation cases, alike");
  file("--context", o.context, "The experts' answers on a few training cases, CSV")->required();
  file("--answers", o.answers,
       "Every expert's answer on every training case, CSV; only the baselines need it");
  file("--validation-answers", o.validation_answers,
       "Answers on the validation cases; without them early stopping trusts the contexts");
  file("--joint", o.joint,
       "ifd: a classifier that goes on learning with the rejector; instead of --predictions");
  file("--images", o.images, "joint: its images in MedMNIST layout, splits train and val");
  file("--joint-output", o.joint_output, "joint: the classifier as it is then");
  c->add_option("--classifier-rate", o.classifier_rate, "joint: learning rate of the classifier")
      ->capture_default_str();
  choice(*c, "--objective", o.objective, kObjectives,
         "ifd: reward deferral on the expert's best class, or by expected accuracy");
  choice(*c, "--weight", o.weight, kTrusts, "ifd: trust in the expert on a class");
  c->add_option("--lcb-width", o.lcb_width, "ifd: standard deviations below the mean")
      ->capture_default_str();
  choice(*c, "--state", o.state, kStates, "ifd: six numbers, or twelve");
  choice(*c, "--head", o.head, kHeads, "ifd: residual starts at the plug-in rule");
  choice(*c, "--surrogate", o.surrogate, kSurrogates, "multi-expert, single-expert: the loss");
  c->add_option("--width", o.width, "Of the rejector's hidden layers")->capture_default_str();
  c->add_option("--context-size", o.context_size, "Answers an epoch or a batch gets to see")
      ->capture_default_str();
  c->add_option("--epochs", o.schedule.epochs, "At most")->capture_default_str();
  c->add_option("--patience", o.schedule.patience, "Epochs without a better validation AURSAC")
      ->capture_default_str();
  c->add_option("--learning-rate", o.schedule.learning_rate, "Of Adam")->capture_default_str();
  c->add_option("--batch", o.schedule.batch, "Cases; each with all experts")->capture_default_str();
  c->add_option("--threads", o.schedule.threads, "0: as many as the machine has")
      ->capture_default_str();
  c->add_option("--seed", o.schedule.seed, "Seed of every draw")->capture_default_str();
  file("--log", o.log, "JSON lines: one an epoch");
  file("-o,--output", o.output, "The policy")->required();
  c->add_flag("-q,--quiet", o.quiet, "Say nothing on stderr but errors");
}

}  // namespace

void add_train_command(CLI::App& app, Program& program) {
  CLI::App* command = app.add_subcommand("train", "Train a policy on a classifier's predictions");
  const auto options = std::make_shared<Options>();
  describe(command, *options);
  command->callback([&program, options] { program.work = [options] { return run(*options); }; });
}

}  // namespace ifd::train
