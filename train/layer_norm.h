// Layer normalisation whose bits do not depend on the number of threads.
#pragma once

#include <torch/types.h>

namespace ifd::train {

// (x - mean) / sqrt(variance + epsilon) * weight + bias over the last dimension, differentiable
// once.
//
// LibTorch's own works on rows, which threads may share as they like, but sums the gradients of
// weight and bias by thread. Here they are sums over rows like any other.
torch::Tensor layer_norm(const torch::Tensor& x, const torch::Tensor& weight,
                         const torch::Tensor& bias, double epsilon);

}  // namespace ifd::train
