// The rejector of the benchmarks: six linear layers, width 256, with states to feed it.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "ifd/network/mlp.h"
#include "ifd/random/keyed_random.h"

namespace ifd::benchmark {

// 6 -> 256 x 5 -> 1, weights uniform with the variance that keeps activations alive under ReLU.
inline std::vector<Mlp::Layer> generated_layers() {
  constexpr std::size_t kWidths[] = {6, 256, 256, 256, 256, 256, 1};
  std::vector<Mlp::Layer> layers;
  for (std::size_t i = 0; i + 1 < std::size(kWidths); ++i) {
    Mlp::Layer layer{kWidths[i], kWidths[i + 1], {}, {}};
    const Key key = Key(31).with(i);
    const double bound = std::sqrt(6 / static_cast<double>(layer.in));
    for (std::size_t w = 0; w < layer.in * layer.out; ++w) {
      layer.weights.push_back(static_cast<float>(bound * (2 * key.uniform(w) - 1)));
    }
    for (std::size_t o = 0; o < layer.out; ++o) {
      layer.bias.push_back(static_cast<float>(0.1 * (2 * key.with("bias").uniform(o) - 1)));
    }
    layers.push_back(std::move(layer));
  }
  return layers;
}

// Multiplications and additions of one row.
inline double operations_of(const std::vector<Mlp::Layer>& layers) {
  double sum = 0;
  for (const Mlp::Layer& layer : layers) sum += 2 * static_cast<double>(layer.weights.size());
  return sum;
}

// rows x 6 numbers in 0..1.
inline std::vector<float> generated_inputs(std::size_t rows) {
  std::vector<float> inputs(6 * rows);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    inputs[i] = static_cast<float>(Key(37).uniform(i));
  }
  return inputs;
}

}  // namespace ifd::benchmark
