// Classifiers in files: our own, which carry their weights and all that is needed to ask them, and
// TorchScript modules of others, which are programs.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "ifd/data/predictions.h"
#include "ifd/data/safetensors.h"
#include "train/backbones.h"
#include "train/classifier_inputs.h"
#include "train/classifier_spec.h"

namespace ifd::train {

// What a classifier says of a batch.
struct ClassifierOutput {
  torch::Tensor logits;    // N x K
  torch::Tensor features;  // N x D; undefined where the classifier shows none
};

class Classifier {
 public:
  virtual ~Classifier() = default;
  // For messages.
  virtual const std::string& name() const = 0;
  virtual const Normalisation& normalisation() const = 0;
  // Error(kBadInput) where the classifier does not take such inputs. `place` is their file.
  virtual void check_inputs(const ClassifierInputs& inputs, const std::string& place) const = 0;
  // In eval mode, without gradients.
  virtual ClassifierOutput output(const torch::Tensor& batch) = 0;
};

// How a classifier came about; no clock, so that the same training gives the same bytes.
struct ClassifierOrigin {
  std::uint64_t seed = 0;
  std::string training_data;  // hash of the file
  double validation_accuracy = 0;
  std::size_t best_epoch = 0;
  std::string version;
};

class BackboneClassifier final : public Classifier {
 public:
  BackboneClassifier(ClassifierSpec spec, std::string name);
  // A safetensors file as `write` makes it; docs/formats.md tells its metadata.
  static BackboneClassifier read(const std::filesystem::path& path, const ReadLimits& limits = {});
  static BackboneClassifier from_file(const SafetensorsFile& file);
  void write(const std::filesystem::path& path, const ClassifierOrigin& origin) const;

  const std::string& name() const override { return name_; }
  const Normalisation& normalisation() const override { return spec_.normalisation; }
  void check_inputs(const ClassifierInputs& inputs, const std::string& place) const override;
  ClassifierOutput output(const torch::Tensor& batch) override;

  const ClassifierSpec& spec() const { return spec_; }
  BackboneImpl& backbone() const { return *backbone_; }

 private:
  ClassifierSpec spec_;
  std::string name_;
  Backbone backbone_;
};

// Parameters and buffers, each under its name after `prefix`.
void add_state(SafetensorsWriter& writer, const torch::nn::Module& module,
               const std::string& prefix = "");
// Fills parameters and buffers from the file's tensors under `prefix`, which must be all of them
// and no others, and of the same shapes; otherwise Error(kBadInput) names the first that is not. A
// count of batches (num_batches_tracked) may be missing: nothing reads it.
void load_state(torch::nn::Module& module, const SafetensorsFile& file,
                const std::string& prefix = "");

// Weights with torchvision's names to start from. A head for another number of classes is left out.
enum class ImportedHead { kTaken, kLeftOut };
ImportedHead import_weights(BackboneImpl& backbone, const SafetensorsFile& file);

// The classifier's predictions, with features where it shows some and with the inputs' labels.
// `classes` names the logits. A wrong shape of the output and logits that are not finite are
// Error(kBadInput).
Predictions classify(Classifier& classifier, const ClassifierInputs& inputs,
                     const ClassNames& classes, std::int64_t batch = 256);

}  // namespace ifd::train
