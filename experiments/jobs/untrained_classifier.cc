#include "experiments/jobs/untrained_classifier.h"

namespace ifd::experiments {

train::BackboneClassifier untrained_classifier(train::BackboneKind kind, train::Stem stem,
                                               const train::ClassifierInputs& training,
                                               const ClassNames& classes, std::uint64_t seed) {
  train::ClassifierSpec spec{
      {kind, stem, training.channels(), static_cast<std::int64_t>(classes.size())},
      training.are_images() ? training.values.size(1) : 0,
      training.are_images() ? training.values.size(2) : 0,
      classes,
      train::normalisation_of(training)};
  train::BackboneClassifier classifier(std::move(spec), "the classifier of the study");
  train::initialise_backbone(classifier.backbone(), Key(seed).with("classifier"));
  return classifier;
}

}  // namespace ifd::experiments
