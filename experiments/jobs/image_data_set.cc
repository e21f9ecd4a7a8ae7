#include "experiments/jobs/image_data_set.h"

#include <fmt/format.h>

#include <optional>
#include <thread>

#include "experiments/jobs/untrained_classifier.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/medmnist.h"
#include "ifd/data/predictions_file.h"
#include "ifd/error.h"
#include "train/classifier_trainer.h"

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
  if (!std::filesystem::exists(path)) return std::nullopt;
  try {
    return read();
  } catch (const Error& error) {
    say(fmt::format("note: made again, because it is damaged: {}", error.what()));
    return std::nullopt;
  }
}

void train_image_classifier(const FileContents& images, const std::string& place,
                            const ClassifierChoice& choice, const std::filesystem::path& output,
                            const std::function<void(const std::string&)>& say) {
  const auto inputs = [&](Split split) {
    return train::inputs_of(medmnist_from_bytes(images.bytes, place, split, images.limits), split);
  };
  const ClassifierInputs training = inputs(Split::kTrain);
  const ClassifierInputs validation = inputs(Split::kValidation);
  const auto classes =
      ClassNames::numbered(medmnist_summary_from_bytes(images.bytes, place, images.limits).classes);
  const BackboneKind kind = train::backbone_names().at(choice.backbone);
  ClassifierTraining how = train::default_training(kind);
  how.seed = choice.seed;
  how.threads = all_threads();
  BackboneClassifier classifier = untrained_classifier(kind, training, classes, how.seed);
  train::check_training_inputs(classifier, training, validation, place);
  train::ClassifierObserver observer;
  observer.epoch = [&](const train::ClassifierEpoch& epoch) {
    say(fmt::format("{}: classifier, epoch {} of {}, validation accuracy {:.4f}", place,
                    epoch.epoch, how.epochs, epoch.accuracy));
  };
  const std::filesystem::path checkpoint = output.string() + ".checkpoint";
  const auto train_from = [&](train::Start start) {
    return train::train_classifier(classifier, training, validation, how, {checkpoint, start},
                                   observer);
  };
  const auto summary = [&] {
    if (!std::filesystem::exists(checkpoint)) return train_from(train::Start::kFresh);
    try {
      return train_from(train::Start::kResume);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::kStorage) throw;
      say(fmt::format("note: begun again, because it is damaged: {}", error.what()));
      std::filesystem::remove(checkpoint);
      classifier = untrained_classifier(kind, training, classes, how.seed);
      return train_from(train::Start::kFresh);
    }
  }();
  classifier.write(output, {how.seed, hash_of(images.bytes), summary.best_accuracy,
                            summary.best_epoch, "reproduce"});
}

}  // namespace

const std::vector<PublicImages>& public_images() {
  // Sizes of the cohorts and learning rates as in the paper.
  static const std::vector<PublicImages> all = {
      {{DataName("blood"), 4, 5e-4}, "Blood Cells", {"bloodcells_28.npz", "bloodmnist.npz"}},
      {{DataName("ham"), 3, 1e-3}, "HAM10000", {"ham10000_28.npz", "dermamnist.npz"}},
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
  const FileContents contents = read_contents(images, limits);
  const std::string key =
      hash_of(fmt::format("{}\n{} seed {}\n{}", workshop.code_version(), choice.backbone,
                          choice.seed, hash_of(contents.bytes)));
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
    say(fmt::format("{}: training its classifier ({}, seed {}), once", images.string(),
                    choice.backbone, choice.seed));
    train_image_classifier(contents, images.filename().string(), choice, model, say);
    classifier = read_classifier();
  }
  std::vector<Predictions> parts;
  for (const Split split : kSplits) {
    const auto path = file(fmt::format("-{}.npz", split_name(split)));
    auto kept = whole(
        path, [&] { return read_predictions(path); }, say);
    if (!kept) {
      const auto inputs = train::inputs_of(
          medmnist_from_bytes(contents.bytes, images.string(), split, contents.limits), split);
      write_predictions(path, train::classify(*classifier, inputs, classifier->spec().classes));
      kept = read_predictions(path);
    }
    parts.push_back(std::move(*kept));
  }
  return make_data_set(settings, std::move(parts[0]), std::move(parts[1]), std::move(parts[2]),
                       choice.backbone);
}

}  // namespace ifd::experiments
