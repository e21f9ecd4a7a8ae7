// How far a compressed file may unfold, and how much is read of what has no end. A megabyte of
// deflated zeros is a gigabyte in memory; a file from a stranger is not trusted to say how large it
// gets.
#pragma once

#include <cstdint>
#include <string>

#include "ifd/error.h"

namespace ifd {

struct ReadLimits {
  double max_expansion = 100;                               // times the size of the file
  std::uint64_t always_allowed = std::uint64_t{256} << 20;  // bytes, however small the file

  // What has no size of its own (a pipe, a device, standard input) counts as a compressed file of
  // so many bytes: 4 GB may come of it.
  std::uint64_t stream_counts_as = 40'000'000;

  // What a file of `compressed` bytes may become: the larger of the first two.
  std::uint64_t allowed(std::uint64_t compressed) const;
  // How much is read of what has no size of its own.
  std::uint64_t of_stream() const { return allowed(stream_counts_as); }
  // For what is compressed again within a file that has unfolded from `compressed` bytes to
  // `unfolded`: the two expansions together stay within the limits of the file.
  ReadLimits within(std::uint64_t compressed, std::uint64_t unfolded) const;
};

// The refusal of a file of `compressed` bytes; `becomes` tells what it would be, as in "unfolds to
// more than 268435456 bytes".
Error expands_too_far(const std::string& place, std::uint64_t compressed,
                      const std::string& becomes, const ReadLimits& limits);

// The refusal of what goes on beyond `most` bytes and has no size of its own.
Error streams_too_far(const std::string& place, std::uint64_t most);

}  // namespace ifd
