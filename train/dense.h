// A dense layer whose bits do not depend on the number of threads.
#pragma once

#include <torch/types.h>

namespace ifd::train {

// x W' + b, differentiable once. x is ... x in, weight out x in, bias out.
//
// A BLAS that splits a product among threads sums in another order for every number of them. Here
// the product is cut into blocks of a fixed size, each worked out by one thread.
torch::Tensor dense(const torch::Tensor& x, const torch::Tensor& weight, const torch::Tensor& bias);

// How many threads the blocks of a large layer are shared among: observed, not read from a setting.
int dense_threads();

}  // namespace ifd::train
