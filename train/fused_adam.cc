#include "train/fused_adam.h"

#include <cmath>

namespace ifd::train {
namespace {

using torch::optim::AdamOptions;
using torch::optim::AdamParamState;

struct Numbers {
  float* parameter;
  const float* gradient;
  float* mean;      // of the gradients
  float* variance;  // mean of their squares
  std::int64_t count;
};

struct Factors {
  float beta1, beta2;
  float root_correction2;  // sqrt(1 - beta2^t)
  float epsilon;
  float step_size;  // lr / (1 - beta1^t)
};

// Products are not fused into sums, so every clone gives the same bits.
__attribute__((target_clones("arch=haswell", "default"))) void update(const Numbers& numbers,
                                                                      const Factors& factors) {
  float* __restrict parameter = numbers.parameter;
  const float* __restrict gradient = numbers.gradient;
  float* __restrict mean = numbers.mean;
  float* __restrict variance = numbers.variance;
  const Factors f = factors;
  for (std::int64_t i = 0; i < numbers.count; ++i) {
    mean[i] = mean[i] * f.beta1 + gradient[i] * (1 - f.beta1);
    variance[i] = variance[i] * f.beta2 + gradient[i] * gradient[i] * (1 - f.beta2);
    const float scale = std::sqrt(variance[i]) / f.root_correction2 + f.epsilon;
    parameter[i] -= f.step_size * mean[i] / scale;
  }
}

bool plain(const torch::Tensor& tensor) {
  return tensor.scalar_type() == torch::kFloat32 && tensor.is_contiguous() &&
         tensor.device().is_cpu() && !tensor.is_sparse();
}

}  // namespace

bool FusedAdam::can_fuse() const {
  for (const auto& group : param_groups()) {
    const auto& options = static_cast<const AdamOptions&>(group.options());
    if (options.weight_decay() != 0 || options.amsgrad()) return false;
    for (const auto& parameter : group.params()) {
      if (parameter.grad().defined() && !(plain(parameter) && plain(parameter.grad()))) {
        return false;
      }
    }
  }
  return true;
}

torch::Tensor FusedAdam::step(LossClosure closure) {
  if (closure || !can_fuse()) return Adam::step(closure);
  const torch::NoGradGuard guard;
  for (auto& group : param_groups()) {
    const auto& options = static_cast<const AdamOptions&>(group.options());
    const auto [beta1, beta2] = options.betas();
    for (auto& parameter : group.params()) {
      if (!parameter.grad().defined()) continue;
      auto& kept = state_[c10::guts::to_string(parameter.unsafeGetTensorImpl())];
      if (!kept) {
        auto fresh = std::make_unique<AdamParamState>();
        fresh->exp_avg(torch::zeros_like(parameter));
        fresh->exp_avg_sq(torch::zeros_like(parameter));
        kept = std::move(fresh);
      }
      auto& state = static_cast<AdamParamState&>(*kept);
      state.step(state.step() + 1);
      const auto t = static_cast<double>(state.step());
      update(
          {parameter.data_ptr<float>(), parameter.grad().data_ptr<float>(),
           state.exp_avg().data_ptr<float>(), state.exp_avg_sq().data_ptr<float>(),
           parameter.numel()},
          {static_cast<float>(beta1), static_cast<float>(beta2),
           static_cast<float>(std::sqrt(1 - std::pow(beta2, t))), static_cast<float>(options.eps()),
           static_cast<float>(options.lr() / (1 - std::pow(beta1, t)))});
    }
  }
  return {};
}

void FusedAdam::zero_grad() {
  for (auto& group : param_groups()) {
    for (auto& parameter : group.params()) parameter.mutable_grad().reset();
  }
}

}  // namespace ifd::train
