#include "train/dense.h"

#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "train/threads.h"

namespace ifd::train {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::int64_t kBlock = 256;

torch::Tensor room_for(const torch::Tensor& x, const torch::Tensor& weight) {
  return torch::empty({x.size(0), weight.size(0)}, x.options());
}

// Parameters are a weight and a bias for every layer. `outputs` has room for what each layer gives,
// ReLU included; what finds no room there is forgotten.
void run_layers(const torch::Tensor& x, at::TensorList parameters, Inputs inputs,
                const std::vector<torch::Tensor>& outputs) {
  share_blocks(x.size(0), kBlock, [&](std::int64_t first, std::int64_t last) {
    auto rows = x.slice(0, first, last);
    if (inputs == Inputs::kThroughRelu) rows.relu_();
    for (std::size_t layer = 0; layer < outputs.size(); ++layer) {
      const auto &weight = parameters[2 * layer], &bias = parameters[2 * layer + 1];
      auto y =
          outputs[layer].defined() ? outputs[layer].slice(0, first, last) : room_for(rows, weight);
      at::addmm_out(y, bias, rows, weight.t());
      if (layer + 1 < outputs.size()) y.relu_();
      rows = y;
    }
  });
}

// The outputs first..last of a layer, whose part of the parameters' gradients one thread sums.
struct Outputs {
  std::size_t layer;
  std::int64_t first, last;
};

std::vector<Outputs> blocks_of_outputs(at::TensorList gradients) {
  std::vector<Outputs> blocks;
  for (std::size_t layer = 0; layer < gradients.size(); ++layer) {
    const std::int64_t all = gradients[layer].size(1);
    for (std::int64_t first = 0; first < all; first += kBlock) {
      blocks.push_back({layer, first, std::min(all, first + kBlock)});
    }
  }
  return blocks;
}

class Dense final : public torch::autograd::Function<Dense> {
 public:
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& x,
                               at::TensorList parameters, Inputs inputs) {
    std::vector<torch::Tensor> outputs;
    for (std::size_t i = 0; i < parameters.size(); i += 2) {
      outputs.push_back(room_for(x, parameters[i]));
    }
    run_layers(x, parameters, inputs, outputs);
    auto y = outputs.back();
    variable_list saved = {x};  // what every layer reads, then the weights
    saved.insert(saved.end(), outputs.begin(), outputs.end() - 1);
    for (std::size_t i = 0; i < parameters.size(); i += 2) saved.push_back(parameters[i]);
    context->save_for_backward(std::move(saved));
    context->saved_data["of_x"] = x.requires_grad();
    context->saved_data["relu"] = inputs == Inputs::kThroughRelu;
    return y;
  }

  static variable_list backward(AutogradContext* context, const variable_list& given) {
    const auto saved = context->get_saved_variables();
    const std::size_t layers = saved.size() / 2;
    const at::TensorList read(saved.data(), layers), weights(saved.data() + layers, layers);
    const bool relu = context->saved_data["relu"].toBool();

    // Of what every layer gives, before ReLU; and of x.
    std::vector<torch::Tensor> gradients;
    for (std::size_t i = 0; i + 1 < layers; ++i)
      gradients.push_back(torch::empty_like(read[i + 1]));
    gradients.push_back(given[0].contiguous());
    const bool wanted = context->saved_data["of_x"].toBool();
    const auto of_x = wanted ? torch::empty_like(read[0]) : torch::Tensor();
    share_blocks(read[0].size(0), kBlock, [&](std::int64_t first, std::int64_t last) {
      for (std::size_t layer = layers; layer-- > (wanted ? 0 : 1);) {
        auto to = (layer > 0 ? gradients[layer - 1] : of_x).slice(0, first, last);
        at::mm_out(to, gradients[layer].slice(0, first, last), weights[layer]);
        if (layer > 0 || relu) {
          at::threshold_backward_out(to, to, read[layer].slice(0, first, last), 0);
        }
      }
    });

    variable_list made = {of_x};
    for (std::size_t i = 0; i < layers; ++i) {
      made.push_back(torch::empty_like(weights[i]));
      made.push_back(torch::empty({weights[i].size(0)}, weights[i].options()));
    }
    const auto blocks = blocks_of_outputs(gradients);
    share_tasks(static_cast<std::int64_t>(blocks.size()), [&](std::int64_t i) {
      const auto [layer, first, last] = blocks[static_cast<std::size_t>(i)];
      const auto gradient = gradients[layer].slice(1, first, last);
      auto of_weight = made[1 + 2 * layer].slice(0, first, last);
      at::mm_out(of_weight, gradient.t(), read[layer]);
      auto of_bias = made[2 + 2 * layer].slice(0, first, last);
      at::sum_out(of_bias, gradient, 0);
    });
    made.emplace_back();  // of `inputs`
    return made;
  }
};

}  // namespace

torch::Tensor dense(const torch::Tensor& x, const std::vector<DenseLayer>& layers, Inputs inputs) {
  std::vector<torch::Tensor> parameters;
  for (const DenseLayer& layer : layers) {
    parameters.push_back(layer.weight);
    parameters.push_back(layer.bias);
  }
  if (torch::GradMode::is_enabled()) return Dense::apply(x, at::TensorList(parameters), inputs);
  std::vector<torch::Tensor> outputs(layers.size());
  outputs.back() = room_for(x, layers.back().weight);
  run_layers(x, parameters, inputs, outputs);
  return outputs.back();
}

}  // namespace ifd::train
