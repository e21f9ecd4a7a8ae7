#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <memory>

#include "ifd/data/accuracy.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/json_text.h"
#include "ifd/error.h"
#include "train/distributed.h"
#include "train/joint_trainer.h"
#include "train/program/checkpoint_place.h"
#include "train/program/command.h"
#include "train/program/journal.h"
#include "train/program/learning_report.h"
#include "train/program/train_options.h"
#include "train/threads.h"
#include "train/training_loop.h"
#include "train/training_record.h"

namespace ifd::train {
namespace train_command {
namespace {

std::unique_ptr<GradientExchange> team_of(const TrainOptions& options) {
  if (!options.distributed) return nullptr;
  const Membership here = membership([](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    if (value == nullptr) return {};
    return value;
  });
  return join(here, std::chrono::seconds(options.peer_timeout));
}

void agree_on(const std::string& settings, GradientExchange& team) {
  const std::string difference =
      settings_difference(settings, shared_text(team, settings), "settings");
  if (difference.empty()) return;
  throw Error(ErrorKind::kConflict, fmt::format("process {} of {}: {} as in process 0", team.rank(),
                                                team.size(), difference));
}

std::optional<JointImages> joint_images_of(const TrainOptions& options) {
  if (!is_joint(options)) return {};
  use_threads(options.schedule.threads);
  return read_joint_images(options.files.classifier, options.files.images, options.files.limits);
}

// `joint` is null where the classifier is frozen.
TrainingInputs inputs_of(const TrainOptions& options, const JointImages* joint) {
  const CalibrationChoice calibration = calibration_of(options);
  TrainingFiles files = options.files;
  files.format = options.format.format();
  files.notes = [&](const std::string& note) { options.terminal.note("note: " + note); };
  if (joint == nullptr) return read_inputs(files, calibration);
  return read_inputs({joint->training_predictions, joint->validation_predictions},
                     files.images.string(), files, calibration);
}

void write_report(const TrainOptions& options, const std::string& settings,
                  const TrainingInputs& inputs, const Fingerprints& data,
                  const LearntPolicy& learnt) {
  LearningReport report{options.method,         options.output.string(),
                        inputs.training.size(), inputs.validation.cases().size(),
                        inputs.contexts.size(), inputs.validation.knows_answers(),
                        inputs.validation_ece,  inputs.calibration};
  for (const auto& [name, value] : JsonValue::parse(settings, "settings").members()) {
    if (name.starts_with("hash of ")) continue;
    report.settings.emplace_back(name, value.is_text() ? value.text() : value.dump());
  }
  report.data_hashes = data;
  report.command = options.command;
  write_file_atomically(options.report, learning_html(report, learnt));
}

// Writes the classifier of a joint training and says how much better it is now.
std::string write_joint_classifier(const TrainOptions& options, JointImages& joint,
                                   const Fingerprints& data, const TrainingSummary& summary) {
  const double before = accuracy(joint.validation_predictions);
  const double now =
      accuracy(classify(joint.classifier, joint.validation, joint.training_predictions.classes()));
  std::string images;
  for (const auto& [name, hash] : data) {
    if (name == "images") images = hash;
  }
  joint.classifier.write(options.joint_output,
                         {options.schedule.seed, images, now, summary.best_epoch, IFD_VERSION});
  return fmt::format("{}: validation accuracy {:.4f} ({:.4f} at the start)",
                     options.joint_output.string(), now, before);
}

Circumstances circumstances_of(const TrainOptions& options, const Lesson& lesson,
                               std::size_t processes) {
  Circumstances circumstances{calibration_of(options), processes, {}, lesson.data};
  if (is_joint(options)) circumstances.classifier_rate = options.classifier_rate;
  return circumstances;
}

// The process that validates, decides and writes; where a team shares the training, the others
// only compute.
bool leads(const GradientExchange* team) { return team == nullptr || team->rank() == 0; }

CheckpointPlace checkpoint_place_of(const TrainOptions& options, const std::string& settings) {
  return {{options.output, std::chrono::duration<double>(options.checkpoint_seconds),
           options.keep_checkpoint, options.files.limits},
          settings};
}

std::optional<Checkpoint> checkpoint_to_resume(const TrainOptions& options,
                                               const CheckpointPlace& place,
                                               GradientExchange* team) {
  if (!options.resume) return {};
  std::string bytes = leads(team) ? place.bytes() : std::string();
  if (team != nullptr) bytes = shared_text(*team, bytes);
  Checkpoint checkpoint = place.parse(bytes);
  const std::size_t done = checkpoint.summary.epochs.size();
  if (done > options.schedule.epochs) {
    throw Error(ErrorKind::kConflict,
                fmt::format("{}: {} epochs are done; expected --epochs {} or more",
                            place.path().string(), done, done));
  }
  const std::string change = place.changed_length(bytes);
  if (!change.empty() && leads(team)) {
    options.terminal.note(
        fmt::format("{}: goes on after epoch {} with {}", place.path().string(), done, change));
  }
  return checkpoint;
}

// Where a resumed training had nothing left to do, why.
std::string why_no_epoch(const TrainOptions& options, const TrainingSummary& summary,
                         const std::optional<Checkpoint>& resumed) {
  const std::size_t done = summary.epochs.size();
  if (!resumed || done > resumed->summary.epochs.size()) return {};
  return fmt::format("{}: no epoch was left to train: {}", options.output.string(),
                     done >= options.schedule.epochs
                         ? fmt::format("all {} are done; a larger --epochs goes on", done)
                         : fmt::format("none was better for {}; a larger --patience goes on",
                                       options.schedule.patience));
}

// None where another process leads.
std::unique_ptr<Journal> journal_of(const TrainOptions& options, const GradientExchange* team,
                                    const std::optional<Checkpoint>& resumed) {
  if (!leads(team)) return nullptr;
  auto journal =
      std::make_unique<Journal>(JournalOptions{options.method, options.output, options.log,
                                               options.json, options.schedule, options.terminal});
  if (resumed) journal->resumed(resumed->summary);
  return journal;
}

// Trains with a checkpoint on disk, an ear for Ctrl-C, and a journal, which may be null.
LearntPolicy train_with(const TrainingPlan& plan, const Lesson& lesson, CheckpointPlace& place,
                        const std::optional<Checkpoint>& resumed, GradientExchange* team,
                        Journal* journal) {
  Support support;
  support.team = team;
  support.resume = resumed ? &*resumed : nullptr;
  support.checkpoint_due = [&] { return place.due(); };
  support.keep_checkpoint = [&](const Checkpoint& checkpoint) { place.keep(checkpoint); };
  support.keep_last = place.keeps_last();
  support.heard_batch = [&](const TrainingSummary& before, BatchCount batch) {
    if (journal != nullptr) journal->heard_batch(before, batch);
  };
  const Observer observer = [&](const EpochReport& epoch) {
    if (journal != nullptr) journal->heard(epoch);
    return interrupted() ? Continue::kNo : Continue::kYes;
  };
  return train_policy(plan, lesson, observer, support);
}

int run(TrainOptions options) {
  check_train_options(options);
  options.schedule.threads = threads_or_all(options.schedule.threads);
  const TrainingPlan plan = plan_of(options);
  const std::unique_ptr<GradientExchange> team = team_of(options);
  std::optional<JointImages> images = joint_images_of(options);
  const TrainingInputs inputs = inputs_of(options, images ? &*images : nullptr);
  std::optional<JointLesson> joint;
  if (images) joint.emplace(JointLesson{*images, {options.classifier_rate, {}}});
  const Lesson lesson{inputs.training,
                      inputs.validation,
                      inputs.contexts,
                      inputs.answers ? &*inputs.answers : nullptr,
                      joint ? &*joint : nullptr,
                      inputs.calibration,
                      file_hashes(options.files),
                      options.files.context.string()};
  check_lesson(plan.method, lesson);
  const std::string settings =
      training_settings(plan, circumstances_of(options, lesson, team ? team->size() : 1));
  if (team) agree_on(settings, *team);

  CheckpointPlace place = checkpoint_place_of(options, settings);
  const std::optional<Checkpoint> resumed = checkpoint_to_resume(options, place, team.get());
  heed_interrupts();
  const std::unique_ptr<Journal> journal = journal_of(options, team.get(), resumed);
  const LearntPolicy learnt = train_with(plan, lesson, place, resumed, team.get(), journal.get());
  const bool stopped = learnt.summary.interrupted;
  if (journal) {
    std::string classifier;
    if (images) {
      classifier = write_joint_classifier(options, *images, lesson.data, learnt.summary);
    }
    learnt.file.write(options.output);
    if (!options.report.empty()) write_report(options, settings, inputs, lesson.data, learnt);
    journal->done(learnt, inputs.calibration,
                  stopped ? Journal::Ending::kStopped : Journal::Ending::kFinished);
    if (!classifier.empty()) options.terminal.note(classifier);
    const std::string idle = why_no_epoch(options, learnt.summary, resumed);
    if (!idle.empty()) options.terminal.note(idle);
    // Whoever is told that more epochs would go on still has what they go on from.
    if (!stopped && idle.empty()) place.end();
  }
  return stopped ? kInterrupted : 0;
}

}  // namespace
}  // namespace train_command

void add_train_command(CLI::App& app, Program& program) {
  using namespace train_command;
  CLI::App* command = app.add_subcommand("train", "Train a policy on a classifier's predictions");
  const auto options = std::make_shared<TrainOptions>();
  describe_train_options(*command, *options);
  command->callback([&program, options, command] {
    complete_train_options(*command, *options);
    program.work = [options] { return run(*options); };
  });
}

}  // namespace ifd::train
