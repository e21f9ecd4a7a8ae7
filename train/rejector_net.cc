#include "train/rejector_net.h"

#include <torch/nn/functional/activation.h>
#include <torch/nn/modules/embedding.h>

#include <cmath>

namespace ifd::train {
namespace {

constexpr std::size_t kRejectorLayers = 6;

template <typename Draw>
void fill(const torch::Tensor& parameter, const Draw& draw) {
  const auto made = torch::empty_like(parameter, torch::kFloat32);
  float* out = made.data_ptr<float>();
  for (std::int64_t i = 0; i < made.numel(); ++i) {
    out[i] = static_cast<float>(draw(static_cast<std::uint64_t>(i)));
  }
  const torch::NoGradGuard guard;
  parameter.copy_(made);
}

std::vector<std::int64_t> with_last(at::IntArrayRef sizes, std::int64_t last) {
  std::vector<std::int64_t> made = sizes.vec();
  made.back() = last;
  return made;
}

}  // namespace

MlpNetImpl::MlpNetImpl(const std::vector<std::int64_t>& widths) {
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
    layers_.push_back(
        register_module(std::to_string(i), torch::nn::Linear(widths[i], widths[i + 1])));
  }
}

torch::Tensor MlpNetImpl::forward(const torch::Tensor& x) {
  return through(x, 0, Inputs::kAsTheyAre);
}

torch::Tensor MlpNetImpl::from_first(const torch::Tensor& first_output) {
  return through(first_output, 1, Inputs::kThroughRelu);
}

torch::Tensor MlpNetImpl::through(const torch::Tensor& x, std::size_t first, Inputs inputs) {
  std::vector<DenseLayer> layers;
  for (std::size_t i = first; i < layers_.size(); ++i) {
    layers.push_back({layers_[i]->weight, layers_[i]->bias});
  }
  return dense(x.reshape({-1, x.size(-1)}).contiguous(), layers, inputs)
      .view(with_last(x.sizes(), layers_.back()->options.out_features()));
}

std::vector<std::int64_t> mlp_widths(std::int64_t input, std::size_t layers, std::int64_t hidden,
                                     std::int64_t output) {
  std::vector<std::int64_t> widths(layers + 1, hidden);
  widths.front() = input;
  widths.back() = output;
  return widths;
}

MlpNet rejector_net(std::int64_t state_width, std::int64_t hidden) {
  return MlpNet(mlp_widths(state_width, kRejectorLayers, hidden, 1));
}

void initialise(torch::nn::Module& module, const Key& key) {
  for (const auto& item : module.named_modules("", true)) {
    const Key here = key.with(item.key());
    if (auto* linear = item.value()->as<torch::nn::Linear>()) {
      const double bound = 1 / std::sqrt(static_cast<double>(linear->weight.size(1)));
      const auto uniform = [bound](const Key& from) {
        return [from, bound](std::uint64_t i) { return bound * (2 * from.uniform(i) - 1); };
      };
      fill(linear->weight, uniform(here.with("weight")));
      if (linear->bias.defined()) fill(linear->bias, uniform(here.with("bias")));
    } else if (auto* embedding = item.value()->as<torch::nn::Embedding>()) {
      const Key from = here.with("weight");
      fill(embedding->weight, [from](std::uint64_t i) { return from.normal(i); });
    }
  }
}

void set_zero(torch::nn::Linear& layer) {
  const torch::NoGradGuard guard;
  layer->weight.zero_();
  layer->bias.zero_();
}

}  // namespace ifd::train
