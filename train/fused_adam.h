// Adam in one pass over each parameter.
#pragma once

#include <torch/optim/adam.h>

namespace ifd::train {

// torch::optim::Adam with the same state, so that what keeps or restores that state works on this
// too. LibTorch makes some ten passes over memory per step, which for small networks is a tenth of
// the training; here there is one, on one thread. Options other than the learning rate, betas and
// epsilon, and parameters that are not contiguous floats, are left to LibTorch.
class FusedAdam final : public torch::optim::Adam {
 public:
  using Adam::Adam;

  torch::Tensor step(LossClosure closure = nullptr) override;
  // Forgets the gradients: the next backward pass then need not add to zeros.
  void zero_grad();

 private:
  bool can_fuse() const;
};

}  // namespace ifd::train
