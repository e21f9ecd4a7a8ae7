// Dense layers whose bits do not depend on the number of threads.
#pragma once

#include <torch/types.h>

#include <vector>

namespace ifd::train {

struct DenseLayer {
  torch::Tensor weight;  // out x in
  torch::Tensor bias;    // out
};

enum class Inputs { kAsTheyAre, kThroughRelu };

// Layers x W' + b one after the other, with ReLU between them; differentiable once. x is rows x in,
// contiguous. Inputs that go through ReLU first are overwritten.
//
// Threads share blocks of rows, each of which passes all layers, and the weights' gradients: all of
// a size that does not depend on the number of threads (threads.h).
torch::Tensor dense(const torch::Tensor& x, const std::vector<DenseLayer>& layers,
                    Inputs inputs = Inputs::kAsTheyAre);

}  // namespace ifd::train
