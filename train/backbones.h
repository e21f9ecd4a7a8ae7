// The networks that classify. Modules and parameters are named and shaped as torchvision's, so that
// weights made there fit here.
#pragma once

#include <torch/nn/module.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "ifd/random/keyed_random.h"

namespace ifd::train {

// kMlp: 2 hidden layers of 64 on a vector. kResnetSmall: three stages of one basic block, 32, 64
// and 128 channels, for 28 x 28 in minutes. The others are the published ones.
enum class BackboneKind { kMlp, kResnetSmall, kResnet18, kResnet34, kMobilenetV2, kEfficientnetB0 };

// How a net begins. kImagenet is torchvision's, for 224 x 224. kSmall fits 28 x 28: a ResNet begins
// with a 3 x 3 convolution of stride 1 and no pooling; the other two with their first two strides 1
// instead of 2. kResnetSmall has but one, and an MLP has none: both are the same for either word.
enum class Stem { kImagenet, kSmall };

const std::map<std::string, BackboneKind>& backbone_names();
const std::map<std::string, Stem>& stem_names();

struct BackboneShape {
  BackboneKind kind = BackboneKind::kResnetSmall;
  Stem stem = Stem::kSmall;
  std::int64_t inputs = 3;  // channels of an image, width of a vector
  std::int64_t classes = 0;
};

// Of the hidden layers of an MLP.
inline constexpr std::int64_t kMlpWidth = 64;

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
