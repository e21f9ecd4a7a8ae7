#include "ifd/rejector/mlp.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "ifd/error.h"
#include "ifd/fnv_hash.h"
#include "ifd/rejector/bf16.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ifd/rejector/mlp.cc"
#include <hwy/foreach_target.h>
// Highway compiles what follows once for every instruction set.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ifd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The layout does not depend on the instruction set: panels of 16 outputs, one line an input.
constexpr std::size_t kPanelLanes = 16;
using Lanes = hn::CappedTag<float, kPanelLanes>;
using Vector = hn::Vec<Lanes>;
constexpr std::size_t kLanes = hn::MaxLanes(Lanes());

// Two vectors of outputs for as many rows as the registers hold keep both multipliers busy: 16
// registers hold 6 rows, 32 hold 12.
constexpr std::size_t kTileRows = HWY_TARGET <= HWY_AVX3 ? 12 : 6;
constexpr std::size_t kTileVectors = 2;
// One or two rows need more vectors each, to cover the latency of the additions.
constexpr std::size_t vectors_for(std::size_t rows) {
  return rows == 1 ? 8 : rows == 2 ? 4 : kTileVectors;
}

// Rows of activations with their distance in floats.
struct Rows {
  const float* from;
  std::size_t from_stride;
  float* to;
  std::size_t to_stride;
};

struct Panels {
  const float* start;
  std::size_t inputs;
  std::size_t floats() const { return (inputs + 1) * kPanelLanes; }  // of one panel: bias, weights
};

// The v-th vector of a line that goes on in the same line of the next panels.
HWY_INLINE Vector load_weights(const float* line, std::size_t panel_floats, std::size_t v) {
  const std::size_t lane = v * kLanes;
  return hn::Load(Lanes(), line + lane / kPanelLanes * panel_floats + lane % kPanelLanes);
}

// ReLU(weights x + bias) for kRows rows and kVectors vectors of outputs from `first` on.
template <std::size_t kRows, std::size_t kVectors>
HWY_INLINE void dense_tile(const Rows& rows, const Panels& panels, std::size_t first) {
  const Lanes d;
  const std::size_t panel_floats = panels.floats();
  const float* HWY_RESTRICT weights =
      panels.start + first / kPanelLanes * panel_floats + first % kPanelLanes;
  const float* HWY_RESTRICT from = rows.from;
  const std::size_t stride = rows.from_stride;
  Vector sum[kVectors][kRows];
  Vector weight[kVectors];
#pragma GCC unroll 16
  for (std::size_t v = 0; v < kVectors; ++v) {
    weight[v] = load_weights(weights, panel_floats, v);
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kRows; ++r) sum[v][r] = weight[v];
  }
  for (std::size_t k = 0; k < panels.inputs; ++k) {
    weights += kPanelLanes;
#pragma GCC unroll 16
    for (std::size_t v = 0; v < kVectors; ++v) {
      weight[v] = load_weights(weights, panel_floats, v);
    }
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kRows; ++r) {
      const Vector input = hn::Set(d, from[r * stride + k]);
#pragma GCC unroll 16
      for (std::size_t v = 0; v < kVectors; ++v) {
        sum[v][r] = hn::MulAdd(input, weight[v], sum[v][r]);
      }
    }
  }
#pragma GCC unroll 16
  for (std::size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
    for (std::size_t v = 0; v < kVectors; ++v) {
      hn::Store(hn::Max(sum[v][r], hn::Zero(d)), d,
                rows.to + r * rows.to_stride + first + v * kLanes);
    }
  }
}

// All outputs of kRows rows, fewer than a tile has.
template <std::size_t kRows>
HWY_NOINLINE void dense_few(const Rows& rows, const Panels& panels, std::size_t outputs) {
  constexpr std::size_t kVectors = vectors_for(kRows);
  std::size_t first = 0;
  for (; first + kVectors * kLanes <= outputs; first += kVectors * kLanes) {
    dense_tile<kRows, kVectors>(rows, panels, first);
  }
  for (; first < outputs; first += kTileVectors * kLanes) {
    dense_tile<kRows, kTileVectors>(rows, panels, first);
  }
}

template <std::size_t kRows = kTileRows - 1>
void dense_rest(std::size_t count, const Rows& rows, const Panels& panels, std::size_t outputs) {
  if constexpr (kRows > 0) {
    if (count == kRows) {
      dense_few<kRows>(rows, panels, outputs);
    } else {
      dense_rest<kRows - 1>(count, rows, panels, outputs);
    }
  }
}

// Panel by panel, so that a panel stays in the first cache while all rows pass.
void dense_layer(const float* from, std::size_t from_stride, const float* panels,
                 std::size_t inputs, std::size_t rows, float* to, std::size_t outputs) {
  const Panels all{panels, inputs};
  const std::size_t tiled = rows / kTileRows * kTileRows;
  if (tiled > 0) {
    for (std::size_t first = 0; first < outputs; first += kTileVectors * kLanes) {
      for (std::size_t row = 0; row < tiled; row += kTileRows) {
        dense_tile<kTileRows, kTileVectors>(
            {from + row * from_stride, from_stride, to + row * outputs, outputs}, all, first);
      }
    }
  }
  dense_rest(rows - tiled, {from + tiled * from_stride, from_stride, to + tiled * outputs, outputs},
             all, outputs);
}

// weights x + bias by 16 partial sums, added in one order whatever the vector's width.
void last_layer(const float* HWY_RESTRICT from, std::size_t inputs,
                const float* HWY_RESTRICT weights, float bias, std::size_t rows,
                float* HWY_RESTRICT outputs) {
  const Lanes d;
  constexpr std::size_t kVectors = kPanelLanes / kLanes;
  HWY_ALIGN float parts[kPanelLanes];
  for (std::size_t row = 0; row < rows; ++row) {
    Vector sum[kVectors];
#pragma GCC unroll 16
    for (std::size_t v = 0; v < kVectors; ++v) sum[v] = hn::Zero(d);
    for (std::size_t k = 0; k < inputs; k += kPanelLanes) {
#pragma GCC unroll 16
      for (std::size_t v = 0; v < kVectors; ++v) {
        sum[v] = hn::MulAdd(hn::Load(d, from + row * inputs + k + v * kLanes),
                            hn::Load(d, weights + k + v * kLanes), sum[v]);
      }
    }
#pragma GCC unroll 16
    for (std::size_t v = 0; v < kVectors; ++v) hn::Store(sum[v], d, parts + v * kLanes);
    for (std::size_t half = kPanelLanes / 2; half > 0; half /= 2) {
      for (std::size_t i = 0; i < half; ++i) parts[i] += parts[i + half];
    }
    outputs[row] = parts[0] + bias;
  }
}

}  // namespace ifd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ifd {

HWY_EXPORT(dense_layer);
HWY_EXPORT(last_layer);

namespace {

constexpr std::size_t kPanel = 16;
// Dense layers write whole tiles, so widths are padded to the widest (two vectors of 16). Padded
// outputs have zero weights and read as zero.
constexpr std::size_t kWidthStep = 32;
// So many rows pass all layers together: enough to pay for fetching the weights, few enough that
// their activations stay in the second cache. A multiple of every tile's rows.
constexpr std::size_t kBlockRows = 96;
static_assert(kBlockRows % kAmxRows == 0);

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
    for (std::size_t first = 0; first < padded(layer.out); first += kPanel) {
      const std::size_t filled = std::min(kPanel, layer.out - std::min(layer.out, first));
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
  for (std::size_t first = 0; first < padded(last.in); first += kPanel) {
    Line& line = lines_.emplace_back();
    for (std::size_t i = 0; first + i < last.in && i < kPanel; ++i) {
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

void Mlp::run_dense(float*& from, float*& to, std::size_t& stride, std::size_t rows) const {
  const auto round = [&] {
    if (precision_ == Precision::kFloat) return;
    for (std::size_t i = 0; i < rows * stride; ++i) from[i] = rounded_to_bf16(from[i]);
  };
  round();
  const float* weights = lines_.data()->lane;
  for (std::size_t layer = 1; layer + 1 < widths_.size(); ++layer) {
    const std::size_t in = widths_[layer - 1];
    const std::size_t out = padded(widths_[layer]);
    HWY_DYNAMIC_DISPATCH(dense_layer)(from, stride, weights, in, rows, to, out);
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

void Mlp::run(std::span<const float> inputs, std::size_t rows, std::span<float> outputs,
              Workspace& workspace) const {
  assert(inputs.size() == rows * input_width() && outputs.size() == rows);
  const std::size_t widest = padded(*std::ranges::max_element(widths_));
  std::size_t block = std::min(rows, kBlockRows);
  if (precision_ == Precision::kAmx) block = (block + kAmxRows - 1) / kAmxRows * kAmxRows;
  const std::size_t lines = block * widest / kPanel;
  if (workspace.from_.size() < lines) {
    workspace.from_.resize(lines);
    workspace.to_.resize(lines);
  }
  for (std::size_t first = 0; first < rows; first += kBlockRows) {
    const std::size_t count = std::min(kBlockRows, rows - first);
    float* from = workspace.from_.data()->lane;
    float* to = workspace.to_.data()->lane;
    std::size_t stride = padded(input_width());
    for (std::size_t row = 0; row < count; ++row) {
      const auto input = inputs.subspan((first + row) * input_width(), input_width());
      std::fill(std::copy(input.begin(), input.end(), from + row * stride),
                from + (row + 1) * stride, 0.F);
    }
    if (precision_ == Precision::kAmx) {
      run_amx(from, to, stride, count, workspace);
    } else {
      run_dense(from, to, stride, count);
    }
    const float* weights = lines_[lines_.size() - stride / kPanel].lane;
    HWY_DYNAMIC_DISPATCH(last_layer)
    (from, stride, weights, last_bias_, count, outputs.data() + first);
  }
}

}  // namespace ifd
#endif  // HWY_ONCE
