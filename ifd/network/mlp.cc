#include "ifd/network/mlp.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "ifd/error.h"
#include "ifd/fnv_hash.h"
#include "ifd/network/bf16.h"
#include "ifd/network/layer_kernels.h"

namespace ifd {
namespace {

// So many rows pass all layers together: enough to pay for fetching the weights, few enough that
// their activations stay in the second cache. A multiple of every tile's rows.
constexpr std::size_t kBlockRows = 96;
static_assert(kBlockRows % kAmxRows == 0);

// Padded outputs have zero weights and read as zero.
constexpr std::size_t padded(std::size_t width) {
  return (width + kWidthStep - 1) / kWidthStep * kWidthStep;
}

void check(std::span<const Mlp::Layer> layers) {
  if (layers.empty()) throw bad_input("network: no layers; expected at least one");
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Mlp::Layer& layer = layers[i];
    if (layer.in == 0 || layer.out == 0 || layer.weights.size() / layer.out != layer.in ||
        layer.weights.size() % layer.out != 0 || layer.bias.size() != layer.out) {
      throw bad_input(fmt::format(
          "network: layer {} has {} weights and {} biases; expected {} x {} and {}, none of them 0",
          i, layer.weights.size(), layer.bias.size(), layer.out, layer.in, layer.out));
    }
    if (i > 0 && layer.in != layers[i - 1].out) {
      throw bad_input(fmt::format("network: layer {} reads {} numbers; expected the {} of layer {}",
                                  i, layer.in, layers[i - 1].out, i - 1));
    }
    const auto finite = [](float value) { return std::isfinite(value); };
    if (!std::ranges::all_of(layer.weights, finite) || !std::ranges::all_of(layer.bias, finite)) {
      throw bad_input(fmt::format("network: layer {} has a weight that is not finite", i));
    }
  }
  if (layers.back().out != 1) {
    throw bad_input(
        fmt::format("network: the last layer has {} outputs; expected 1", layers.back().out));
  }
}

}  // namespace

Mlp::Mlp(std::span<const Layer> layers, Precision precision) : precision_(precision) {
  check(layers);
  assert(precision != Precision::kAmx || amx_is_there());
  const auto kept = [precision](float weight) {
    return precision == Precision::kFloat ? weight : rounded_to_bf16(weight);
  };
  for (const Layer& layer : layers) widths_.push_back(layer.in);
  widths_.push_back(1);
  for (const Layer& layer : layers.first(layers.size() - 1)) {
    if (precision == Precision::kAmx) {
      amx_layers_.push_back(amx_layer(layer.in, layer.out, layer.weights, layer.bias));
    }
    for (std::size_t first = 0; first < padded(layer.out); first += kPanelLanes) {
      const std::size_t filled = std::min(kPanelLanes, layer.out - std::min(layer.out, first));
      Line& bias = lines_.emplace_back();
      std::copy_n(layer.bias.begin() + static_cast<std::ptrdiff_t>(std::min(layer.out, first)),
                  filled, bias.lane);
      for (std::size_t k = 0; k < layer.in; ++k) {
        Line& line = lines_.emplace_back();
        for (std::size_t i = 0; i < filled; ++i) {
          line.lane[i] = kept(layer.weights[(first + i) * layer.in + k]);
        }
      }
    }
  }
  const Layer& last = layers.back();
  for (std::size_t first = 0; first < padded(last.in); first += kPanelLanes) {
    Line& line = lines_.emplace_back();
    for (std::size_t i = 0; first + i < last.in && i < kPanelLanes; ++i) {
      line.lane[i] = kept(last.weights[first + i]);
    }
  }
  last_bias_ = last.bias.front();
}

std::uint64_t Mlp::architecture_hash() const {
  FnvHash hash;
  for (const std::size_t width : widths_) hash.add(std::uint64_t{width});
  return hash.value();
}

void Mlp::run_dense(float*& from, float*& to, std::size_t& stride, std::size_t rows,
                    std::uint32_t* scratch) const {
  const auto round = [&] {
    if (precision_ == Precision::kFloat) return;
    for (std::size_t i = 0; i < rows * stride; ++i) from[i] = rounded_to_bf16(from[i]);
  };
  round();
  const float* weights = lines_.data()->lane;
  for (std::size_t layer = 1; layer + 1 < widths_.size(); ++layer) {
    const std::size_t in = widths_[layer - 1];
    const std::size_t out = padded(widths_[layer]);
    relu_layer(from, stride, weights, in, rows, to, out, scratch);
    weights += out * (in + 1);
    std::swap(from, to);
    stride = out;
    round();
  }
}

// Leaves the last activations in `from`. Rows beyond those given are zeros, and nobody reads what
// comes of them.
void Mlp::run_amx(float* from, float* sums, std::size_t& stride, std::size_t rows,
                  Workspace& workspace) const {
  const std::size_t whole = (rows + kAmxRows - 1) / kAmxRows * kAmxRows;
  const std::size_t widest = padded(*std::ranges::max_element(widths_));
  workspace.amx_from_.assign(whole * widest, 0);
  workspace.amx_to_.resize(whole * widest);
  std::transform(from, from + rows * stride, workspace.amx_from_.begin(), to_bf16);
  for (const AmxLayer& layer : amx_layers_) {
    run_amx_layer(layer, workspace.amx_from_.data(), whole, workspace.amx_to_.data(), sums);
    std::swap(workspace.amx_from_, workspace.amx_to_);
    stride = layer.out;
  }
  std::transform(workspace.amx_from_.begin(),
                 workspace.amx_from_.begin() + static_cast<std::ptrdiff_t>(rows * stride), from,
                 from_bf16);
}

// Rows whose inputs lie on the same side of the mean have more of their zeros in common, so they go
// side by side. Which rows share a tile changes no bit.
void Mlp::order_rows(std::span<const float> inputs, std::size_t rows, Workspace& workspace) const {
  const std::size_t width = input_width();
  const std::size_t told = std::min<std::size_t>(width, 16);
  workspace.means_.assign(told, 0.0F);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < told; ++i) workspace.means_[i] += inputs[row * width + i];
  }
  for (float& mean : workspace.means_) mean /= static_cast<float>(rows);
  workspace.order_.resize(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    std::uint64_t sides = 0;
    for (std::size_t i = 0; i < told; ++i) {
      sides = 2 * sides + (inputs[row * width + i] > workspace.means_[i] ? 1 : 0);
    }
    workspace.order_[row] = sides << 48 | row;
  }
  std::ranges::sort(workspace.order_);
  for (std::uint64_t& row : workspace.order_) row &= (std::uint64_t{1} << 48) - 1;
}

void Mlp::run(std::span<const float> inputs, std::size_t rows, std::span<float> outputs,
              Workspace& workspace) const {
  assert(inputs.size() == rows * input_width() && outputs.size() == rows);
  const std::size_t widest = padded(*std::ranges::max_element(widths_));
  std::size_t block = std::min(rows, kBlockRows);
  if (precision_ == Precision::kAmx) block = (block + kAmxRows - 1) / kAmxRows * kAmxRows;
  const std::size_t lines = block * widest / kPanelLanes;
  if (workspace.from_.size() < lines) {
    workspace.from_.resize(lines);
    workspace.to_.resize(lines);
  }
  const std::size_t scratch = relu_layer_scratch(block, widest);
  if (workspace.scratch_.size() < scratch) workspace.scratch_.resize(scratch);
  order_rows(inputs, rows, workspace);
  workspace.outputs_.resize(block);
  for (std::size_t first = 0; first < rows; first += kBlockRows) {
    const std::size_t count = std::min(kBlockRows, rows - first);
    float* from = workspace.from_.data()->lane;
    float* to = workspace.to_.data()->lane;
    std::size_t stride = padded(input_width());
    for (std::size_t row = 0; row < count; ++row) {
      const auto input =
          inputs.subspan(workspace.order_[first + row] * input_width(), input_width());
      std::fill(std::copy(input.begin(), input.end(), from + row * stride),
                from + (row + 1) * stride, 0.F);
    }
    if (precision_ == Precision::kAmx) {
      run_amx(from, to, stride, count, workspace);
    } else {
      run_dense(from, to, stride, count, workspace.scratch_.data());
    }
    const float* weights = lines_[lines_.size() - stride / kPanelLanes].lane;
    last_layer(from, stride, weights, last_bias_, count, workspace.outputs_.data());
    for (std::size_t row = 0; row < count; ++row) {
      outputs[workspace.order_[first + row]] = workspace.outputs_[row];
    }
  }
}

}  // namespace ifd
