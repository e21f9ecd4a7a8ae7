// The tile instructions of AMX, carried out in software where the processor does not know them, so
// that the machine code written for AMX runs, and is tested, on every x86-64.
#pragma once

#if defined(__x86_64__) && defined(__linux__)
#include <immintrin.h>
#include <signal.h>
#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

#include "ifd/network/bf16.h"

namespace ifd {

// While one is alive, tile instructions of any thread that the processor refuses are emulated. What
// the manual forbids (a tile not configured, shapes that do not fit, a reserved byte that is not
// zero) kills the process, as it would on the processor.
//
// Only for processors that refuse all of them. One that has AMX, under a kernel that does not let
// this process use it, refuses what touches the tiles' data but carries out the configuration by
// itself, which an emulator then never sees: sees_configuration() tells.
class AmxEmulator {
 public:
  AmxEmulator() {
    state_ = State{};
    struct sigaction action = {};
    action.sa_sigaction = emulate;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGILL, &action, &before_);
  }
  ~AmxEmulator() { sigaction(SIGILL, &before_, nullptr); }
  AmxEmulator(const AmxEmulator&) = delete;
  AmxEmulator& operator=(const AmxEmulator&) = delete;

  // Configures a tile, and tells whether that had to be emulated.
  static bool sees_configuration() {
    Configuration one = {};
    one.palette = 1;
    one.bytes_a_line[0] = 4;
    one.lines[0] = 1;
    asm volatile("ldtilecfg %0" : : "m"(one) : "memory");
    const bool seen = state_.configured;
    asm volatile("tilerelease" : : : "memory");
    return seen;
  }

  // Whether the tiles of this thread are free, as the processor says or, where it is emulated, the
  // emulator.
  static bool released() {
    Configuration now = {};
    asm volatile("sttilecfg %0" : "=m"(now) : : "memory");
    return now.palette == 0;
  }

  // How many products of tiles were emulated for this thread.
  static std::size_t products() { return state_.products; }

 private:
  static constexpr int kTiles = 8;
  static constexpr std::size_t kLines = 16;
  static constexpr std::size_t kLineBytes = 64;

  struct Configuration {
    std::uint8_t palette;
    std::uint8_t start_row;
    std::uint8_t reserved[14];
    std::uint16_t bytes_a_line[16];
    std::uint8_t lines[16];
  };
  static_assert(sizeof(Configuration) == 64);

  struct State {
    bool configured;
    std::size_t products;
    Configuration shape;
    std::uint8_t tiles[kTiles][kLines][kLineBytes];
  };

  // C4, then R X B map, then W vvvv L pp, the operation, ModRM and what it asks for.
  struct Instruction {
    enum Prefix { kNone, k66, kF3, kF2 };
    Prefix prefix;
    std::uint8_t operation;
    bool memory;
    int reg;
    int rm;
    int vvvv;
    std::uint8_t* address;  // without the index
    std::int64_t index;     // scaled: the distance of lines
    std::size_t length;
  };

  static std::int64_t register_of(const ucontext_t& context, int number) {
    static constexpr int kPlaces[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                      REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                      REG_R12, REG_R13, REG_R14, REG_R15};
    return context.uc_mcontext.gregs[kPlaces[number]];
  }

  static std::optional<Instruction> decode(const ucontext_t& context) {
    const auto* code = reinterpret_cast<const std::uint8_t*>(context.uc_mcontext.gregs[REG_RIP]);
    const bool vex_with_map_0f38 = code[0] == 0xc4 && (code[1] & 0x1f) == 2;
    const bool w0_and_128_bits = (code[2] & 0x84) == 0;
    if (!vex_with_map_0f38 || !w0_and_128_bits) return std::nullopt;
    const int r = (~code[1] >> 7 & 1) << 3, x = (~code[1] >> 6 & 1) << 3,
              b = (~code[1] >> 5 & 1) << 3;
    const std::uint8_t modrm = code[4];
    const int mod = modrm >> 6;
    Instruction read = {.prefix = static_cast<Instruction::Prefix>(code[2] & 3),
                        .operation = code[3],
                        .memory = mod != 3,
                        .reg = (modrm >> 3 & 7) | r,
                        .rm = (modrm & 7) | b,
                        .vvvv = ~code[2] >> 3 & 15,
                        .address = nullptr,
                        .index = 0,
                        .length = 5};
    if (!read.memory) return read;
    std::int64_t address = 0;
    int base = read.rm;
    if ((modrm & 7) == 4) {
      const std::uint8_t sib = code[read.length++];
      const int index = (sib >> 3 & 7) | x;
      if (index != 4) read.index = register_of(context, index) << (sib >> 6);
      base = (sib & 7) | b;
    } else if (mod == 0 && (modrm & 7) == 5) {
      return std::nullopt;  // relative to the instruction: no compiler has made one here yet
    }
    const bool displacement_only = mod == 0 && (base & 7) == 5;
    if (!displacement_only) address = register_of(context, base);
    if (mod == 1) {
      address += static_cast<std::int8_t>(code[read.length++]);
    } else if (mod == 2 || displacement_only) {
      std::int32_t displacement = 0;
      std::memcpy(&displacement, code + read.length, sizeof displacement);
      address += displacement;
      read.length += sizeof displacement;
    }
    read.address = reinterpret_cast<std::uint8_t*>(address);
    return read;
  }

  static bool is_tile(int number) {
    return state_.configured && number < kTiles && state_.shape.lines[number] > 0;
  }

  static bool configure(const std::uint8_t* from) {
    Configuration shape;
    std::memcpy(&shape, from, sizeof shape);
    if (shape.palette != 1 || shape.start_row != 0) return false;
    for (const std::uint8_t byte : shape.reserved) {
      if (byte != 0) return false;
    }
    for (int tile = 0; tile < 16; ++tile) {
      const bool known = tile < kTiles;
      if (shape.lines[tile] > (known ? kLines : 0)) return false;
      if (shape.bytes_a_line[tile] > (known ? kLineBytes : 0)) return false;
      if ((shape.lines[tile] == 0) != (shape.bytes_a_line[tile] == 0)) return false;
    }
    state_ = State{.configured = true, .products = state_.products, .shape = shape, .tiles = {}};
    return true;
  }

  static bool store_configuration(std::uint8_t* to) {
    const Configuration shape = state_.configured ? state_.shape : Configuration{};
    std::memcpy(to, &shape, sizeof shape);
    return true;
  }

  static bool load(const Instruction& read) {
    if (!read.memory || !is_tile(read.reg)) return false;
    auto& tile = state_.tiles[read.reg];
    std::memset(tile, 0, sizeof tile);
    for (int line = 0; line < state_.shape.lines[read.reg]; ++line) {
      std::memcpy(tile[line], read.address + line * read.index,
                  state_.shape.bytes_a_line[read.reg]);
    }
    return true;
  }

  static bool store(const Instruction& read) {
    if (!read.memory || !is_tile(read.reg)) return false;
    for (int line = 0; line < state_.shape.lines[read.reg]; ++line) {
      std::memcpy(read.address + line * read.index, state_.tiles[read.reg][line],
                  state_.shape.bytes_a_line[read.reg]);
    }
    return true;
  }

  // TDPBF16PS: even and odd inputs are summed apart and join at the end. A product of two bf16 is
  // exact in float, so that one rounding an addition is what the processor does.
  static bool multiply(const Instruction& read) {
    const int sums = read.reg, rows = read.rm, weights = read.vvvv;
    if (read.memory || !is_tile(sums) || !is_tile(rows) || !is_tile(weights)) return false;
    if (sums == rows || sums == weights || rows == weights) return false;
    const Configuration& shape = state_.shape;
    const int pairs = shape.bytes_a_line[rows] / 4, outputs = shape.bytes_a_line[weights] / 4;
    if (shape.bytes_a_line[rows] % 4 != 0 || shape.bytes_a_line[weights] % 4 != 0 ||
        shape.lines[weights] != pairs || shape.lines[sums] != shape.lines[rows] ||
        shape.bytes_a_line[sums] != shape.bytes_a_line[weights]) {
      return false;
    }
    const unsigned rounding = _mm_getcsr();
    _mm_setcsr(0x9fc0);  // to nearest, no exceptions, subnormal numbers are zero
    for (int row = 0; row < shape.lines[rows]; ++row) {
      const auto* from = reinterpret_cast<const std::uint16_t*>(state_.tiles[rows][row]);
      auto* to = reinterpret_cast<float*>(state_.tiles[sums][row]);
      for (int output = 0; output < outputs; ++output) {
        float even = 0.0F, odd = 0.0F;
        for (int pair = 0; pair < pairs; ++pair) {
          const auto* weight = reinterpret_cast<const std::uint16_t*>(state_.tiles[weights][pair]);
          even += from_bf16(from[2 * pair]) * from_bf16(weight[2 * output]);
          odd += from_bf16(from[2 * pair + 1]) * from_bf16(weight[2 * output + 1]);
        }
        to[output] += even + odd;
      }
    }
    _mm_setcsr(rounding);
    ++state_.products;
    return true;
  }

  static bool perform(const Instruction& read) {
    using enum Instruction::Prefix;
    if (read.operation == 0x49 && read.prefix == kNone) {
      if (read.memory) return configure(read.address);  // LDTILECFG
      state_.configured = false;                        // TILERELEASE
      return read.reg == 0 && read.rm == 0;
    }
    if (read.operation == 0x49 && read.prefix == k66) {  // STTILECFG
      return read.memory && store_configuration(read.address);
    }
    if (read.operation == 0x4b && read.prefix == kF2) return load(read);      // TILELOADD
    if (read.operation == 0x4b && read.prefix == kF3) return store(read);     // TILESTORED
    if (read.operation == 0x5c && read.prefix == kF3) return multiply(read);  // TDPBF16PS
    return false;
  }

  static void emulate(int, siginfo_t*, void* where) {
    auto& context = *static_cast<ucontext_t*>(where);
    const auto read = decode(context);
    if (!read || !perform(*read)) {
      signal(SIGILL, SIG_DFL);  // and meet it again
      return;
    }
    context.uc_mcontext.gregs[REG_RIP] += static_cast<greg_t>(read->length);
  }

  static thread_local inline State state_ = {};
  struct sigaction before_ = {};
};

}  // namespace ifd
#endif
