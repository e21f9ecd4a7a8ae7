// Randomness by key instead of by order: a draw is a pure function of what it is for.
//
// The same key gives the same number on every platform, for any number of threads and in any
// order of calls. Names rather than row numbers belong in keys, so that shuffling a file changes
// nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ifd {

// An immutable key. `with` returns a longer key; keys of different parts are independent.
//
//   const Key key = Key(seed).with("solvability").with(split).with(case_name);
//   const double u = key.uniform();
class Key {
 public:
  explicit constexpr Key(std::uint64_t seed) : state_(mix(seed ^ 0x9e3779b97f4a7c15ULL)) {}

  constexpr Key with(std::uint64_t part) const {
    return Key(mix(state_ + 0x9e3779b97f4a7c15ULL + mix(part ^ 0x6a09e667f3bcc909ULL)), Raw{});
  }
  constexpr Key with(std::string_view part) const {
    std::uint64_t hash = 0xcbf29ce484222325ULL ^ part.size();
    for (const char c : part) {
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    }
    return with(hash);
  }
  // Without these, a literal would convert to a number or a bool.
  constexpr Key with(const char* part) const { return with(std::string_view(part)); }

  // 64 uniform bits; `draw` numbers independent draws under one key.
  constexpr std::uint64_t bits(std::uint64_t draw = 0) const {
    return mix(state_ + (draw + 1) * 0x9e3779b97f4a7c15ULL);
  }
  // Uniform on [0, 1), a multiple of 2^-53.
  constexpr double uniform(std::uint64_t draw = 0) const {
    return static_cast<double>(bits(draw) >> 11) * 0x1p-53;
  }
  // Uniform on 0..bound-1; bound > 0. Exactly uniform (rejects the overhanging values).
  constexpr std::size_t below(std::size_t bound, std::uint64_t draw = 0) const {
    const std::uint64_t limit = UINT64_MAX - (UINT64_MAX % bound + 1) % bound;
    std::uint64_t value = bits(draw);
    for (std::uint64_t retry = 1; value > limit; ++retry) {
      value = mix(value + retry);
    }
    return static_cast<std::size_t>(value % bound);
  }
  // Standard normal, by Box-Muller from draws 2*draw and 2*draw+1 of a stream of its own.
  double normal(std::uint64_t draw = 0) const;

 private:
  struct Raw {};
  constexpr Key(std::uint64_t state, Raw) : state_(state) {}

  // The finaliser of SplitMix64 (Steele, Lea and Flood 2014): a bijection that passes BigCrush as
  // the output function of a counter.
  static constexpr std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
  }

  std::uint64_t state_;
};

}  // namespace ifd
