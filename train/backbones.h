// The networks that classify. Modules and parameters are named and shaped as torchvision's, so that
// weights made there fit here.
#pragma once

#include <torch/nn/module.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "ifd/random/keyed_random.h"
#include "train/classifier_spec.h"

namespace ifd::train {

// Where the dropouts of a training pass draw from; nothing in eval mode.
using DropoutDraws = std::shared_ptr<std::optional<Key>>;

// In train() mode a dropout draws by the key set last and by its own name; without a key it passes
// everything on.
class BackboneImpl : public torch::nn::Module {
 public:
  // The pooled output before the last layer, N x feature_width().
  virtual torch::Tensor features(torch::Tensor x) = 0;
  // N x K from features.
  virtual torch::Tensor logits(torch::Tensor features) = 0;
  virtual std::int64_t feature_width() const = 0;
  // The names of the last layer's weight and bias: the only tensors whose shape depends on K.
  virtual std::string head_name() const = 0;

  void set_draws(const Key& key) { *draws_ = key; }

 protected:
  DropoutDraws draws_ = std::make_shared<std::optional<Key>>();
};
using Backbone = std::shared_ptr<BackboneImpl>;

// Images N x C x H x W, vectors N x D. The parameters are LibTorch's until initialise_backbone.
Backbone make_backbone(const BackboneShape& shape);

// Convolutions by He et al. (normal, fan-out), norms 1 and 0, linear layers as `initialise` does;
// drawn by (key, parameter name).
void initialise_backbone(BackboneImpl& backbone, const Key& key);

// Puts the weights of convolutions into the memory order that the kernels like best (channels
// last), which is 2 to 3 times as fast for MobileNetV2 and EfficientNet-B0. Images must come in the
// same order.
void use_channels_last(torch::nn::Module& module);

}  // namespace ifd::train
