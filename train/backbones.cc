#include "train/backbones.h"

#include <ATen/CPUGeneratorImpl.h>
#include <torch/nn/functional/activation.h>
#include <torch/nn/functional/pooling.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>

#include <array>
#include <cmath>
#include <vector>

#include "train/rejector_net.h"

namespace ifd::train {
namespace {

namespace nn = torch::nn;

nn::Conv2d conv(std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride,
                std::int64_t groups = 1) {
  return nn::Conv2d(nn::Conv2dOptions(in, out, kernel)
                        .stride(stride)
                        .padding((kernel - 1) / 2)
                        .groups(groups)
                        .bias(false));
}

torch::Tensor pooled(const torch::Tensor& x) { return x.mean({2, 3}); }

// 0 or 1 / keep for each of `shape`, by key.
torch::Tensor keyed_mask(at::IntArrayRef shape, double keep, const Key& key,
                         const torch::Tensor& like) {
  const auto generator = at::make_generator<at::CPUGeneratorImpl>(key.bits());
  return torch::empty(shape, like.options()).bernoulli_(keep, generator).div_(keep);
}

// ---- ResNet (He et al. 2016), with basic blocks

class BasicBlockImpl : public nn::Module {
 public:
  BasicBlockImpl(std::int64_t in, std::int64_t out, std::int64_t stride)
      : conv1_(register_module("conv1", conv(in, out, 3, stride))),
        bn1_(register_module("bn1", nn::BatchNorm2d(out))),
        conv2_(register_module("conv2", conv(out, out, 3, 1))),
        bn2_(register_module("bn2", nn::BatchNorm2d(out))) {
    if (stride != 1 || in != out) {
      downsample_ = register_module("downsample",
                                    nn::Sequential(conv(in, out, 1, stride), nn::BatchNorm2d(out)));
    }
  }
  torch::Tensor forward(const torch::Tensor& x) {
    const auto inner = bn2_(conv2_(bn1_(conv1_(x)).relu_()));
    return (inner + (downsample_ ? downsample_->forward(x) : x)).relu_();
  }

 private:
  nn::Conv2d conv1_;
  nn::BatchNorm2d bn1_;
  nn::Conv2d conv2_;
  nn::BatchNorm2d bn2_;
  nn::Sequential downsample_{nullptr};
};
TORCH_MODULE(BasicBlock);

struct ResnetPlan {
  struct Stage {
    std::int64_t width, blocks, stride;
  };
  std::int64_t stem_width = 64;
  std::vector<Stage> stages;
};

class Resnet final : public BackboneImpl {
 public:
  Resnet(const BackboneShape& shape, const ResnetPlan& plan)
      : stem_(shape.stem),
        width_(plan.stages.back().width),
        conv1_(register_module("conv1", stem_conv(shape, plan.stem_width))),
        bn1_(register_module("bn1", nn::BatchNorm2d(plan.stem_width))) {
    std::int64_t in = plan.stem_width;
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
      const auto& stage = plan.stages[i];
      nn::Sequential layer;
      for (std::int64_t b = 0; b < stage.blocks; ++b) {
        layer->push_back(BasicBlock(in, stage.width, b == 0 ? stage.stride : 1));
        in = stage.width;
      }
      layers_.push_back(register_module("layer" + std::to_string(i + 1), layer));
    }
    fc_ = register_module("fc", nn::Linear(in, shape.classes));
  }

  torch::Tensor features(torch::Tensor x) override {
    x = bn1_(conv1_(x)).relu_();
    if (stem_ == Stem::kImagenet) {
      x = nn::functional::max_pool2d(x,
                                     nn::functional::MaxPool2dFuncOptions(3).stride(2).padding(1));
    }
    for (auto& layer : layers_) x = layer->forward(x);
    return pooled(x);
  }
  torch::Tensor logits(torch::Tensor features) override { return fc_(features); }
  std::int64_t feature_width() const override { return width_; }
  std::string head_name() const override { return "fc"; }

 private:
  static nn::Conv2d stem_conv(const BackboneShape& shape, std::int64_t width) {
    return shape.stem == Stem::kImagenet ? conv(shape.inputs, width, 7, 2)
                                         : conv(shape.inputs, width, 3, 1);
  }

  Stem stem_;
  std::int64_t width_;
  nn::Conv2d conv1_;
  nn::BatchNorm2d bn1_;
  std::vector<nn::Sequential> layers_;
  nn::Linear fc_{nullptr};
};

Backbone make_resnet(const BackboneShape& shape, const std::array<std::int64_t, 4>& blocks) {
  return std::make_shared<Resnet>(
      shape,
      ResnetPlan{
          64, {{64, blocks[0], 1}, {128, blocks[1], 2}, {256, blocks[2], 2}, {512, blocks[3], 2}}});
}

Backbone make_resnet_small(BackboneShape shape) {
  shape.stem = Stem::kSmall;
  return std::make_shared<Resnet>(shape, ResnetPlan{32, {{32, 1, 2}, {64, 1, 2}, {128, 1, 2}}});
}

// ---- MobileNetV2 (Sandler et al. 2018) and EfficientNet-B0 (Tan and Le 2019)

enum class Activation { kNone, kRelu6, kSilu };

// Convolution, norm, activation: the parameters are 0.weight, 1.weight, 1.bias.
class ConvNormImpl : public nn::Module {
 public:
  ConvNormImpl(const nn::Conv2d& convolution, Activation activation)
      : activation_(activation),
        conv_(register_module("0", convolution)),
        norm_(register_module("1", nn::BatchNorm2d(convolution->options.out_channels()))) {}
  torch::Tensor forward(const torch::Tensor& x) {
    auto y = norm_(conv_(x));
    if (activation_ == Activation::kRelu6) return torch::hardtanh_(y, 0, 6);
    return activation_ == Activation::kSilu ? torch::silu(y) : y;
  }

 private:
  Activation activation_;
  nn::Conv2d conv_;
  nn::BatchNorm2d norm_;
};
TORCH_MODULE(ConvNorm);

class InvertedResidualImpl : public nn::Module {
 public:
  InvertedResidualImpl(std::int64_t in, std::int64_t out, std::int64_t stride,
                       std::int64_t expansion)
      : adds_input_(stride == 1 && in == out) {
    const std::int64_t inner = in * expansion;
    if (expansion != 1) conv_->push_back(ConvNorm(conv(in, inner, 1, 1), Activation::kRelu6));
    conv_->push_back(ConvNorm(conv(inner, inner, 3, stride, inner), Activation::kRelu6));
    conv_->push_back(conv(inner, out, 1, 1));
    conv_->push_back(nn::BatchNorm2d(out));
    register_module("conv", conv_);
  }
  torch::Tensor forward(const torch::Tensor& x) {
    const auto y = conv_->forward(x);
    return adds_input_ ? x + y : y;
  }

 private:
  bool adds_input_;
  nn::Sequential conv_;
};
TORCH_MODULE(InvertedResidual);

class SqueezeExcitationImpl : public nn::Module {
 public:
  SqueezeExcitationImpl(std::int64_t channels, std::int64_t squeezed)
      : fc1_(register_module("fc1", nn::Conv2d(nn::Conv2dOptions(channels, squeezed, 1)))),
        fc2_(register_module("fc2", nn::Conv2d(nn::Conv2dOptions(squeezed, channels, 1)))) {}
  torch::Tensor forward(const torch::Tensor& x) {
    return x * torch::sigmoid(fc2_(torch::silu(fc1_(x.mean({2, 3}, true)))));
  }

 private:
  nn::Conv2d fc1_;
  nn::Conv2d fc2_;
};
TORCH_MODULE(SqueezeExcitation);

class MbConvImpl : public nn::Module {
 public:
  MbConvImpl(std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride,
             std::int64_t expansion, double drop, std::int64_t number, DropoutDraws draws)
      : adds_input_(stride == 1 && in == out),
        drop_(drop),
        number_(number),
        draws_(std::move(draws)) {
    const std::int64_t inner = in * expansion;
    if (expansion != 1) block_->push_back(ConvNorm(conv(in, inner, 1, 1), Activation::kSilu));
    block_->push_back(ConvNorm(conv(inner, inner, kernel, stride, inner), Activation::kSilu));
    block_->push_back(SqueezeExcitation(inner, std::max<std::int64_t>(1, in / 4)));
    block_->push_back(ConvNorm(conv(inner, out, 1, 1), Activation::kNone));
    register_module("block", block_);
  }
  torch::Tensor forward(const torch::Tensor& x) {
    auto y = block_->forward(x);
    if (!adds_input_) return y;
    // Stochastic depth: a case goes round the block.
    if (is_training() && draws_->has_value() && drop_ > 0) {
      y = y * keyed_mask({x.size(0), 1, 1, 1}, 1 - drop_,
                         (*draws_)->with("depth").with(static_cast<std::uint64_t>(number_)), y);
    }
    return x + y;
  }

 private:
  bool adds_input_;
  double drop_;
  std::int64_t number_;
  DropoutDraws draws_;
  nn::Sequential block_;
};
TORCH_MODULE(MbConv);

// A row of modules that may itself stand in a row.
class StageImpl : public nn::SequentialImpl {
 public:
  torch::Tensor forward(const torch::Tensor& x) { return nn::SequentialImpl::forward(x); }
};
TORCH_MODULE(Stage);

// `features`, pooled, then `classifier`: dropout (0) and one linear layer (1).
class MobileNet final : public BackboneImpl {
 public:
  explicit MobileNet(const BackboneShape& shape) {
    const bool mobilenet = shape.kind == BackboneKind::kMobilenetV2;
    const std::int64_t last = mobilenet ? add_mobilenet_v2(shape) : add_efficientnet_b0(shape);
    features_->push_back(
        ConvNorm(conv(last, kWidth, 1, 1), mobilenet ? Activation::kRelu6 : Activation::kSilu));
    register_module("features", features_);
    classifier_->push_back(nn::Identity());
    classifier_->push_back(nn::Linear(kWidth, shape.classes));
    register_module("classifier", classifier_);
  }

  torch::Tensor features(torch::Tensor x) override { return pooled(features_->forward(x)); }
  torch::Tensor logits(torch::Tensor features) override {
    if (is_training() && draws_->has_value()) {
      features = features *
                 keyed_mask(features.sizes(), 1 - kDropout, (*draws_)->with("dropout"), features);
    }
    return classifier_->forward(features);
  }
  std::int64_t feature_width() const override { return kWidth; }
  std::string head_name() const override { return "classifier.1"; }

 private:
  static constexpr std::int64_t kWidth = 1280;
  static constexpr double kDropout = .2;
  static constexpr double kStochasticDepth = .2;

  // Appends the stem and the stages; returns the width of the last.
  std::int64_t add_mobilenet_v2(const BackboneShape& shape) {
    const bool small = shape.stem == Stem::kSmall;
    features_->push_back(ConvNorm(conv(shape.inputs, 32, 3, small ? 1 : 2), Activation::kRelu6));
    struct Plan {
      std::int64_t expansion, width, blocks, stride;
    };
    const std::array<Plan, 7> stages = {{{1, 16, 1, 1},
                                         {6, 24, 2, small ? 1 : 2},
                                         {6, 32, 3, 2},
                                         {6, 64, 4, 2},
                                         {6, 96, 3, 1},
                                         {6, 160, 3, 2},
                                         {6, 320, 1, 1}}};
    std::int64_t in = 32;
    for (const Plan& stage : stages) {
      for (std::int64_t b = 0; b < stage.blocks; ++b) {
        features_->push_back(
            InvertedResidual(in, stage.width, b == 0 ? stage.stride : 1, stage.expansion));
        in = stage.width;
      }
    }
    return in;
  }

  std::int64_t add_efficientnet_b0(const BackboneShape& shape) {
    const bool small = shape.stem == Stem::kSmall;
    features_->push_back(ConvNorm(conv(shape.inputs, 32, 3, small ? 1 : 2), Activation::kSilu));
    struct Plan {
      std::int64_t expansion, kernel, stride, width, blocks;
    };
    const std::array<Plan, 7> stages = {{{1, 3, 1, 16, 1},
                                         {6, 3, small ? 1 : 2, 24, 2},
                                         {6, 5, 2, 40, 2},
                                         {6, 3, 2, 80, 3},
                                         {6, 5, 1, 112, 3},
                                         {6, 5, 2, 192, 4},
                                         {6, 3, 1, 320, 1}}};
    constexpr double kBlocks = 16;
    std::int64_t in = 32;
    std::int64_t number = 0;
    for (const Plan& stage : stages) {
      Stage blocks;
      for (std::int64_t b = 0; b < stage.blocks; ++b) {
        blocks->push_back(
            MbConv(in, stage.width, stage.kernel, b == 0 ? stage.stride : 1, stage.expansion,
                   kStochasticDepth * static_cast<double>(number) / kBlocks, number, draws_));
        in = stage.width;
        ++number;
      }
      features_->push_back(blocks);
    }
    return in;
  }

  nn::Sequential features_;
  nn::Sequential classifier_;
};

// ---- MLP

class MlpBackbone final : public BackboneImpl {
 public:
  explicit MlpBackbone(const BackboneShape& shape)
      : hidden_(
            register_module("hidden", MlpNet(mlp_widths(shape.inputs, 2, kMlpWidth, kMlpWidth)))),
        fc_(register_module("fc", nn::Linear(kMlpWidth, shape.classes))) {}

  torch::Tensor features(torch::Tensor x) override { return hidden_(x).relu_(); }
  torch::Tensor logits(torch::Tensor features) override { return fc_(features); }
  std::int64_t feature_width() const override { return kMlpWidth; }
  std::string head_name() const override { return "fc"; }

 private:
  MlpNet hidden_;
  nn::Linear fc_;
};

}  // namespace

Backbone make_backbone(const BackboneShape& shape) {
  switch (shape.kind) {
    case BackboneKind::kMlp:
      return std::make_shared<MlpBackbone>(shape);
    case BackboneKind::kResnetSmall:
      return make_resnet_small(shape);
    case BackboneKind::kResnet18:
      return make_resnet(shape, {2, 2, 2, 2});
    case BackboneKind::kResnet34:
      return make_resnet(shape, {3, 4, 6, 3});
    case BackboneKind::kMobilenetV2:
    case BackboneKind::kEfficientnetB0:
      break;
  }
  return std::make_shared<MobileNet>(shape);
}

void initialise_backbone(BackboneImpl& backbone, const Key& key) {
  initialise(backbone, key);
  const torch::NoGradGuard guard;
  for (const auto& item : backbone.named_modules("", false)) {
    auto* convolution = item.value()->as<nn::Conv2d>();
    if (convolution == nullptr) continue;
    auto& weight = convolution->weight;
    const double fan_out = static_cast<double>(weight.size(0) * weight.size(2) * weight.size(3));
    const double sigma = std::sqrt(2 / fan_out);
    const Key from = key.with(item.key()).with("weight");
    const auto drawn = torch::empty(weight.sizes(), torch::kFloat32);
    float* out = drawn.data_ptr<float>();
    for (std::int64_t i = 0; i < drawn.numel(); ++i) {
      out[i] = static_cast<float>(sigma * from.normal(static_cast<std::uint64_t>(i)));
    }
    weight.copy_(drawn);
    if (convolution->bias.defined()) convolution->bias.zero_();
  }
}

void use_channels_last(torch::nn::Module& module) {
  const torch::NoGradGuard guard;
  for (auto& parameter : module.parameters()) {
    if (parameter.dim() == 4) {
      parameter.set_data(parameter.contiguous(at::MemoryFormat::ChannelsLast));
    }
  }
}

}  // namespace ifd::train
