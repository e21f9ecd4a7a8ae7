#include "experiments/jobs/image_data_set.h"

#include <fmt/format.h>

#include <thread>

#include "experiments/jobs/untrained_classifier.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/medmnist.h"
#include "ifd/data/predictions_file.h"
#include "train/classifier_trainer.h"

namespace ifd::experiments {
namespace {

using train::BackboneClassifier;
using train::BackboneKind;
using train::ClassifierInputs;
using train::ClassifierTraining;

constexpr std::array<Split, 3> kSplits = {Split::kTrain, Split::kValidation, Split::kTest};

int all_threads() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

void train_image_classifier(const std::string& images, const std::string& place, BackboneKind kind,
                            const std::filesystem::path& output,
                            const std::function<void(const std::string&)>& say) {
  const auto inputs = [&](Split split) {
    return train::inputs_of(medmnist_from_bytes(images, place, split), split);
  };
  const ClassifierInputs training = inputs(Split::kTrain);
  const ClassifierInputs validation = inputs(Split::kValidation);
  const auto classes = ClassNames::numbered(medmnist_summary_from_bytes(images, place).classes);
  ClassifierTraining how = train::default_training(kind);
  how.threads = all_threads();
  BackboneClassifier classifier = untrained_classifier(kind, training, classes, how.seed);
  train::check_training_inputs(classifier, training, validation, place);
  train::ClassifierObserver observer;
  observer.epoch = [&](const train::ClassifierEpoch& epoch) {
    say(fmt::format("{}: classifier, epoch {} of {}, validation accuracy {:.4f}", place,
                    epoch.epoch, how.epochs, epoch.accuracy));
  };
  const std::filesystem::path checkpoint = output.string() + ".checkpoint";
  const auto start =
      std::filesystem::exists(checkpoint) ? train::Start::kResume : train::Start::kFresh;
  const auto summary =
      train::train_classifier(classifier, training, validation, how, {checkpoint, start}, observer);
  classifier.write(
      output, {how.seed, hash_of(images), summary.best_accuracy, summary.best_epoch, "reproduce"});
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
                       const std::filesystem::path& images, const std::string& backbone,
                       const std::function<void(const std::string&)>& say) {
  const BackboneKind kind = train::backbone_names().at(backbone);
  const std::string bytes = read_file(images);
  const std::string key =
      hash_of(workshop.code_version() + "\n" + backbone + "\n" + hash_of(bytes));
  const std::filesystem::path folder = workshop.folder() / "classifiers";
  make_folder(folder);
  const auto file = [&](const std::string& end) {
    return folder / fmt::format("{}-{}{}", settings.name, key, end);
  };
  const auto predictions_of = [&](Split split) {
    return file(fmt::format("-{}.npz", split_name(split)));
  };
  const std::filesystem::path model = file(".safetensors");
  if (!std::filesystem::exists(model)) {
    say(fmt::format("{}: training its classifier ({}), once", images.string(), backbone));
    train_image_classifier(bytes, images.filename().string(), kind, model, say);
  }
  std::vector<Predictions> parts;
  for (const Split split : kSplits) {
    const auto path = predictions_of(split);
    if (!std::filesystem::exists(path)) {
      BackboneClassifier classifier = BackboneClassifier::read(model);
      write_predictions(
          path, train::classify(
                    classifier,
                    train::inputs_of(medmnist_from_bytes(bytes, images.string(), split), split),
                    classifier.spec().classes));
    }
    parts.push_back(read_predictions(path));
  }
  return make_data_set(settings, std::move(parts[0]), std::move(parts[1]), std::move(parts[2]),
                       backbone);
}

}  // namespace ifd::experiments
