// Dense layers in bf16 on the tile registers of AMX.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ifd {

// Whether the processor has AMX with bf16 and the kernel lets this process use it. Asks the kernel
// once.
bool amx_is_there();
// Error(kUsage) where it is not.
void require_amx();

// Weights rounded to bf16, as the tiles read them. Widths are padded with zeros to multiples of 32.
struct AmxLayer {
  std::size_t in = 0;
  std::size_t out = 0;
  std::vector<std::uint16_t> tiles;  // by 16 outputs and 32 inputs
  std::vector<float> bias;
};

// weights out x in, row by row.
AmxLayer amx_layer(std::size_t in, std::size_t out, std::span<const float> weights,
                   std::span<const float> bias);

inline constexpr std::size_t kAmxRows = 32;  // rows come in multiples of this

// to = bf16(ReLU(weights from + bias)), accumulated in float. `from` is rows x layer.in, `to` rows
// x layer.out, `sums` room for rows x layer.out floats. Only where amx_is_there().
void run_amx_layer(const AmxLayer& layer, const std::uint16_t* from, std::size_t rows,
                   std::uint16_t* to, float* sums);

}  // namespace ifd
