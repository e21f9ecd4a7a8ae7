// Training a classifier: mini-batches, a cosine schedule, the best weights kept, and a checkpoint
// after every epoch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "ifd/data/read_limits.h"
#include "train/classifier_progress.h"
#include "train/image_classifier.h"
#include "train/schedule.h"

namespace ifd::train {

// kSgd: momentum .9, Nesterov. kAdam: decay apart from the gradient (AdamW).
enum class Optimiser { kSgd, kAdam };

// Their names, as on the command line; those of symmetries too.
const std::map<std::string, Optimiser>& optimiser_names();
const std::map<std::string, Symmetry>& symmetry_names();

struct ClassifierTraining {
  std::size_t epochs = 15;
  std::size_t batch = 128;
  Optimiser optimiser = Optimiser::kSgd;
  double learning_rate = .1;   // at its highest
  double weight_decay = 5e-4;  // of weights; biases and norms have none
  double warmup = .05;  // share of the steps in which the rate rises from 0; then a cosine to 0
  double label_smoothing = 0;
  Augmentation augmentation;
  std::uint64_t seed = 0;
  int threads = 1;
};

// What suits a backbone.
ClassifierTraining default_training(BackboneKind kind);

struct ClassifierSummary {
  std::vector<ClassifierEpoch> epochs;
  std::size_t best_epoch = 0;
  double best_accuracy = 0;
  Continue ended = Continue::kYes;  // kNo: the observer ended it
};

struct ClassifierObserver {
  // After every batch; kNo ends the training at once, and the last checkpoint stays.
  std::function<Continue(std::size_t epoch, std::size_t batch, std::size_t batches)> batch;
  std::function<void(const ClassifierEpoch&)> epoch;
};

// kFresh: an Error(kConflict) where the checkpoint is there already. kResume: go on from it; an
// Error(kNotFound) where it is not there, and Error(kConflict), naming what differs, where it
// belongs to another training. Another number of epochs is another training: the rate of every step
// depends on it.
enum class Start { kFresh, kResume };

struct Checkpointing {
  std::filesystem::path file;  // empty: none
  Start start = Start::kFresh;
  ReadLimits limits = {};
};

// Error(kBadInput) unless the inputs fit the classifier and every class has a training case.
// `place` is the file in the message.
void check_training_inputs(const BackboneClassifier& classifier, const ClassifierInputs& training,
                           const ClassifierInputs& validation, const std::string& place);

// Tells one training from another, so that what is left of it is not continued by the wrong one: a
// JSON object. `classifier` has the weights to begin with. The number of threads may change.
std::string classifier_settings(const BackboneClassifier& classifier,
                                const ClassifierInputs& training, const ClassifierTraining& how);

// Leaves the classifier with the weights of the best epoch, and no checkpoint; or, where the
// observer ended it, with those of the last batch, and the checkpoint.
//
// Batches, augmentation and dropout are drawn by (seed, epoch, case name). The same inputs, seed
// and number of threads give the same weights to the last bit on the same machine and libraries,
// also where the training was interrupted and resumed. A last batch of a single case is left out:
// it has no spread to normalise by. A loss that is not finite is Error(kBadInput).
ClassifierSummary train_classifier(BackboneClassifier& classifier, const ClassifierInputs& training,
                                   const ClassifierInputs& validation,
                                   const ClassifierTraining& how, const Checkpointing& checkpoint,
                                   const ClassifierObserver& observer = {});

}  // namespace ifd::train
