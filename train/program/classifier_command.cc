#include <fmt/format.h>

#include <memory>

#include "command_line/file_options.h"
#include "command_line/read_limits_option.h"
#include "command_line/threads_limit.h"
#include "ifd/data/accuracy.h"
#include "ifd/data/class_order.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/groups_file.h"
#include "ifd/data/predictions_file.h"
#include "ifd/error.h"
#include "ifd/fnv_hash.h"
#include "train/classifier_trainer.h"
#include "train/cross_fit.h"
#include "train/program/classifier_journal.h"
#include "train/program/command.h"

namespace ifd::train {
namespace classifier_command {
namespace {

struct Options {
  std::filesystem::path images, predictions, validation, weights, groups, output, out_of_fold, log;
  std::size_t folds = 0;  // of a cross-fit; 0: none
  TrainingLog::Stdout json = TrainingLog::Stdout::kSilent;
  std::string backbone = "resnet-small";
  std::string stem;
  std::string optimiser;
  std::string augment = "dihedral";
  std::vector<std::string> class_names;
  ClassifierTraining training;  // what the user gave; the rest comes from default_training
  bool resume = false;
  Terminal terminal;
  ReadLimits limits;
};

struct Data {
  ClassifierInputs training, validation;
  ClassNames classes;
  std::string place;  // for messages
  std::string hash;
};

std::string hash_of(std::string_view bytes) {
  FnvHash hash;
  hash.add(bytes);
  return hash.hex();
}

Data load_images(const Options& options) {
  const std::string name = options.images.string();
  const FileContents file = read_contents(options.images, options.limits);
  const std::size_t count = medmnist_summary_from_bytes(file.bytes, name, file.limits).classes;
  const ClassNames classes =
      options.class_names.empty() ? ClassNames::numbered(count) : ClassNames(options.class_names);
  if (classes.size() < count) {
    throw usage(
        fmt::format("--class-names has {} names; {} has {} classes", classes.size(), name, count));
  }
  const auto read = [&](Split split) {
    return inputs_of(medmnist_from_bytes(file.bytes, name, split, file.limits), split);
  };
  return {read(Split::kTrain), read(Split::kValidation), classes, name, hash_of(file.bytes)};
}

Predictions read_vectors(const std::filesystem::path& path, const ReadLimits& limits) {
  Predictions read = read_predictions(path, ScoreKind::kProbabilities, limits);
  if (read.feature_width() == 0) {
    throw bad_input(fmt::format("{}: no features; expected some to classify by", path.string()));
  }
  return read;
}

// Without a file of their own, the validation cases are a fifth of the training cases, drawn by
// name.
Data load_vectors(const Options& options) {
  const std::string name = options.predictions.string();
  const Predictions all = read_vectors(options.predictions, options.limits);
  if (!options.validation.empty()) {
    const Predictions validation = in_class_order(read_vectors(options.validation, options.limits),
                                                  all.classes(), options.validation.string());
    return {inputs_of(all), inputs_of(validation), all.classes(), name,
            hash_of(read_file(options.predictions, options.limits))};
  }
  std::vector<std::size_t> training, validation;
  const Key key = Key(options.training.seed).with("validation cases");
  for (std::size_t i = 0; i < all.size(); ++i) {
    (key.with(all.case_name(i)).uniform() < .2 ? validation : training).push_back(i);
  }
  if (training.empty() || validation.empty()) {
    throw bad_input(fmt::format("{}: {} case(s); expected enough for training and validation", name,
                                all.size()));
  }
  return {inputs_of(all.subset(training)), inputs_of(all.subset(validation)), all.classes(), name,
          hash_of(read_file(options.predictions, options.limits))};
}

void check(const Options& options, const ClassifierTraining& how) {
  if (options.images.empty() == options.predictions.empty()) {
    throw usage("give either --images or --predictions");
  }
  const bool vectors = options.backbone == "mlp";
  if (vectors != options.images.empty()) {
    throw usage(fmt::format("backbone '{}' takes {}", options.backbone,
                            vectors ? "--predictions" : "--images"));
  }
  if (!options.validation.empty() && options.predictions.empty()) {
    throw usage("--validation goes with --predictions; images have a split of their own");
  }
  if (how.batch < 2 || how.epochs == 0) {
    throw usage("--batch is 2 or more, --epochs 1 or more");
  }
  if (!(how.learning_rate > 0 && how.learning_rate < 1e3)) {
    throw usage("--learning-rate is a positive number");
  }
  if (!(how.weight_decay >= 0 && how.weight_decay < 1) ||
      !(how.label_smoothing >= 0 && how.label_smoothing < 1) ||
      !(how.warmup >= 0 && how.warmup < 1)) {
    throw usage("--weight-decay, --warmup and --label-smoothing are 0 or more and below 1");
  }
}

// The backbone's defaults, with what the user gave in their place.
ClassifierTraining training_of(const Options& options, const CLI::App& command) {
  ClassifierTraining how = default_training(backbone_names().at(options.backbone));
  const ClassifierTraining& given = options.training;
  const auto take = [&](const char* name, auto& to, const auto& from) {
    if (command.count(name) > 0) to = from;
  };
  take("--epochs", how.epochs, given.epochs);
  take("--batch", how.batch, given.batch);
  if (!options.optimiser.empty() && optimiser_names().at(options.optimiser) != how.optimiser) {
    how.optimiser = optimiser_names().at(options.optimiser);
    how.learning_rate = how.optimiser == Optimiser::kAdam ? 2e-3 : .1;
  }
  take("--learning-rate", how.learning_rate, given.learning_rate);
  how.weight_decay = given.weight_decay;
  how.warmup = given.warmup;
  how.label_smoothing = given.label_smoothing;
  how.augmentation = {symmetry_names().at(options.augment), given.augmentation.shift};
  how.seed = given.seed;
  how.threads = threads_or_all(given.threads);
  return how;
}

ClassifierSpec spec_of(const Options& options, const Data& data) {
  const bool images = data.training.are_images();
  const std::int64_t height = images ? data.training.values.size(1) : 0;
  const std::int64_t width = images ? data.training.values.size(2) : 0;
  const Stem stem = !options.stem.empty()          ? stem_names().at(options.stem)
                    : std::min(height, width) < 64 ? Stem::kSmall
                                                   : Stem::kImagenet;
  return {{backbone_names().at(options.backbone), stem, data.training.channels(),
           static_cast<std::int64_t>(data.classes.size())},
          height,
          width,
          data.classes,
          normalisation_of(data.training)};
}

void set_first_weights(BackboneClassifier& classifier, const Options& options, std::uint64_t seed) {
  initialise_backbone(classifier.backbone(), Key(seed).with("classifier").with("weights"));
  if (options.weights.empty()) return;
  const ImportedHead head =
      import_weights(classifier.backbone(), SafetensorsFile::read(options.weights, options.limits));
  if (head == ImportedHead::kLeftOut) {
    options.terminal.note(fmt::format("{}: the last layer is for other classes and is left out",
                                      options.weights.string()));
  }
}

int interrupted_after(const ClassifierSummary& summary, const std::filesystem::path& checkpoint,
                      const Terminal& terminal) {
  terminal.end_progress();
  complain("interrupted; " + (summary.epochs.empty()
                                  ? "no epoch was done"
                                  : fmt::format("{} holds {} epoch(s): go on with --resume",
                                                checkpoint.string(), summary.epochs.size())));
  return kInterrupted;
}

// Cases of one group share a fold.
std::vector<std::uint32_t> groups_of(const Options& options, const Data& data) {
  if (options.groups.empty()) return {};
  // Only their names matter there; nobody has an opinion yet.
  const std::size_t classes = data.classes.size();
  Predictions::Parts parts{data.classes, data.training.cases, {}, {}, {}, 0};
  parts.probabilities.assign(parts.cases.size() * classes, 1.F / static_cast<float>(classes));
  ReadOptions reading;
  reading.limits = options.limits;
  return read_groups(options.groups, Predictions(std::move(parts)), reading);
}

void check_cross_fit(const Options& options, const CLI::App& command,
                     const std::filesystem::path& checkpoint) {
  const bool asked = command.count("--cross-fit") > 0;
  if (!asked && (!options.groups.empty() || !options.out_of_fold.empty())) {
    throw usage("--groups and --out-of-fold go with --cross-fit");
  }
  if (!asked) return;
  if (options.folds < 2) {
    throw usage(fmt::format("--cross-fit {}; expected 2 folds or more", options.folds));
  }
  const bool there = std::filesystem::exists(checkpoint);
  if (!options.resume && there) {
    throw Error(ErrorKind::kConflict,
                fmt::format("{}: the checkpoint of a training is there; go on "
                            "with --resume, or remove it",
                            checkpoint.string()));
  }
  if (options.resume && !there && !has_fold_files(checkpoint, options.folds)) {
    throw Error(ErrorKind::kNotFound,
                fmt::format("{}: no such checkpoint, nor one of a fold; begin "
                            "without --resume",
                            checkpoint.string()));
  }
}

// None where it was interrupted.
std::optional<Predictions> cross_fit(const Options& options, const Data& data,
                                     const BackboneClassifier& untrained,
                                     const ClassifierTraining& how,
                                     const Checkpointing& checkpoint) {
  CrossFitObserver observer;
  observer.batch = [&](std::size_t fold, std::size_t epoch, std::size_t batch,
                       std::size_t batches) {
    options.terminal.progress(fmt::format("fold {} of {}: epoch {} of {}: batch {} of {}", fold,
                                          options.folds, epoch, how.epochs, batch, batches));
    return interrupted() ? Continue::kNo : Continue::kYes;
  };
  observer.fold = [&](std::size_t fold, double accuracy) {
    options.terminal.end_progress();
    options.terminal.note(fmt::format("fold {} of {}: accuracy {:.4f} on the cases left out", fold,
                                      options.folds, accuracy));
  };
  return out_of_fold_predictions(untrained, data.training, data.validation, how,
                                 {options.folds, groups_of(options, data), checkpoint, data.place},
                                 observer);
}

void write_out_of_fold(const Options& options, const Data& data, const Predictions& out_of_fold,
                       BackboneClassifier& classifier, const std::filesystem::path& checkpoint) {
  std::filesystem::path file = options.out_of_fold;
  if (file.empty()) {
    file = options.output;
    file += ".out-of-fold.npz";
  }
  const Predictions own = classify(classifier, data.training, data.classes);
  write_predictions(file, with_features_of(out_of_fold, own));
  remove_fold_files(checkpoint, options.folds);
  options.terminal.note(fmt::format(
      "{}: accuracy {:.4f} out of fold on the {} training cases, {:.4f} by the classifier that saw "
      "them",
      file.string(), accuracy(out_of_fold), out_of_fold.size(), accuracy(own)));
}

int run(const Options& options, const CLI::App& command) {
  const ClassifierTraining how = training_of(options, command);
  check(options, how);
  const Data data = options.images.empty() ? load_vectors(options) : load_images(options);
  BackboneClassifier classifier(spec_of(options, data), options.output.string());
  check_training_inputs(classifier, data.training, data.validation, data.place);
  set_first_weights(classifier, options, how.seed);
  std::filesystem::path checkpoint = options.output;
  checkpoint += ".checkpoint";
  check_cross_fit(options, command, checkpoint);
  Start start = options.resume ? Start::kResume : Start::kFresh;
  heed_interrupts();
  std::optional<Predictions> out_of_fold;
  if (options.folds > 0) {
    out_of_fold = cross_fit(options, data, classifier, how, {checkpoint, start, options.limits});
    if (!out_of_fold) {
      options.terminal.end_progress();
      complain(fmt::format("interrupted; {}.fold* hold what is done: go on with --resume",
                           checkpoint.string()));
      return kInterrupted;
    }
    // The folds come first: a training that was interrupted among them has not begun with this one.
    if (!std::filesystem::exists(checkpoint)) start = Start::kFresh;
  }
  ClassifierJournal journal(
      {options.backbone, options.output, options.log, options.json, options.terminal}, how);
  const ClassifierSummary summary = train_classifier(
      classifier, data.training, data.validation, how, {checkpoint, start, options.limits},
      {[&](std::size_t epoch, std::size_t batch, std::size_t batches) {
         journal.heard_batch(epoch, batch, batches);
         return interrupted() ? Continue::kNo : Continue::kYes;
       },
       [&](const ClassifierEpoch& epoch) { journal.heard_epoch(epoch); }});
  if (summary.ended == Continue::kNo) {
    return interrupted_after(summary, checkpoint, options.terminal);
  }
  classifier.write(options.output,
                   {how.seed, data.hash, summary.best_accuracy, summary.best_epoch, IFD_VERSION});
  journal.done(summary);
  if (out_of_fold) write_out_of_fold(options, data, *out_of_fold, classifier, checkpoint);
  return 0;
}

void describe(CLI::App* c, Options& o) {
  c->footer(
      "Example:\n  ifd classifier train --images bloodmnist.npz --backbone resnet-small \\\n"
      "      -o blood.safetensors");
  const auto file = [c](const char* name, std::filesystem::path& to, const char* description) {
    CLI::Option* option = c->add_option(name, to, description)->type_name(kFileRead);
    refuse_standard_input(*option);
    return option;
  };
  file("--images", o.images, "Images in MedMNIST layout: its train and val splits");
  file("--predictions", o.predictions, "mlp: predictions whose features are the inputs");
  file("--validation", o.validation,
       "mlp: validation cases; without them, a fifth of the training cases");
  choice(*c, "--backbone", o.backbone, backbone_names(), "The network");
  std::vector<std::string> stems;
  for (const auto& item : stem_names()) stems.push_back(item.first);
  c->add_option("--stem", o.stem, "How it begins; by default small below 64 x 64")
      ->check(CLI::IsMember(stems));
  file("--weights", o.weights, "Start from these, safetensors with torchvision's names");
  c->add_option("--class-names", o.class_names, "Names of the classes; by default 0, 1, ...")
      ->delimiter(',');
  c->add_option("--epochs", o.training.epochs, "By default 15; mlp 100");
  c->add_option("--batch", o.training.batch, "Cases in a step; by default 128");
  c->add_option("--optimiser", o.optimiser, "By default sgd; mlp adam")
      ->check(CLI::IsMember({"adam", "sgd"}));
  c->add_option("--learning-rate", o.training.learning_rate,
                "At its highest; by default .1 for sgd, .002 for adam, .005 for mlp");
  c->add_option("--weight-decay", o.training.weight_decay, "Of weights")->capture_default_str();
  c->add_option("--warmup", o.training.warmup, "Share of the steps in which the rate rises")
      ->capture_default_str();
  c->add_option("--label-smoothing", o.training.label_smoothing, "Share spread over all classes")
      ->capture_default_str();
  choice(*c, "--augment", o.augment, symmetry_names(), "Flip and turn the training images");
  c->add_option("--shift", o.training.augmentation.shift, "Move them by up to so many pixels")
      ->capture_default_str();
  c->add_option("--cross-fit", o.folds,
                "Folds, 2 or more: classify each part of the training cases by a classifier that "
                "learnt from the others, too");
  file("--groups", o.groups, "CSV case,group: cases of one group share a fold");
  file("--out-of-fold", o.out_of_fold,
       "What these say of the training cases, NPZ, with the features of the one classifier that "
       "learnt from all; by default OUTPUT.out-of-fold.npz")
      ->type_name(kFileWritten);
  limit_threads(c->add_option("--threads", o.training.threads, "0: as many as the machine has")
                    ->default_val(0));
  c->add_option("--seed", o.training.seed, "Seed of every draw")->capture_default_str();
  c->add_flag("--resume", o.resume, "Go on from OUTPUT.checkpoint");
  add_json_flag(*c, o.json);
  file("--log", o.log, "The lines of all epochs in a file, which is there at the end")
      ->type_name(kFileWritten);
  file("-o,--output", o.output, "The classifier, safetensors")->required()->type_name(kFileWritten);
  add_max_expansion_option(*c, o.limits);
  c->add_flag("-q,--quiet", o.terminal.quiet, "Say nothing on stderr but errors");
}

}  // namespace
}  // namespace classifier_command

void add_classifier_command(CLI::App& app, Program& program) {
  using namespace classifier_command;
  CLI::App* group = app.add_subcommand("classifier", "Train a classifier on images");
  group->require_subcommand(1);
  group->footer("Example:\n  ifd classifier train --help");
  CLI::App* command = group->add_subcommand("train", "Train a classifier on images or vectors");
  const auto options = std::make_shared<Options>();
  describe(command, *options);
  command->callback([&program, options, command] {
    program.work = [options, command] { return run(*options, *command); };
  });
}

}  // namespace ifd::train
