#include "train/layer_norm.h"

#include <torch/csrc/autograd/custom_function.h>

namespace ifd::train {
namespace {

class LayerNormFunction final : public torch::autograd::Function<LayerNormFunction> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& x,
                               const torch::Tensor& weight, const torch::Tensor& bias,
                               double epsilon) {
    const auto [y, mean, scale] = at::native_layer_norm(x, weight.sizes(), weight, bias, epsilon);
    context->save_for_backward({x, weight, bias, mean, scale});
    return y;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    const auto &x = saved[0], &weight = saved[1], &bias = saved[2];
    const auto &mean = saved[3], &scale = saved[4];
    const auto gradient = gradients[0].contiguous();
    const auto of_x = std::get<0>(at::native_layer_norm_backward(
        gradient, x, weight.sizes(), mean, scale, weight, bias, {true, false, false}));
    const auto normalised = (x - mean) * scale;
    return {of_x, (gradient * normalised).sum(0), gradient.sum(0), torch::Tensor()};
  }
};

}  // namespace

torch::Tensor layer_norm(const torch::Tensor& x, const torch::Tensor& weight,
                         const torch::Tensor& bias, double epsilon) {
  const auto rows = x.reshape({-1, x.size(-1)}).contiguous();
  return LayerNormFunction::apply(rows, weight, bias, epsilon).view(x.sizes());
}

}  // namespace ifd::train
