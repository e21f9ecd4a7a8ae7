// What a classifier learns from and is asked about: images, or vectors of numbers.
#pragma once

#include <torch/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ifd/data/medmnist.h"
#include "ifd/data/predictions.h"
#include "ifd/random/keyed_random.h"
#include "train/classifier_spec.h"

namespace ifd::train {

struct ClassifierInputs {
  torch::Tensor values;            // uint8 images N x H x W x C, or float vectors N x D
  torch::Tensor labels;            // N, int64; undefined where nobody knows the truth
  std::vector<std::string> cases;  // N names

  std::int64_t size() const { return values.size(0); }
  bool are_images() const { return values.dim() == 4; }
  // Channels of an image, numbers of a vector.
  std::int64_t channels() const { return values.size(values.dim() - 1); }
};

// Cases are named "train-17": the split and the row.
ClassifierInputs inputs_of(const ImageSplit& images, Split split);
// The features are the vectors; there must be some.
ClassifierInputs inputs_of(const Predictions& predictions);

// These rows of labelled inputs.
ClassifierInputs subset_of(const ClassifierInputs& inputs, std::span<const std::int64_t> rows);

// Mean and standard deviation of the inputs; a channel that never changes is scaled by 1.
Normalisation normalisation_of(const ClassifierInputs& inputs);

// kFlip: left and right change places for half of the cases. kDihedral: one of the eight ways a
// square falls onto itself (of the four, where height and width differ).
enum class Symmetry { kNone, kFlip, kDihedral };

struct Augmentation {
  Symmetry symmetry = Symmetry::kDihedral;
  std::size_t shift = 2;  // pixels at most in either direction; the border is mirrored
};

// The rows (int64) as a net reads them: float N x C x H x W, channels last in memory, or N x D.
torch::Tensor batch_of(const ClassifierInputs& inputs, const Normalisation& normalisation,
                       const torch::Tensor& rows);
// The same, images moved about by draws keyed with the case's name. Vectors stay as they are.
torch::Tensor augmented_batch_of(const ClassifierInputs& inputs, const Normalisation& normalisation,
                                 const torch::Tensor& rows, const Augmentation& augmentation,
                                 const Key& key);

}  // namespace ifd::train
