// The products of the deciding runtime, on the best instruction set that the machine has.
//
// Weights lie in panels of kPanelLanes outputs: a line with their biases, then a line an input.
// Rows of activations start on a cache line and are padded with zeros to a multiple of kWidthStep.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ifd {

inline constexpr std::size_t kPanelLanes = 16;
// The widest tile writes two vectors of 16 outputs.
inline constexpr std::size_t kWidthStep = 32;

// Words in which relu_layer notes the inputs of a row that are not zero.
constexpr std::size_t note_words(std::size_t width) { return (width + 63) / 64; }

// to = ReLU(weights from + bias), `rows` rows of `outputs` numbers (a multiple of kWidthStep).
//
// Every output has one accumulator that starts at the bias and runs over the inputs in order. Where
// many inputs are zero, as they are after a ReLU, they are passed over: adding a weight times zero
// changes no bit, so that neither does the choice. `notes` holds rows * note_words(from_stride).
void relu_layer(const float* from, std::size_t from_stride, const float* panels, std::size_t inputs,
                std::size_t rows, float* to, std::size_t outputs, std::uint64_t* notes);

// outputs[row] = weights from + bias, `inputs` a multiple of kPanelLanes, by 16 partial sums that
// are added in one order whatever the vector's width.
void last_layer(const float* from, std::size_t inputs, const float* weights, float bias,
                std::size_t rows, float* outputs);

}  // namespace ifd
