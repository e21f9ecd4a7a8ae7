#include "ifd/rejector/layer_kernels.h"

#include <bit>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ifd/rejector/layer_kernels.cc"
#include <hwy/foreach_target.h>
// Highway compiles what follows once for every instruction set.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ifd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The layout does not depend on the instruction set.
using Lanes = hn::CappedTag<float, kPanelLanes>;
using Vector = hn::Vec<Lanes>;
constexpr std::size_t kLanes = hn::MaxLanes(Lanes());

// Two vectors of outputs for as many rows as the registers hold keep both multipliers busy: 16
// registers hold 6 rows, 32 hold 12.
constexpr std::size_t kTileRows = HWY_TARGET <= HWY_AVX3 ? 12 : 6;
constexpr std::size_t kTileVectors = 2;
// One or two rows need more vectors each, to cover the latency of the additions.
constexpr std::size_t kRowVectors = 8;
constexpr std::size_t vectors_for(std::size_t rows) {
  return rows == 1 ? kRowVectors : rows == 2 ? 4 : kTileVectors;
}

// A row by itself cannot share the loads of weights with others, which costs as much as so many
// zeros save.
constexpr double kDenseFrom = 0.7;

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
void dense_layer(const Rows& all, std::size_t rows, const Panels& panels, std::size_t outputs) {
  const auto rows_from = [&](std::size_t row) {
    return Rows{all.from + row * all.from_stride, all.from_stride, all.to + row * all.to_stride,
                all.to_stride};
  };
  const std::size_t tiled = rows / kTileRows * kTileRows;
  if (tiled > 0) {
    for (std::size_t first = 0; first < outputs; first += kTileVectors * kLanes) {
      for (std::size_t row = 0; row < tiled; row += kTileRows) {
        dense_tile<kTileRows, kTileVectors>(rows_from(row), panels, first);
      }
    }
  }
  dense_rest(rows - tiled, rows_from(tiled), panels, outputs);
}

// Notes one bit an input that is not zero, 64 inputs a word; gives how many there are.
std::size_t note_nonzero(const float* from, std::size_t stride, std::size_t rows,
                         std::uint64_t* notes) {
  const Lanes d;
  std::size_t nonzero = 0;
  for (std::size_t row = 0; row < rows; ++row, from += stride) {
    for (std::size_t start = 0; start < stride; start += 64) {
      std::uint64_t word = 0;
      for (std::size_t i = 0; i < 64 && start + i < stride; i += kLanes) {
        std::uint8_t bytes[8] = {};
        hn::StoreMaskBits(d, hn::Ne(hn::Load(d, from + start + i), hn::Zero(d)), bytes);
        std::uint64_t bits;
        std::memcpy(&bits, bytes, sizeof bits);
        word |= bits << i;
      }
      nonzero += static_cast<std::size_t>(std::popcount(word));
      *notes++ = word;
    }
  }
  return nonzero;
}

// kVectors vectors of outputs from `first` on, row by row, without the inputs that are zero. 64
// inputs at a time, so that their weights stay in the first cache while all rows pass; sums wait in
// the outputs between the passes.
template <std::size_t kVectors>
HWY_INLINE void sparse_tile(const Rows& all, std::size_t rows, const Panels& panels,
                            std::size_t first, const std::uint64_t* notes) {
  const Lanes d;
  const std::size_t words = note_words(all.from_stride);
  const std::size_t panel_floats = panels.floats();
  const float* bias = panels.start + first / kPanelLanes * panel_floats + first % kPanelLanes;
  for (std::size_t word = 0; word < words; ++word) {
    const float* HWY_RESTRICT weights = bias + (1 + 64 * word) * kPanelLanes;
    for (std::size_t row = 0; row < rows; ++row) {
      const float* HWY_RESTRICT from = all.from + row * all.from_stride + 64 * word;
      float* HWY_RESTRICT to = all.to + row * all.to_stride + first;
      Vector sum[kVectors];
#pragma GCC unroll 16
      for (std::size_t v = 0; v < kVectors; ++v) {
        sum[v] = word == 0 ? load_weights(bias, panel_floats, v) : hn::Load(d, to + v * kLanes);
      }
      for (std::uint64_t left = notes[row * words + word]; left != 0; left &= left - 1) {
        const auto k = static_cast<std::size_t>(std::countr_zero(left));
        const Vector input = hn::Set(d, from[k]);
#pragma GCC unroll 16
        for (std::size_t v = 0; v < kVectors; ++v) {
          const Vector weight = load_weights(weights + k * kPanelLanes, panel_floats, v);
          sum[v] = hn::MulAdd(input, weight, sum[v]);
        }
      }
      const bool done = word + 1 == words;
#pragma GCC unroll 16
      for (std::size_t v = 0; v < kVectors; ++v) {
        hn::Store(done ? hn::Max(sum[v], hn::Zero(d)) : sum[v], d, to + v * kLanes);
      }
    }
  }
}

void sparse_layer(const Rows& all, std::size_t rows, const Panels& panels, std::size_t outputs,
                  const std::uint64_t* notes) {
  std::size_t first = 0;
  for (; first + kRowVectors * kLanes <= outputs; first += kRowVectors * kLanes) {
    sparse_tile<kRowVectors>(all, rows, panels, first, notes);
  }
  for (; first < outputs; first += kTileVectors * kLanes) {
    sparse_tile<kTileVectors>(all, rows, panels, first, notes);
  }
}

void relu_layer(const float* from, std::size_t from_stride, const float* panels, std::size_t inputs,
                std::size_t rows, float* to, std::size_t outputs, std::uint64_t* notes) {
  const Rows all{from, from_stride, to, outputs};
  const Panels weights{panels, inputs};
  // A first layer reads a few numbers, hardly ever zero.
  if (inputs >= 64) {
    const std::size_t nonzero = note_nonzero(from, from_stride, rows, notes);
    if (static_cast<double>(nonzero) < kDenseFrom * static_cast<double>(rows * inputs)) {
      return sparse_layer(all, rows, weights, outputs, notes);
    }
  }
  dense_layer(all, rows, weights, outputs);
}

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

HWY_EXPORT(relu_layer);
HWY_EXPORT(last_layer);

void relu_layer(const float* from, std::size_t from_stride, const float* panels, std::size_t inputs,
                std::size_t rows, float* to, std::size_t outputs, std::uint64_t* notes) {
  HWY_DYNAMIC_DISPATCH(relu_layer)(from, from_stride, panels, inputs, rows, to, outputs, notes);
}

void last_layer(const float* from, std::size_t inputs, const float* weights, float bias,
                std::size_t rows, float* outputs) {
  HWY_DYNAMIC_DISPATCH(last_layer)(from, inputs, weights, bias, rows, outputs);
}

}  // namespace ifd
#endif  // HWY_ONCE
