#include "experiments/jobs/image_data_set.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <thread>

#include "experiments/jobs/untrained_classifier.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/medmnist.h"
#include "ifd/data/predictions_file.h"
#include "ifd/error.h"
#include "train/classifier_trainer.h"
#include "train/cross_fit.h"

namespace ifd::experiments {
namespace {

using train::BackboneClassifier;
using train::BackboneKind;
using train::ClassifierInputs;
using train::ClassifierTraining;

constexpr std::array<Split, 3> kSplits = {Split::kTrain, Split::kValidation, Split::kTest};

int all_threads() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

// What a file of the cache holds. None where it is not there or, with a note, where it is damaged.
template <class Read>
auto whole(const std::filesystem::path& path, const Read& read,
           const std::function<void(const std::string&)>& say) -> std::optional<decltype(read())> {
  try {
    if (!std::filesystem::exists(path)) return std::nullopt;
    return read();
  } catch (const std::exception& error) {  // LibTorch's and the file system's too
    say(damage_note(error));
    return std::nullopt;
  }
}

// From where an interrupted training stopped, if it was begun; from the beginning where it was not,
// or where what it left is damaged, once that is cleared away.
template <class Train>
auto trained_from(bool begun, const Train& train, const std::function<void()>& clear,
                  const std::function<void(const std::string&)>& say) {
  if (!begun) return train(train::Start::kFresh);
  try {
    return train(train::Start::kResume);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kStorage) throw;
    say(fmt::format("note: begun again, because it is damaged: {}", error.what()));
    clear();
    return train(train::Start::kFresh);
  }
}

// Images that a classifier is trained on.
struct ImageLesson {
  ClassifierInputs training, validation;
  BackboneClassifier untrained;
  ClassifierTraining how;
  std::string place;  // the file
};

ImageLesson image_lesson(const FileContents& images, const std::string& place,
                         const ClassifierChoice& choice) {
  const auto inputs = [&](Split split) {
    return train::inputs_of(medmnist_from_bytes(images.bytes, place, split, images.limits), split);
  };
  ClassifierInputs training = inputs(Split::kTrain);
  ClassifierInputs validation = inputs(Split::kValidation);
  const auto classes =
      ClassNames::numbered(medmnist_summary_from_bytes(images.bytes, place, images.limits).classes);
  ClassifierTraining how = train::default_training(choice.backbone);
  how.seed = choice.seed;
  how.threads = all_threads();
  BackboneClassifier untrained =
      untrained_classifier(choice.backbone, choice.stem, training, classes, how.seed);
  train::check_training_inputs(untrained, training, validation, place);
  return {std::move(training), std::move(validation), std::move(untrained), how, place};
}

void train_image_classifier(const FileContents& images, const std::string& place,
                            const ClassifierChoice& choice, const std::filesystem::path& output,
                            const std::function<void(const std::string&)>& say) {
  ImageLesson lesson = image_lesson(images, place, choice);
  train::ClassifierObserver observer;
  observer.epoch = [&](const train::ClassifierEpoch& epoch) {
    say(fmt::format("{}: classifier, epoch {} of {}, validation accuracy {:.4f}", place,
                    epoch.epoch, lesson.how.epochs, epoch.accuracy));
  };
  const std::filesystem::path checkpoint = output.string() + ".checkpoint";
  BackboneClassifier& classifier = lesson.untrained;
  const auto summary = trained_from(
      std::filesystem::exists(checkpoint),
      [&](train::Start start) {
        return train::train_classifier(classifier, lesson.training, lesson.validation, lesson.how,
                                       {checkpoint, start}, observer);
      },
      [&] {
        std::filesystem::remove(checkpoint);
        classifier = image_lesson(images, place, choice).untrained;
      },
      say);
  classifier.write(output, {lesson.how.seed, hash_of(images.bytes), summary.best_accuracy,
                            summary.best_epoch, "reproduce"});
}

// What classifiers say of the training cases that learnt from the other folds.
Predictions cross_fitted(const FileContents& images, const std::string& place,
                         const ClassifierChoice& choice, const std::filesystem::path& checkpoint,
                         const std::function<void(const std::string&)>& say) {
  const ImageLesson lesson = image_lesson(images, place, choice);
  train::CrossFitObserver observer;
  observer.epoch = [&](std::size_t fold, const train::ClassifierEpoch& epoch) {
    say(fmt::format("{}: fold {} of {}, epoch {} of {}, validation accuracy {:.4f}", place, fold,
                    choice.folds, epoch.epoch, lesson.how.epochs, epoch.accuracy));
  };
  observer.fold = [&](std::size_t fold, double accuracy) {
    say(fmt::format("{}: fold {} of {}, right on {:.4f} of what it never saw", place, fold,
                    choice.folds, accuracy));
  };
  auto predictions = trained_from(
      train::has_fold_files(checkpoint, choice.folds),
      [&](train::Start start) {
        return train::out_of_fold_predictions(
            lesson.untrained, lesson.training, lesson.validation, lesson.how,
            {choice.folds, {}, {checkpoint, start}, place}, observer);
      },
      [&] { train::remove_fold_files(checkpoint, choice.folds); }, say);
  return std::move(*predictions);  // nobody ends it early
}

}  // namespace

const std::vector<PublicImages>& public_images() {
  // Sizes of the cohorts and learning rates as in the paper.
  static const std::vector<PublicImages> all = {
      {{DataName("blood"), 4, 5e-4},
       "Blood Cells",
       {"bloodcells_28.npz", "bloodmnist.npz"},
       train::BackboneKind::kMobilenetV2},
      {{DataName("ham"), 3, 1e-3},
       "HAM10000",
       {"ham10000_28.npz", "dermamnist.npz"},
       train::BackboneKind::kResnet34},
      {{DataName("organ"), 5, 1e-3},
       "Liver tumours (as OrganMNIST)",
       {"organamnist.npz", "organcmnist.npz", "organsmnist.npz"}},
  };
  return all;
}

DataSet image_data_set(const Workshop& workshop, const DataSetSettings& settings,
                       const std::filesystem::path& images, const ClassifierChoice& choice,
                       const std::function<void(const std::string&)>& say,
                       const ReadLimits& limits) {
  return pretrained_images(workshop, settings, images, choice, say, limits).data_set;
}

PretrainedImages pretrained_images(const Workshop& workshop, const DataSetSettings& settings,
                                   const std::filesystem::path& images,
                                   const ClassifierChoice& choice,
                                   const std::function<void(const std::string&)>& say,
                                   const ReadLimits& limits) {
  const FileContents contents = read_contents(images, limits);
  const std::string backbone = train::word_of(train::backbone_names(), choice.backbone);
  const std::string key = hash_of(
      fmt::format("{}\n{} seed {} stem {}\n{}", workshop.code_version(), backbone, choice.seed,
                  train::word_of(train::stem_names(), choice.stem), hash_of(contents.bytes)));
  const std::filesystem::path folder = workshop.folder() / "classifiers";
  make_folder(folder);
  const auto file = [&](const std::string& end) {
    return folder / fmt::format("{}-{}{}", settings.name, key, end);
  };
  const std::filesystem::path model = file(".safetensors");
  // From the cache where they are there and whole, else made and put there.
  const auto read_classifier = [&] { return BackboneClassifier::read(model); };
  auto classifier = whole(model, read_classifier, say);
  if (!classifier) {
    say(fmt::format("{}: training its classifier ({}, seed {}), once", images.string(), backbone,
                    choice.seed));
    train_image_classifier(contents, images.filename().string(), choice, model, say);
    classifier = read_classifier();
  }
  // Likewise.
  const auto predictions = [&](const std::string& end, const std::function<Predictions()>& make) {
    const auto path = file(end + ".npz");
    auto kept = whole(
        path, [&] { return read_predictions(path); }, say);
    if (!kept) {
      write_predictions(path, make());
      kept = read_predictions(path);
    }
    return std::move(*kept);
  };
  std::vector<Predictions> parts;
  for (const Split split : kSplits) {
    parts.push_back(predictions(fmt::format("-{}", split_name(split)), [&] {
      const auto inputs = train::inputs_of(
          medmnist_from_bytes(contents.bytes, images.string(), split, contents.limits), split);
      return train::classify(*classifier, inputs, classifier->spec().classes);
    }));
  }
  DataSet made = make_data_set(settings, std::move(parts[0]), std::move(parts[1]),
                               std::move(parts[2]), backbone);
  std::string hash = hash_of(made.hash + key + hash_of(read_file(model)));
  PretrainedImages pretrained{std::move(made), images, model, limits, std::move(hash)};
  if (choice.folds == 0) return pretrained;
  const std::string end = fmt::format("-train-{}-fold", choice.folds);
  const auto out_of_fold = predictions(end, [&] {
    say(
        fmt::format("{}: out-of-fold predictions of its training cases ({} folds, {}, seed {}), "
                    "once",
                    images.string(), choice.folds, backbone, choice.seed));
    return cross_fitted(contents, images.filename().string(), choice, file(end + ".checkpoint"),
                        say);
  });
  train::remove_fold_files(file(end + ".checkpoint"), choice.folds);
  pretrained.data_set.out_of_fold = std::make_shared<const DataSet>(
      with_training_probabilities(pretrained.data_set, out_of_fold));
  return pretrained;
}

}  // namespace ifd::experiments
