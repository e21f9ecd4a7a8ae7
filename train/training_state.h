// What changes while a net is trained, and its way into a checkpoint and back.
#pragma once

#include <torch/nn/module.h>
#include <torch/optim/adam.h>

#include <vector>

#include "train/checkpoint.h"

namespace ifd::train {

// The numbers of a net: parameters, then buffers such as the running means of a batch norm.
std::vector<torch::Tensor> numbers_of(const torch::nn::Module& module);
std::vector<torch::Tensor> copy_of(const torch::nn::Module& module);
void restore(torch::nn::Module& module, const std::vector<torch::Tensor>& copies);

Checkpoint checkpoint_of(const torch::nn::Module& module, const torch::optim::Adam& adam,
                         const std::vector<torch::Tensor>& best, const TrainingSummary& summary);

// Sets the module and Adam, which must be as new, and returns the best weights. Error(kConflict)
// where the checkpoint is of a net of another shape; Error(kCorruptFile) where it has tensors that
// no net has, or best weights that are not those of now although the last epoch is the best.
std::vector<torch::Tensor> restore(torch::nn::Module& module, torch::optim::Adam& adam,
                                   const Checkpoint& checkpoint);

}  // namespace ifd::train
