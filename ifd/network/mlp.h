// The whole network of the deciding runtime: dense layers in float, ReLU between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ifd/network/amx.h"
#include "ifd/network/precision.h"

namespace ifd {

// A multi-layer perceptron with one output. Immutable and thread-safe.
//
// A row's result is the same to the last bit whatever the batch size and the rows around it: every
// output has one accumulator that starts at the bias and runs over the inputs in order, in tiles of
// any height, and inputs that are zero may be passed over. Instruction sets with and without fused
// multiply-add differ in the last bits.
class Mlp {
 public:
  // y = weights x + bias, weights row by row (out x in).
  struct Layer {
    std::size_t in;
    std::size_t out;
    std::vector<float> weights;
    std::vector<float> bias;
  };

 private:
  // One cache line: for a dense layer, what one input sends to a panel of 16 outputs.
  struct alignas(64) Line {
    float lane[16] = {};
  };

 public:
  // Memory for the activations of a block of rows; grows to what it needs and stays there. One
  // per thread.
  class Workspace {
    friend class Mlp;
    std::vector<Line> from_;
    std::vector<Line> to_;
    std::vector<float> outputs_;
    std::vector<float> means_;
    std::vector<std::uint64_t> order_;
    std::vector<std::uint32_t> scratch_;
    std::vector<std::uint16_t> amx_from_;
    std::vector<std::uint16_t> amx_to_;
  };

  // Error(kBadInput) unless the layers chain, the last has one output, and every number is finite.
  explicit Mlp(std::span<const Layer> layers, Precision precision = Precision::kFloat);

  Precision precision() const { return precision_; }
  std::size_t input_width() const { return widths_.front(); }
  std::size_t output_width() const { return 1; }
  // Input, hidden and output widths.
  std::span<const std::size_t> widths() const { return widths_; }
  // FNV-1a over the widths.
  std::uint64_t architecture_hash() const;

  // outputs[i] = the network at row i of inputs (rows x input_width()).
  void run(std::span<const float> inputs, std::size_t rows, std::span<float> outputs,
           Workspace& workspace) const;

 private:
  void order_rows(std::span<const float> inputs, std::size_t rows, Workspace& workspace) const;
  void run_dense(float*& from, float*& to, std::size_t& stride, std::size_t rows,
                 std::uint32_t* scratch) const;
  void run_amx(float* from, float* sums, std::size_t& stride, std::size_t rows,
               Workspace& workspace) const;

  Precision precision_;
  std::vector<std::size_t> widths_;
  std::vector<Line> lines_;  // the dense layers' panels, then the last layer's weights
  float last_bias_;
  std::vector<AmxLayer> amx_layers_;  // the dense layers again, under kAmx
};

}  // namespace ifd
