// Networks and inputs by chance, and one call to run them.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "ifd/network/mlp.h"
#include "ifd/random/keyed_random.h"

namespace ifd {

// Weights of variance `gain` / inputs; 2 keeps activations alive under ReLU.
inline std::vector<Mlp::Layer> random_layers(const Key& key, const std::vector<std::size_t>& widths,
                                             double gain = 2) {
  std::vector<Mlp::Layer> layers;
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
    Mlp::Layer layer{widths[i], widths[i + 1], {}, {}};
    const double scale = std::sqrt(gain / static_cast<double>(layer.in));
    for (std::size_t w = 0; w < layer.in * layer.out; ++w) {
      layer.weights.push_back(static_cast<float>(key.with("weight").with(i).normal(w) * scale));
    }
    for (std::size_t b = 0; b < layer.out; ++b) {
      layer.bias.push_back(static_cast<float>(key.with("bias").with(i).normal(b) * .2));
    }
    layers.push_back(std::move(layer));
  }
  return layers;
}

inline std::vector<float> random_inputs(const Key& key, std::size_t count) {
  std::vector<float> inputs(count);
  for (std::size_t i = 0; i < count; ++i) {
    inputs[i] = static_cast<float>(key.with("input").normal(i));
  }
  return inputs;
}

inline std::vector<float> run(const Mlp& network, std::span<const float> inputs) {
  Mlp::Workspace workspace;
  std::vector<float> outputs(inputs.size() / network.input_width());
  network.run(inputs, outputs.size(), outputs, workspace);
  return outputs;
}

}  // namespace ifd
