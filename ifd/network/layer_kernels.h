// The products of the deciding runtime, on the best instruction set that the machine has.
//
// Weights lie in panels of kPanelLanes outputs: a line with their biases, then a line per input.
// Rows of activations start on a cache line and are padded with zeros to a multiple of kWidthStep.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ifd {

inline constexpr std::size_t kPanelLanes = 16;
// The widest tile writes two vectors of 16 outputs.
inline constexpr std::size_t kWidthStep = 32;

// Numbers that relu_layer writes beside its outputs; no tile has fewer than 6 rows but the last.
constexpr std::size_t tiles_of(std::size_t rows) { return (rows + 5) / 6; }
constexpr std::size_t relu_layer_scratch(std::size_t rows, std::size_t from_stride) {
  return tiles_of(rows) * (from_stride + 1);
}

// to = ReLU(weights from + bias), `rows` rows of `outputs` numbers (a multiple of kWidthStep).
//
// Every output has one accumulator that starts at the bias and runs over the inputs in order.
// Inputs that are zero in all rows of a tile are passed over: adding a weight times zero changes no
// bit, so that it does not matter which rows are there.
void relu_layer(const float* from, std::size_t from_stride, const float* panels, std::size_t inputs,
                std::size_t rows, float* to, std::size_t outputs, std::uint32_t* scratch);

// outputs[row] = weights from + bias, `inputs` a multiple of kPanelLanes, by 16 partial sums that
// are added in one order whatever the vector's width.
void last_layer(const float* from, std::size_t inputs, const float* weights, float bias,
                std::size_t rows, float* outputs);

}  // namespace ifd
