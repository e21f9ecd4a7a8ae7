#include "ifd/network/layer_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ifd/network/layer_kernels.cc"
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

// Rows of activations with their distance in floats, and the inputs that some row needs.
struct Rows {
  const float* from;
  std::size_t from_stride;
  float* to;
  std::size_t to_stride;
  const std::uint32_t* listed;
  std::size_t listed_count;
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

// Lists the inputs that are not zero in some of `count` rows; gives how many these are. ReLU leaves
// about half of them, and mostly the same in rows of like cases.
std::size_t list_nonzero(const float* from, std::size_t stride, std::size_t count,
                         std::uint32_t* listed) {
  const hn::RebindToUnsigned<Lanes> d;
  const auto bits_at = [&](std::size_t place) {
    return hn::BitCast(d, hn::Load(Lanes(), from + place));
  };
  for (std::size_t k = 0; k < stride; k += kLanes) {
    auto bits = bits_at(k);
    for (std::size_t r = 1; r < count; ++r) bits = hn::Or(bits, bits_at(r * stride + k));
    hn::StoreU(hn::Add(bits, bits), d, listed + k);  // without the sign
  }
  std::size_t inputs = 0;
  for (std::size_t k = 0; k < stride; ++k) {
    const bool needed = listed[k] != 0;
    listed[inputs] = static_cast<std::uint32_t>(k);
    inputs += needed ? 1 : 0;
  }
  return inputs;
}

// ReLU(weights x + bias) for kRows rows and kVectors vectors of outputs from `first` on.
template <std::size_t kRows, std::size_t kVectors>
HWY_INLINE void run_tile(const Rows& rows, const Panels& panels, std::size_t first) {
  const Lanes d;
  const std::size_t panel_floats = panels.floats();
  const float* HWY_RESTRICT bias =
      panels.start + first / kPanelLanes * panel_floats + first % kPanelLanes;
  const float* HWY_RESTRICT weights = bias + kPanelLanes;
  // Every instruction counts where two threads share a core: a pointer a row, which the compiler
  // must not compute anew for every input.
  const float* from[kRows];
#pragma GCC unroll 16
  for (std::size_t r = 0; r < kRows; ++r) {
    from[r] = rows.from + r * rows.from_stride;
    asm("" : "+r"(from[r]));
  }
  Vector sum[kVectors][kRows];
  Vector weight[kVectors];
#pragma GCC unroll 16
  for (std::size_t v = 0; v < kVectors; ++v) {
    weight[v] = load_weights(bias, panel_floats, v);
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kRows; ++r) sum[v][r] = weight[v];
  }
  const std::uint32_t* const end = rows.listed + rows.listed_count;
#pragma GCC unroll 2
  for (const std::uint32_t* at = rows.listed; at != end; ++at) {
    const std::size_t k = *at;
#pragma GCC unroll 16
    for (std::size_t v = 0; v < kVectors; ++v) {
      weight[v] = load_weights(weights + k * kPanelLanes, panel_floats, v);
    }
#pragma GCC unroll 16
    for (std::size_t r = 0; r < kRows; ++r) {
      const Vector input = hn::Set(d, from[r][k]);
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
HWY_NOINLINE void run_few(const Rows& rows, const Panels& panels, std::size_t outputs) {
  constexpr std::size_t kVectors = vectors_for(kRows);
  std::size_t first = 0;
  for (; first + kVectors * kLanes <= outputs; first += kVectors * kLanes) {
    run_tile<kRows, kVectors>(rows, panels, first);
  }
  for (; first < outputs; first += kTileVectors * kLanes) {
    run_tile<kRows, kTileVectors>(rows, panels, first);
  }
}

template <std::size_t kRows = kTileRows - 1>
void run_rest(std::size_t count, const Rows& rows, const Panels& panels, std::size_t outputs) {
  if constexpr (kRows > 0) {
    if (count == kRows) {
      run_few<kRows>(rows, panels, outputs);
    } else {
      run_rest<kRows - 1>(count, rows, panels, outputs);
    }
  }
}

void relu_layer(const float* from, std::size_t from_stride, const float* panels, std::size_t inputs,
                std::size_t rows, float* to, std::size_t outputs, std::uint32_t* scratch) {
  const Panels weights{panels, inputs};
  std::uint32_t* counts = scratch;
  std::uint32_t* lists = scratch + tiles_of(rows);
  const auto rows_of = [&](std::size_t tile) {
    const std::size_t row = tile * kTileRows;
    return Rows{from + row * from_stride,   from_stride, to + row * outputs, outputs,
                lists + tile * from_stride, counts[tile]};
  };
  const std::size_t tiles = rows / kTileRows;
  const std::size_t rest = rows % kTileRows;
  for (std::size_t tile = 0; tile < tiles + (rest > 0 ? 1 : 0); ++tile) {
    counts[tile] = static_cast<std::uint32_t>(
        list_nonzero(from + tile * kTileRows * from_stride, from_stride,
                     tile < tiles ? kTileRows : rest, lists + tile * from_stride));
  }
  // Panel by panel, so that a panel stays in the first cache while all rows pass.
  if (tiles > 0) {
    for (std::size_t first = 0; first < outputs; first += kTileVectors * kLanes) {
      for (std::size_t tile = 0; tile < tiles; ++tile) {
        run_tile<kTileRows, kTileVectors>(rows_of(tile), weights, first);
      }
    }
  }
  if (rest > 0) run_rest(rest, rows_of(tiles), weights, outputs);
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
                std::size_t rows, float* to, std::size_t outputs, std::uint32_t* scratch) {
  HWY_DYNAMIC_DISPATCH(relu_layer)(from, from_stride, panels, inputs, rows, to, outputs, scratch);
}

void last_layer(const float* from, std::size_t inputs, const float* weights, float bias,
                std::size_t rows, float* outputs) {
  HWY_DYNAMIC_DISPATCH(last_layer)(from, inputs, weights, bias, rows, outputs);
}

}  // namespace ifd
#endif  // HWY_ONCE
