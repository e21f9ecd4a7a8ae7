// The classifiers of the experiments before they are trained.
#pragma once

#include <cstdint>

#include "ifd/data/class_names.h"
#include "train/classifier_trainer.h"

namespace ifd::experiments {

// Its normalisation is that of the training inputs; its weights are drawn.
train::BackboneClassifier untrained_classifier(train::BackboneKind kind, train::Stem stem,
                                               const train::ClassifierInputs& training,
                                               const ClassNames& classes, std::uint64_t seed);

}  // namespace ifd::experiments
