// The studies whose classifier is trained here.
#include <fmt/format.h>

#include <thread>

#include "experiments/jobs/data_sets.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/medmnist.h"
#include "ifd/data/predictions_file.h"
#include "ifd/data/rings.h"
#include "ifd/fnv_hash.h"
#include "train/classifier_trainer.h"

namespace ifd::experiments {
namespace {

using train::BackboneClassifier;
using train::BackboneKind;
using train::ClassifierInputs;
using train::ClassifierTraining;

constexpr std::array<Split, 3> kSplits = {Split::kTrain, Split::kValidation, Split::kTest};

BackboneClassifier new_classifier(BackboneKind kind, const ClassifierInputs& training,
                                  const ClassNames& classes, std::uint64_t seed) {
  train::ClassifierSpec spec{
      {kind, train::Stem::kSmall, training.channels(), static_cast<std::int64_t>(classes.size())},
      training.are_images() ? training.values.size(1) : 0,
      training.are_images() ? training.values.size(2) : 0,
      classes,
      train::normalisation_of(training)};
  BackboneClassifier classifier(std::move(spec), "the classifier of the study");
  train::initialise_backbone(classifier.backbone(), Key(seed).with("classifier"));
  return classifier;
}

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
  BackboneClassifier classifier = new_classifier(kind, training, classes, how.seed);
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

Study image_study(const Workshop& workshop, const StudySettings& settings,
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
  return make_study(settings, std::move(parts[0]), std::move(parts[1]), std::move(parts[2]),
                    backbone);
}

RingsStudy rings_study(std::uint64_t seed) {
  const auto points = [&](const char* split, std::size_t cases) {
    const Rings rings = make_rings({.cases = cases, .seed = seed, .split = split});
    Predictions::Parts parts{ClassNames::numbered(kRingClasses), {}, {}, rings.labels, {}, 2};
    for (std::size_t i = 0; i < rings.x.size(); ++i) {
      parts.cases.push_back(fmt::format("{}-{}", split, rings.cases[i]));
      parts.features.insert(parts.features.end(), {rings.x[i], rings.y[i]});
      parts.probabilities.insert(parts.probabilities.end(), kRingClasses, 1.0F / kRingClasses);
    }
    return Predictions(std::move(parts));
  };
  const Predictions training = points("train", 1000);
  const Predictions validation = points("validation", 500);
  const Predictions test = points("test", 1000);
  ClassifierTraining how = train::default_training(BackboneKind::kMlp);
  how.seed = seed;
  BackboneClassifier classifier =
      new_classifier(BackboneKind::kMlp, train::inputs_of(training), training.classes(), seed);
  train::train_classifier(classifier, train::inputs_of(training), train::inputs_of(validation), how,
                          {});
  const auto classified = [&](const Predictions& cases) {
    return train::classify(classifier, train::inputs_of(cases), cases.classes());
  };
  RingsStudy made{make_study({"rings", 1, 1e-3}, classified(training), classified(validation),
                             classified(test), "a network of two hidden layers"),
                  {}};
  for (std::size_t i = 0; i < test.size(); ++i) {
    made.test_points.push_back({test.features(i)[0], test.features(i)[1]});
  }
  return made;
}

}  // namespace ifd::experiments
