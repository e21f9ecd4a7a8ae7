// The networks' common parts: dense layers with ReLU between, and weights drawn by key.
#pragma once

#include <torch/nn/modules/container/modulelist.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/pimpl.h>

#include <cstdint>
#include <span>
#include <vector>

#include "ifd/random/keyed_random.h"
#include "train/dense.h"

namespace ifd::train {

// Linear layers from widths[0] to widths.back(), ReLU between them, none at the end. Parameters
// are named 0.weight, 0.bias, 1.weight, ...
class MlpNetImpl : public torch::nn::Module {
 public:
  explicit MlpNetImpl(const std::vector<std::int64_t>& widths);
  torch::Tensor forward(const torch::Tensor& x);
  // The rest of the way from the first layer's output, which is overwritten.
  torch::Tensor from_first(const torch::Tensor& first_output);
  torch::nn::Linear first() { return layers_.front(); }
  torch::nn::Linear last() { return layers_.back(); }

 private:
  // From layer `first` on.
  torch::Tensor through(const torch::Tensor& x, std::size_t first, Inputs inputs);
  std::vector<torch::nn::Linear> layers_;
};
TORCH_MODULE(MlpNet);

// input, then layers - 1 times `hidden`, then `output`.
std::vector<std::int64_t> mlp_widths(std::int64_t input, std::size_t layers, std::int64_t hidden,
                                     std::int64_t output);

// The rejector r(z) of identity-free deferral: six linear layers to one logit.
MlpNet rejector_net(std::int64_t state_width, std::int64_t hidden);

// Draws every parameter as LibTorch would (linear layers uniform within 1/sqrt(fan-in),
// embeddings standard normal, norms 1 and 0), but by (key, parameter name), so that a net does not
// depend on a generator's state nor on what was made before it.
void initialise(torch::nn::Module& module, const Key& key);
void set_zero(torch::nn::Linear& layer);

}  // namespace ifd::train
