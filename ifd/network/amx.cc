#include "ifd/network/amx.h"

#include <algorithm>
#include <cassert>

#include "ifd/error.h"
#include "ifd/network/bf16.h"

#if defined(__x86_64__) && defined(__linux__)
#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace ifd {
namespace {

constexpr std::size_t kTileOutputs = 16;
constexpr std::size_t kTileInputs = 32;
constexpr std::size_t kTileNumbers = kTileOutputs * kTileInputs;

constexpr std::size_t whole_tiles(std::size_t width) { return (width + 31) / 32 * 32; }

}  // namespace

// A tile has a line for every two inputs, and in it the pair of every output: what one step of
// TDPBF16PS multiplies.
AmxLayer amx_layer(std::size_t in, std::size_t out, std::span<const float> weights,
                   std::span<const float> bias) {
  assert(weights.size() == in * out && bias.size() == out);
  AmxLayer layer{whole_tiles(in), whole_tiles(out), {}, {bias.begin(), bias.end()}};
  layer.bias.resize(layer.out, 0.0F);
  layer.tiles.assign(layer.in * layer.out, 0);
  for (std::size_t o = 0; o < out; ++o) {
    for (std::size_t k = 0; k < in; ++k) {
      const std::size_t tile = o / kTileOutputs * (layer.in / kTileInputs) + k / kTileInputs;
      const std::size_t line = k % kTileInputs / 2;
      const std::size_t place = o % kTileOutputs * 2 + k % 2;
      layer.tiles[tile * kTileNumbers + line * 2 * kTileOutputs + place] =
          to_bf16(weights[o * in + k]);
    }
  }
  return layer;
}

void require_amx() {
  if (amx_is_there()) return;
  throw Error(ErrorKind::kUsage,
              "this processor has no AMX with bf16; expected one that has it, or bf16 in software");
}

#if defined(__x86_64__) && defined(__linux__)

bool amx_is_there() {
  static const bool there = [] {
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return false;
    constexpr unsigned kBf16 = 1U << 22, kTile = 1U << 24;
    if ((d & kBf16) == 0 || (d & kTile) == 0) return false;
    constexpr int kRequestPermission = 0x1023;  // ARCH_REQ_XCOMP_PERM
    constexpr int kTileData = 18;               // XFEATURE_XTILEDATA
    return ::syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
  }();
  return there;
}

// Four tiles of sums, 32 rows by 32 outputs, two tiles of rows and two of weights.
__attribute__((target("amx-tile,amx-bf16"))) void run_amx_layer(const AmxLayer& layer,
                                                                const std::uint16_t* from,
                                                                std::size_t rows, std::uint16_t* to,
                                                                float* sums) {
  assert(rows % kAmxRows == 0);
  struct alignas(64) Configuration {
    std::uint8_t palette = 1;
    std::uint8_t start_row = 0;
    std::uint8_t reserved[14] = {};
    std::uint16_t bytes_a_line[16] = {};
    std::uint8_t lines[16] = {};
  } configuration;
  static_assert(sizeof(Configuration) == 64);
  for (int tile = 0; tile < 8; ++tile) {
    configuration.bytes_a_line[tile] = 64;
    configuration.lines[tile] = 16;
  }
  _tile_loadconfig(&configuration);
  const std::size_t inputs = layer.in / kTileInputs;  // in tiles
  const auto line = static_cast<long>(layer.in * sizeof(std::uint16_t));
  const auto out_line = static_cast<long>(layer.out * sizeof(float));
  for (std::size_t row = 0; row < rows; row += kAmxRows) {
    for (std::size_t o = 0; o < layer.out; o += 2 * kTileOutputs) {
      // A distance of 0 gives every row the same bias.
      const float* bias = layer.bias.data() + o;
      _tile_loadd(0, bias, 0);
      _tile_loadd(1, bias + kTileOutputs, 0);
      _tile_loadd(2, bias, 0);
      _tile_loadd(3, bias + kTileOutputs, 0);
      const std::uint16_t* weights = layer.tiles.data() + o / kTileOutputs * inputs * kTileNumbers;
      const std::uint16_t* upper = from + row * layer.in;
      const std::uint16_t* lower = upper + kAmxRows / 2 * layer.in;
      for (std::size_t k = 0; k < inputs; ++k) {
        _tile_loadd(4, upper + k * kTileInputs, line);
        _tile_loadd(5, lower + k * kTileInputs, line);
        _tile_loadd(6, weights + k * kTileNumbers, 64);
        _tile_loadd(7, weights + (inputs + k) * kTileNumbers, 64);
        _tile_dpbf16ps(0, 4, 6);
        _tile_dpbf16ps(1, 4, 7);
        _tile_dpbf16ps(2, 5, 6);
        _tile_dpbf16ps(3, 5, 7);
      }
      float* sum = sums + row * layer.out + o;
      _tile_stored(0, sum, out_line);
      _tile_stored(1, sum + kTileOutputs, out_line);
      _tile_stored(2, sum + kAmxRows / 2 * layer.out, out_line);
      _tile_stored(3, sum + kAmxRows / 2 * layer.out + kTileOutputs, out_line);
    }
  }
  _tile_release();
  for (std::size_t i = 0; i < rows * layer.out; ++i) to[i] = to_bf16(std::max(sums[i], 0.0F));
}

#else

bool amx_is_there() { return false; }
void run_amx_layer(const AmxLayer&, const std::uint16_t*, std::size_t, std::uint16_t*, float*) {
  assert(false);
}

#endif

}  // namespace ifd
