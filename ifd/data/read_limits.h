// How far a compressed file may unfold. A megabyte of deflated zeros is a gigabyte in memory; a
// file from a stranger is not trusted to say how large it gets.
#pragma once

#include <cstdint>
#include <string>

#include "ifd/error.h"

namespace ifd {

struct ReadLimits {
  double max_expansion = 100;                               // times the size of the file
  std::uint64_t always_allowed = std::uint64_t{256} << 20;  // bytes, however small the file

  // What a file of `compressed` bytes may become: the larger of the two.
  std::uint64_t allowed(std::uint64_t compressed) const;
  // For what is compressed again within a file that has unfolded from `compressed` bytes to
  // `unfolded`: the two expansions together stay within the limits of the file.
  ReadLimits within(std::uint64_t compressed, std::uint64_t unfolded) const;
};

// The refusal of a file of `compressed` bytes; `becomes` tells what it would be, as in "unfolds to
// more than 268435456 bytes".
Error expands_too_far(const std::string& place, std::uint64_t compressed,
                      const std::string& becomes, const ReadLimits& limits);

}  // namespace ifd
